internal import Console
internal import Evals
internal import Formatting
internal import Traces

/// Failed samples of a run in groups of one cause, the largest first.
struct FailureTable {
    var found: FailureClusters
    var list: ListView

    static let table = Table([
        .init("samples", alignment: .right, minimum: 7),
        // `99.97 %` is the widest share.
        .init("share", alignment: .right, minimum: 7, priority: 2),
        .init("", minimum: 10, weight: 1, priority: 3),
        .init("cause", minimum: 20, weight: 4),
    ])

    func draw(into surface: inout Surface, in area: Rect, theme: Theme, isFocused: Bool) {
        let table = Self.table
        table.draw(list, into: &surface, in: area, theme: theme, isFocused: isFocused) { row, column in
            let cluster = found.clusters[row]
            return switch column {
            case 0: .init(Format.count(cluster.samples.count), .strong)
            case 1: .init(share(cluster), .dim)
            case 3: .init(cluster.title, Self.role(cluster.cause))
            default: .init("")
            }
        }
        drawBars(table, into: &surface, in: area, theme: theme, isFocused: isFocused)
    }

    private func drawBars(
        _ table: Table, into surface: inout Surface, in area: Rect, theme: Theme,
        isFocused: Bool
    ) {
        let rows = table.rowsArea(in: area)
        let width = max(0, area.columns - ListView.gutter - 1)
        guard let place = table.layout(width: width).first(where: { $0.column == 2 }) else { return }
        let most = found.clusters.map(\.samples.count).max() ?? 1
        for index in list.visible where index - list.top < rows.rows {
            let cluster = found.clusters[index]
            let share = Double(cluster.samples.count) / Double(max(1, most))
            let length = max(1, Int((share * Double(place.width)).rounded()))
            let look: RowState = index != list.selection ? .plain : isFocused ? .selected : .selectedInactive
            surface.fill(
                Rect(
                    column: area.column + ListView.gutter + place.offset, row: rows.row + index - list.top,
                    columns: min(place.width, length), rows: 1),
                with: theme.glyphs.heavyLine,
                style: theme.style(Self.role(cluster.cause), in: look))
        }
    }

    private func share(_ cluster: FailureClusters.Cluster) -> String {
        Format.share(Double(cluster.samples.count) / Double(max(1, found.failed)))
    }

    /// What could not be asked or judged stands apart from what was answered wrongly.
    static func role(_ cause: FailureCause) -> Role {
        switch cause {
        case .error, .toolError: .warning
        case .unscored: .dim
        default: .failure
        }
    }
}
