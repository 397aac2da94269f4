internal import Console

extension TrainingPanel {
    /// Layout: the list and the layers get the rows that they need, the text and the chart the remaining rows. Narrow
    /// screens show the chart and the focused pane, small screens one pane.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 110 else {
            guard area.rows >= 18 else { return .pane(pane) }
            let lower: Pane = pane == .chart ? .runs : pane
            return .rows([.init(.weight(1), .chart), .init(.fixed(rows(of: lower, atMost: area.rows / 2)), lower)])
        }
        let most = area.rows * 2 / 5
        let right: PaneTree<Pane> =
            hasLayers
            ? .rows([.init(.weight(1), .chart), .init(.fixed(rows(of: .layers, atMost: most)), .layers)])
            : .pane(.chart)
        return .columns([
            .init(
                .fixed(min(66, max(48, area.columns / 3))),
                .rows([.init(.fixed(rows(of: .runs, atMost: most)), .runs), .init(.weight(1), .detail)])),
            .init(.weight(1), right),
        ])
    }

    /// A run without layer norms has no pane for them; the overview says so.
    private var hasLayers: Bool { !layers.rows.isEmpty }

    /// Panes in the order of Tab.
    var panes: [Pane] { Pane.allCases.filter { $0 != .layers || hasLayers } }

    /// Returns the rows of a pane, including header and border.
    private func rows(of pane: Pane, atMost most: Int) -> Int {
        switch pane {
        // Without runs, the list explains in four lines how to start one.
        case .runs: min(most, runs.runs.isEmpty ? 7 : max(5, runs.runs.count + 3))
        case .layers: min(most, layers.rows.count + 3)
        case .chart, .detail: most
        }
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    /// Names of panes that do not fit now and that Tab reaches.
    var hidden: [String] {
        let shown = Set(placedPanes.map(\.pane))
        return isZoomed
            ? []
            : panes.filter { !shown.contains($0) }.map { $0 == .detail ? view.title : $0.title }
    }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { Frame.inside(of: $0.area) }
    }

    mutating func place(_ area: Rect) -> [Effect<TrainingAnswer>] {
        let columns = chartColumns
        self.area = area
        layoutPanes()
        return advanceText() + (columns == chartColumns ? [] : askCurves())
    }

    /// Width of the chart in columns, at least that of a small chart.
    var chartColumns: Int { inside(.chart)?.inset(columns: 1).columns ?? 60 }

    /// Updates the sizes of lists and texts.
    mutating func layoutPanes() {
        if !panes.contains(pane) { pane = .chart }
        if let inside = inside(.runs) { runs.list.height = runs.table.rowsArea(in: inside).rows }
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
                at: mouse.point, in: Frame.inside(of: placed.area), opening: mouse.action == .doubleClick)
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
            guard let row = runs.list.row(at: point, in: runs.table.rowsArea(in: inside)) else { return [] }
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

    /// Zooms with the mouse wheel, as far as possible.
    private mutating func magnify(_ action: TrainingAction) -> [Effect<TrainingAnswer>] {
        disabledReason(action) == nil ? perform(action) : []
    }
}

extension TrainingPanel.Pane {
    /// The pane's title in its frame.
    var title: String { rawValue.prefix(1).uppercased() + rawValue.dropFirst() }
}
