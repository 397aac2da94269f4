internal import Console
internal import FeatureLab
internal import Formatting

/// The features that a query found.
struct FeatureList: Sendable {
    private(set) var rows: [FeatureRow] = []
    var query = FeatureQuery.all(.meaning)
    /// What the rows are of: another order than was asked for where that cannot be had.
    private(set) var answered: FeatureQuery?
    private var asked: FeatureQuery?
    var list = ListView()
    /// Width of the largest activation, so no figure is cut off.
    private var maximumColumns = 6

    /// Maximum number of rows, more than a user would scroll through.
    static let limit = 20_000

    var selected: FeatureRow? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }

    /// What the rows are of, as the border says it.
    var shown: FeatureQuery { answered ?? query }

    /// New rows; the cursor stays on its feature where that is among them, but for an order that could not be had before.
    mutating func show(_ found: [FeatureRow], of answered: FeatureQuery?) {
        let before = asked == query && self.answered != answered ? nil : selected?.feature
        (asked, self.answered) = (query, answered)
        rows = found
        let greatest = found.lazy.compactMap(\.maximum).max() ?? 0
        maximumColumns = max(6, DisplayWidth.of(Format.fixed(Double(Float(greatest)), digits: 2)))
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

    /// The columns of the list.
    private enum Column { case change, feature, density, maximum, score, label }

    /// Whether any feature is changed, which adds a column.
    var hasChanges = false

    /// Columns without values are left out, so labels get their room.
    private var columns: [Column] {
        var all: [Column] = hasChanges ? [.change, .feature] : [.feature]
        if rows.contains(where: { $0.density != nil }) { all.append(.density) }
        if rows.contains(where: { $0.maximum != nil }) { all.append(.maximum) }
        if hasScores { all.append(.score) }
        return all + [.label]
    }

    func table(columns width: Int) -> Table {
        Table(
            columns.map { column in
                switch column {
                case .change: .init("", minimum: 1)
                case .feature: .init("feature", alignment: .right, minimum: 7, priority: 1)
                case .density: .init("density", alignment: .right, minimum: 7, priority: 2)
                case .maximum: .init("max", alignment: .right, minimum: maximumColumns, priority: 3)
                case .score: .init("score", alignment: .right, minimum: 6, priority: 1)
                case .label: .init("label", minimum: 22, weight: 1)
                }
            })
    }

    private var hasScores: Bool {
        if case .all = shown { false } else { isByShare || rows.contains { $0.score != nil } }
    }

    /// Features without a share never fired on the indexed texts.
    private var isByShare: Bool { shown == .active(.share) }

    func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int?, changes: FeatureChanges
    ) {
        let columns = columns
        table(columns: area.columns).draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) {
            index, column in
            let row = rows[index]
            switch columns[column] {
            case .change: return .init(changes.sign(of: row.feature, theme.glyphs), .warning)
            case .feature: return .init("\(row.feature)", row.feature == shown ? .accent : .text)
            case .density: return .init(row.density.map(Format.probability) ?? "", row.count == 0 ? .faint : .dim)
            case .maximum: return .init(row.maximum.map { Format.fixed(Double(Float($0)), digits: 2) } ?? "", .dim)
            case .score:
                return .init(
                    row.score.map { Format.fixed($0, digits: 3) } ?? (isByShare ? "beyond" : ""),
                    row.score == nil ? .dim : .text)
            case .label:
                if let label = row.label { return .init(label, .text) }
                // Automatic descriptions are dim, to set them apart from labels.
                return .init(row.words ?? (row.count == 0 ? "never fires" : ""), row.count == 0 ? .faint : .dim)
            }
        }
    }
}
