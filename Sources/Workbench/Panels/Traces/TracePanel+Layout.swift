internal import Console
internal import Traces

extension TracePanel {
    /// The layout of the panes, by their content.
    ///
    /// Without an open run, the list takes everything, with an overview of the selected run below if there is room.
    /// With an open run, wide screens keep the list at the side and show the context as bars; narrow screens give the
    /// width to tree and text, and Tab reaches the list.
    var paneTree: PaneTree<Pane> {
        let isWide = area.columns >= 110
        if run == nil || !isWide && (pane == .runs || pane == .overview) { return listAlone }
        guard isWide else {
            guard area.rows >= 18 else { return pane == .overview ? .pane(.runs) : .pane(pane) }
            return .rows([
                .init(.fixed(max(7, area.rows * 2 / 5)), .run), .init(.fixed(4), .context), .init(.weight(1), .detail),
            ])
        }
        let side = sideColumns
        return .columns([
            .init(.fixed(side), .rows([.init(.fixed(sideRows), .runs), .init(.weight(1), .context)])),
            .init(.weight(1), .rows([.init(.fixed(runRows), .run), .init(.weight(1), .detail)])),
        ])
    }

    /// The list takes the rows it needs, up to three fifths; the overview takes the rest.
    private var listAlone: PaneTree<Pane> {
        let frame = 3 + (runs.hasOtherScopes ? 1 : 0) + (discovered.contains(where: \.isReadable) ? 1 : 0)
        let list = min(max(runs.count, 1) + frame, area.rows * 3 / 5)
        guard runs.count > 0, area.rows - list >= 8, area.columns >= 50 else { return .pane(.runs) }
        return .rows([.init(.fixed(list), .runs), .init(.weight(1), .overview)])
    }

    /// Width of the list next to a run: full names with tokens and errors.
    private var sideColumns: Int {
        let wanted = min(60, max(16, runs.widths.name)) + ListView.gutter + 3 + 2 + 7 + 2 + 4
        return max(40, min(wanted, area.columns * 36 / 100))
    }

    /// Rows of the list next to a run: as many as needed, up to half.
    private var sideRows: Int {
        max(6, min(area.rows / 2, runs.count + 3 + (runs.hasOtherScopes ? 1 : 0)))
    }

    /// Rows of a run's tree: as many as it fills, up to half.
    private var runRows: Int { max(8, min(area.rows / 2, (run?.trace.spans.count ?? 0) + 3)) }

    /// Whether there are so few rows that borders and headers would leave none for content.
    var isTiny: Bool { area.rows <= 4 }

    var showsOverview: Bool { placedPanes.contains { $0.pane == .overview } }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    /// Returns the area inside a pane's border.
    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map(inside)
    }

    private func inside(_ placed: PaneTree<Pane>.Placed) -> Rect {
        var frame = Frame("")
        frame.isOpen = isTiny
        return frame.inside(of: placed.area)
    }

    /// Returns the table of the list with its area.
    private func listTable(in inside: Rect) -> (table: Table, area: Rect) {
        let area = listParts(in: inside).table
        return (runsTable(width: area.columns), area)
    }

    /// Visible columns of the list.
    var shownColumns: [RunColumn] {
        guard let inside = inside(.runs) else { return columns }
        let (table, area) = listTable(in: inside)
        return table.shownColumns(in: area).map { columns[$0] }
    }

    mutating func place(_ area: Rect) -> [Effect<TraceAnswer>] {
        self.area = area
        layoutPanes()
        return fetchRows() + advanceText() + readOverview()
    }

    /// Updates the sizes of lists and texts.
    mutating func layoutPanes() {
        if let inside = inside(.runs) {
            let (table, area) = listTable(in: inside)
            runs.list.height = table.rowsArea(in: area).rows
        }
        if let inside = inside(.run) { run?.setHeight(WaterfallView.rowsArea(in: inside).rows) }
        if let inside = inside(.detail) { text.layout(inside.inset(columns: 1).size) }
    }

    mutating func click(_ mouse: Mouse) -> [Effect<TraceAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        let inside = inside(placed)
        switch mouse.action {
        case .scrollDown, .scrollUp:
            let rows = mouse.action == .scrollDown ? 3 : -3
            return scroll(placed.pane, by: rows)
        case .press, .doubleClick:
            if placed.pane != .overview { pane = placed.pane }
            layoutPanes()
            return press(at: mouse.point, in: inside, opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func scroll(_ pane: Pane, by rows: Int) -> [Effect<TraceAnswer>] {
        switch pane {
        case .runs:
            runs.list.scroll(by: rows)
            return fetchRows() + readOverview()
        case .run:
            let before = run?.selected
            run?.move { $0.move { $0.scroll(by: rows) } }
            return run?.selected == before ? [] : readStep()
        case .context, .detail:
            text.scroll(by: rows)
            return advanceText()
        case .overview: return []
        }
    }

    private mutating func press(at point: Point, in inside: Rect, opening: Bool) -> [Effect<TraceAnswer>] {
        switch pane {
        case .runs:
            if let line = listParts(in: inside).scopes, line.contains(point) {
                let hit = placedScopes(in: line).first { $0.columns.contains(point.column) }
                return hit.map { show(scope: $0.scope) } ?? []
            }
            let (table, rows) = listTable(in: inside)
            if let column = table.column(at: point, in: rows), let order = columns[column].order {
                runs.order = TraceOrder(
                    order, isDescending: runs.order.column == order ? !runs.order.isDescending : true)
                return reloadRuns()
            }
            guard let row = runs.list.row(at: point, in: table.rowsArea(in: rows)) else { return [] }
            runs.list.select(row)
            return opening ? perform(.open) : fetchRows() + readOverview()
        case .run:
            let rows = WaterfallView.rowsArea(in: inside)
            guard let hit = run?.tree.tree.node(at: point, in: rows) else { return [] }
            if hit.isMark { run?.tree.tree.toggle(hit.node) } else { run?.tree.tree.select(hit.node) }
            run?.followTime()
            return readStep() + (opening ? perform(.open) : [])
        case .overview: return opening ? perform(.open) : []
        case .context, .detail: return []
        }
    }
}
