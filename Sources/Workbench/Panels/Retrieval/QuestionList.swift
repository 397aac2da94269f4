internal import Console
internal import Formatting
internal import Retrieval
internal import Tables

/// The questions of a set, with their values under two pipelines if these were compared.
struct QuestionList: Sendable {
    struct Row: Hashable, Identifiable, Sendable {
        var id: String
        var question: String
        /// Passages that answer the question.
        var gold: [QuestionSet.Gold] = []
        /// Values of the visible measure before and after; `nil` without a comparison.
        var before: Double?
        var after: Double?
    }

    /// Name of the set; `nil` for none.
    var name: String?
    var rows = RowList<Row>()

    init(name: String? = nil, cases: [QuestionSet.Case] = []) {
        self.name = name
        rows.show(cases.map { Row(id: $0.id, question: $0.question, gold: $0.gold) })
    }

    /// Shows the values of a comparison, in its order.
    mutating func show(_ comparison: QuerySetComparison) {
        let known = Dictionary(rows.rows.map { ($0.id, $0) }, uniquingKeysWith: { one, _ in one })
        rows.show(
            comparison.rows.map { compared in
                var row = known[compared.query] ?? Row(id: compared.query, question: compared.query)
                (row.before, row.after) = (compared.before, compared.after)
                return row
            })
        rows.list.moveToStart()
    }

    func addColumns(to columns: inout Columns<Row>) {
        columns.add("question", minimum: 12, weight: 1) { .init($0.question) }
        guard rows.rows.contains(where: { $0.after != nil }) else { return }
        func figure(_ value: Double?) -> String { value.map { Format.fixed($0, digits: 3) } ?? "" }
        columns.add("A", align: .right, minimum: 5) { .init(figure($0.before), .dim) }
        columns.add("B", align: .right, minimum: 5) { .init(figure($0.after), .dim) }
        columns.add("B − A", align: .right, minimum: 6) { row in
            guard let before = row.before, let after = row.after else { return .init("", .faint) }
            let difference = after - before
            let role: Role = difference < 0 ? .failure : difference > 0 ? .success : .faint
            return .init((difference > 0 ? "+" : "") + Format.fixed(difference, digits: 3), role)
        }
    }
}
