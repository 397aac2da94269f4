internal import Console
internal import Formatting
internal import Retrieval

/// The questions of a set, or, where two pipelines were compared over it, what each of them is worth to each.
struct QuestionList: Sendable {
    struct Row: Hashable, Sendable {
        var id: String
        var question: String
        /// Values of the shown measure before and after; `nil` without a comparison.
        var before: Double?
        var after: Double?

        var difference: Double? {
            guard let before, let after else { return nil }
            return after - before
        }
    }

    /// The set's name; `nil` for none.
    var name: String?
    private(set) var rows: [Row] = []
    var list = ListView()

    var selected: Row? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }
    var isCompared: Bool { rows.contains { $0.after != nil } }

    /// What answers each question, by its name.
    private(set) var gold: [String: [QuestionSet.Gold]] = [:]

    init(name: String? = nil, cases: [QuestionSet.Case] = []) {
        self.name = name
        for one in cases { gold[one.id] = one.gold }
        show(cases.map { Row(id: $0.id, question: $0.question) })
    }

    mutating func show(_ rows: [Row]) {
        let before = selected?.id
        self.rows = rows
        list.count = rows.count
        if let before, let index = rows.firstIndex(where: { $0.id == before }) { list.select(index) }
    }

    static func table(isCompared: Bool) -> Table {
        Table(
            [.init("question", minimum: 12, weight: 1)]
                + (isCompared
                    ? [
                        .init("A", alignment: .right, minimum: 5), .init("B", alignment: .right, minimum: 5),
                        .init("B − A", alignment: .right, minimum: 6),
                    ] : []))
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let table = Self.table(isCompared: isCompared)
        table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            let row = rows[index]
            switch column {
            case 0: return .init(row.question, .text)
            case 1: return .init(Self.figure(row.before), .dim)
            case 2: return .init(Self.figure(row.after), .dim)
            default:
                guard let difference = row.difference else { return .init("", .faint) }
                let role: Role = difference < 0 ? .failure : difference > 0 ? .success : .faint
                return .init((difference > 0 ? "+" : "") + Format.fixed(difference, digits: 3), role)
            }
        }
    }

    private static func figure(_ value: Double?) -> String { value.map { Format.fixed($0, digits: 3) } ?? "" }
}
