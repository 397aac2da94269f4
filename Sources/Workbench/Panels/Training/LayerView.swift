internal import Console
internal import Formatting
internal import TrainingLab

/// Norms of every parameter's gradients, weights, and updates, with the history of one of them.
struct LayerView: Sendable {
    private(set) var rows: [LayerRow] = []
    var list = ListView()
    var figure = Figure.updateRatio
    var isSortedByFigure = false

    /// Quantities for the small curves and for sorting.
    enum Figure: String, CaseIterable, Sendable {
        case gradientNorm, parameterNorm, updateRatio

        var word: String {
            switch self {
            case .gradientNorm: "gradient"
            case .parameterNorm: "weight"
            case .updateRatio: "update/weight"
            }
        }

        func text(_ value: Double) -> String {
            self == .updateRatio ? Format.scientific(value) : Format.norm(value)
        }

        /// Returns the color of a problem: NaN, a gradient that does not reach the layer, or updates that change more
        /// than a tenth of the layer at once, a hundred times the healthy amount.
        func role(of value: Double) -> Role? {
            guard value.isFinite else { return .failure }
            switch self {
            case .gradientNorm: return value == 0 ? .warning : nil
            case .parameterNorm: return nil
            case .updateRatio: return value > 0.1 ? .warning : nil
            }
        }

        func measure(of row: LayerRow) -> LayerMeasure? {
            switch self {
            case .gradientNorm: row.gradientNorm
            case .parameterNorm: row.parameterNorm
            case .updateRatio: row.updateRatio
            }
        }
    }

    private var all: [LayerRow] = []

    mutating func show(_ table: LayerTable) {
        all = table.layers
        arrange()
    }

    mutating func clear() {
        all = []
        arrange()
    }

    mutating func nextFigure() {
        let figures = Figure.allCases
        figure = figures[((figures.firstIndex(of: figure) ?? 0) + 1) % figures.count]
        arrange()
    }

    mutating func toggleSort() {
        isSortedByFigure.toggle()
        arrange()
    }

    /// Restores the saved figure and sort order.
    mutating func restore(_ figure: Figure, isSortedByFigure: Bool) {
        self.figure = figure
        self.isSortedByFigure = isSortedByFigure
        arrange()
    }

    var sortTitle: String { isSortedByFigure ? "largest first" : "in model order" }

    private mutating func arrange() {
        let before = rows.indices.contains(list.selection) ? rows[list.selection].name : nil
        rows = isSortedByFigure ? all.sorted { rank($0) > rank($1) } : all
        list.count = rows.count
        if let before, let index = rows.firstIndex(where: { $0.name == before }) { list.select(index) }
    }

    /// Sorts NaN first, because it needs attention, and unmeasured layers last.
    private func rank(_ row: LayerRow) -> Double {
        guard let value = figure.measure(of: row)?.latest else { return -1 }
        return value.isNaN ? .infinity : value
    }

    static func table(_ figure: Figure, width: Int) -> Table {
        var columns: [Table.Column] = [.init("layer", minimum: 14, weight: 1)]
        for other in Figure.allCases where width >= 64 || other == figure {
            columns.append(
                .init(
                    other.word, alignment: .right, minimum: max(8, other.word.count), priority: other == figure ? 0 : 1)
            )
        }
        columns.append(.init("over the run", minimum: TrainingEngine.trend, priority: 2))
        return Table(columns)
    }

    /// Returns the reason why there are no rows.
    static func nothing(isForeign: Bool) -> String {
        isForeign ? "norms not recorded" : "no norms recorded: set [record] norms = 50"
    }

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        guard !rows.isEmpty else { return }
        let table = Self.table(figure, width: area.columns)
        let figures = Figure.allCases.filter { area.columns >= 64 || $0 == figure }
        table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { index, column in
            let row = rows[index]
            if column == 0 { return .init(row.name, .text) }
            guard column <= figures.count else { return .init("") }
            guard let value = figures[column - 1].measure(of: row)?.latest else { return .init("", .faint) }
            let kind = figures[column - 1]
            return .init(kind.text(value), kind.role(of: value) ?? (kind == figure ? .text : .dim))
        }
        drawTrends(into: &surface, in: area, table, columns: figures.count + 1, theme)
    }

    private func drawTrends(
        into surface: inout Surface, in area: Rect, _ table: Table, columns: Int, _ theme: Theme
    ) {
        guard
            let placed = table.layout(width: area.columns - ListView.gutter - 1).first(where: { $0.column == columns })
        else { return }
        let body = table.rowsArea(in: area)
        for index in list.visible {
            guard let measure = figure.measure(of: rows[index]) else { continue }
            let line = Rect(
                column: area.column + ListView.gutter + placed.offset, row: body.row + index - list.top,
                columns: placed.width, rows: 1)
            Sparkline(measure.trend).draw(into: &surface, in: line, style: theme[.series1], theme: theme)
        }
    }
}
