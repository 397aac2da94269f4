internal import Console

extension TrainingPanel {
    /// How the panes divide the area: the chart beside the list, layers and text below; narrow screens show the chart
    /// and whichever pane has the keys.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 110 else {
            guard area.rows >= 18 else { return .pane(pane) }
            return .rows([.init(.weight(1), .chart), .init(.weight(1), pane == .chart ? .runs : pane)])
        }
        return .rows([
            .init(
                .fixed(max(12, area.rows * 11 / 20)),
                .columns([.init(.fixed(min(64, max(44, area.columns / 3))), .runs), .init(.weight(1), .chart)])),
            .init(.weight(1), .columns([.init(.weight(11), .layers), .init(.weight(10), .detail)])),
        ])
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { $0.area.inset(columns: 1, rows: 1) }
    }

    mutating func place(_ area: Rect) -> [Effect<TrainingAnswer>] {
        let columns = chartColumns
        self.area = area
        layoutPanes()
        return advanceText() + (columns == chartColumns ? [] : askCurves())
    }

    /// The columns that the chart has now; at least those of a small one.
    var chartColumns: Int { inside(.chart)?.inset(columns: 1).columns ?? 60 }

    /// Tells lists and texts how much room they have.
    mutating func layoutPanes() {
        if let inside = inside(.runs) { runs.list.height = RunRows.table.rowsArea(in: inside).rows }
        if let inside = inside(.layers) {
            layers.list.height = LayerView.table(layers.figure, width: inside.columns).rowsArea(in: inside).rows
        }
        if let inside = inside(.detail) { text.layout(inside.inset(columns: 1).size) }
    }

    mutating func click(_ mouse: Mouse) -> [Effect<TrainingAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        switch mouse.action {
        case .scrollDown, .scrollUp: return scroll(placed.pane, by: mouse.action == .scrollDown ? 3 : -3)
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(
                at: mouse.point, in: placed.area.inset(columns: 1, rows: 1), opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func scroll(_ pane: Pane, by rows: Int) -> [Effect<TrainingAnswer>] {
        switch pane {
        case .runs: runs.list.scroll(by: rows)
        case .layers: layers.list.scroll(by: rows)
        case .chart: return rows < 0 ? magnify(.closer) : magnify(.farther)
        case .detail:
            text.scroll(by: rows)
            return advanceText()
        }
        return []
    }

    private mutating func press(at point: Point, in inside: Rect, opening: Bool) -> [Effect<TrainingAnswer>] {
        switch pane {
        case .runs:
            guard let row = runs.list.row(at: point, in: RunRows.table.rowsArea(in: inside)) else { return [] }
            runs.list.select(row)
            return opening ? perform(.open) : []
        case .layers:
            let body = LayerView.table(layers.figure, width: inside.columns).rowsArea(in: inside)
            if let row = layers.list.row(at: point, in: body) { layers.list.select(row) }
            return []
        case .chart:
            if let place = chart.place(at: point, in: inside.inset(columns: 1), chartLabels) { chart.cursor = place }
            return []
        case .detail: return []
        }
    }

    /// The wheel over the chart looks closer and farther, as far as that goes.
    private mutating func magnify(_ action: TrainingAction) -> [Effect<TrainingAnswer>] {
        disabledReason(action) == nil ? perform(action) : []
    }
}
