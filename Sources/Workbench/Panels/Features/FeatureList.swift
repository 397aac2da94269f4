internal import Console
internal import FeatureLab

/// The features that a query found.
struct FeatureList: Sendable {
    private(set) var rows: [FeatureRow] = []
    var query = FeatureQuery.all(.density)
    /// What the rows are of: another order than was asked for where that cannot be had.
    private(set) var answered: FeatureQuery?
    private var asked: FeatureQuery?
    var list = ListView()

    /// How many are read at most: more than anybody goes through with a key.
    static let limit = 20_000

    var selected: FeatureRow? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }

    /// What the rows are of, as the border says it.
    var shown: FeatureQuery { answered ?? query }

    /// New rows; the cursor stays on its feature where that is among them, but for an order that could not be had before.
    mutating func show(_ found: [FeatureRow], of answered: FeatureQuery?) {
        let before = asked == query && self.answered != answered ? nil : selected?.feature
        (asked, self.answered) = (query, answered)
        rows = found
        list.count = found.count
        if let before, select(before) { return }
        list.select(0)
    }

    @discardableResult
    mutating func select(_ feature: Int) -> Bool {
        guard let index = rows.firstIndex(where: { $0.feature == feature }) else { return false }
        list.select(index)
        return true
    }

    func table(columns: Int) -> Table {
        var all: [Table.Column] = [
            .init("", minimum: 1),
            .init("feature", alignment: .right, minimum: 7),
            .init("density", alignment: .right, minimum: 8, priority: 2),
            .init("max", alignment: .right, minimum: 6, priority: 3),
        ]
        if hasScores { all.append(.init("score", alignment: .right, minimum: 6, priority: 1)) }
        all.append(.init("label", minimum: 6, weight: 1))
        return Table(all)
    }

    private var hasScores: Bool {
        if case .all = shown { false } else { isByShare || rows.contains { $0.score != nil } }
    }

    /// Features without a share never fired on the indexed texts.
    private var isByShare: Bool { shown == .active(.share) }

    func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int?, changes: FeatureChanges
    ) {
        let columns = hasScores ? 6 : 5
        table(columns: area.columns).draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) {
            index, column in
            let row = rows[index]
            switch column {
            case 0: return .init(changes.sign(of: row.feature, theme.glyphs), .warning)
            case 1: return .init("\(row.feature)", row.feature == shown ? .accent : .text)
            case 2: return .init(FeatureFigure.density(row.density), row.count == 0 ? .faint : .dim)
            case 3: return .init(row.maximum.map { FeatureFigure.activation(Float($0)) } ?? "", .dim)
            case columns - 1: return .init(row.label ?? "", .text)
            default:
                return .init(
                    row.score.map { Format.fixed($0, digits: 3) } ?? (isByShare ? "beyond" : ""),
                    row.score == nil ? .dim : .text)
            }
        }
    }
}

/// Figures of features as all panes write them.
enum FeatureFigure {
    static func density(_ density: Double?) -> String {
        guard let density else { return "" }
        return density == 0 ? "never" : Format.percent(density, digits: density < 0.001 ? 4 : density < 0.1 ? 2 : 1)
    }

    static func activation(_ value: Float) -> String { Format.fixed(Double(value), digits: value < 100 ? 2 : 0) }
}
