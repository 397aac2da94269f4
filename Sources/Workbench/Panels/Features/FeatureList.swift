internal import Console
internal import FeatureLab
internal import Formatting
internal import Tables

/// The features that a query found.
struct FeatureList: Sendable {
    private(set) var rows: [FeatureRow] = []
    var query = FeatureQuery.all(.meaning)
    /// Query of the rows, which has another order if the wanted one is unavailable; `nil` before the rows are read.
    private(set) var answered: FeatureQuery?
    private var asked: FeatureQuery?
    var list = ListView()
    /// Width of the largest activation.
    private var maximumColumns = 6

    /// Maximum number of rows, more than a user would scroll through.
    static let limit = 20_000

    var selected: FeatureRow? { rows.indices.contains(list.selection) ? rows[list.selection] : nil }

    /// Query of the rows, for the border.
    var shown: FeatureQuery { answered ?? query }

    /// Shows new rows, or none until they are read.
    ///
    /// The cursor stays on its feature, unless an order was unavailable before.
    mutating func show(_ found: FoundFeatures?) {
        let before = asked == query && answered != found?.answered ? nil : selected?.feature
        (asked, answered, rows) = (query, found?.answered, found?.rows ?? [])
        let greatest = rows.lazy.compactMap(\.maximum).max() ?? 0
        maximumColumns = max(6, DisplayWidth.of(Format.fixed(Double(Float(greatest)), digits: 2)))
        list.count = rows.count
        if let before, select(before) { return }
        list.select(0)
    }

    @discardableResult
    mutating func select(_ feature: Int) -> Bool {
        guard let index = rows.firstIndex(where: { $0.feature == feature }) else { return false }
        list.select(index)
        return true
    }

    func draw(
        into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool, shown: Int?, changes: FeatureChanges
    ) {
        var columns = Columns<FeatureRow>(width: area.columns, theme: theme)
        addColumns(to: &columns, shown: shown, changes: changes)
        columns.draw(rows, list, into: &surface, in: area, isFocused: isFocused)
    }

    /// Adds the columns; those without values are left out, which leaves room for labels.
    private func addColumns(to columns: inout Columns<FeatureRow>, shown: Int?, changes: FeatureChanges) {
        let glyphs = columns.theme.glyphs
        if !changes.isEmpty {
            columns.add("", minimum: 1) { .init(changes.sign(of: $0.feature, glyphs), .warning) }
        }
        columns.add("feature", align: .right, minimum: 7, priority: 1) {
            .init("\($0.feature)", $0.feature == shown ? .accent : .text)
        }
        if rows.contains(where: { $0.density != nil }) {
            columns.add("density", align: .right, minimum: 7, priority: 2) {
                .init($0.density.map(Format.probability) ?? "", $0.count == 0 ? .faint : .dim)
            }
        }
        if rows.contains(where: { $0.maximum != nil }) {
            columns.add("max", align: .right, minimum: maximumColumns, priority: 3) {
                .init($0.maximum.map { Format.fixed(Double(Float($0)), digits: 2) } ?? "", .dim)
            }
        }
        // Features without a share never fired on the indexed texts.
        let isByShare = self.shown == .active(.share)
        if self.shown.isFiltered, isByShare || rows.contains(where: { $0.score != nil }) {
            columns.add("score", align: .right, minimum: 6, priority: 1) {
                .init(
                    $0.score.map { Format.fixed($0, digits: 3) } ?? (isByShare ? "beyond" : ""),
                    $0.score == nil ? .dim : .text)
            }
        }
        columns.add("label", minimum: 22, weight: 1) { row in
            if let label = row.label { return .init(label, .text) }
            // Automatic descriptions are dim, to set them apart from labels.
            return .init(row.words ?? (row.count == 0 ? "never fires" : ""), row.count == 0 ? .faint : .dim)
        }
    }
}
