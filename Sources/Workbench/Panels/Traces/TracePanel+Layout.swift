internal import Console
internal import Traces

extension TracePanel {
    /// How the panes divide the area that there is.
    ///
    /// Without an open run the list has it all. With one, wide screens keep the list at the side and show the context
    /// as bars; narrow ones give tree and text the width and leave the list to Tab.
    var paneTree: PaneTree<Pane> {
        guard run != nil else { return .pane(.runs) }
        let isWide = area.columns >= 110
        let upper = max(8, area.rows / 2)
        guard isWide else {
            if pane == .runs { return .pane(.runs) }
            guard area.rows >= 18 else { return pane == .run ? .pane(.run) : .pane(pane) }
            return .rows([
                .init(.fixed(max(7, area.rows * 2 / 5)), .run), .init(.fixed(4), .context), .init(.weight(1), .detail),
            ])
        }
        let side = min(44, max(34, area.columns / 4))
        return .rows([
            .init(.fixed(upper), .columns([.init(.fixed(side), .runs), .init(.weight(1), .run)])),
            .init(
                .weight(1),
                .columns([.init(.fixed(min(52, area.columns * 2 / 5)), .context), .init(.weight(1), .detail)])),
        ])
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    /// The inside of a pane's border.
    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { $0.area.inset(columns: 1, rows: 1) }
    }

    mutating func place(_ area: Rect) -> [Effect<TraceAnswer>] {
        self.area = area
        layoutPanes()
        return fetchRows() + advanceText()
    }

    /// Tells lists and texts how much room they have.
    mutating func layoutPanes() {
        if let inside = inside(.runs) { runs.list.height = runsTable.rowsArea(in: inside).rows }
        if let inside = inside(.run) { run?.tree.tree.setHeight(max(0, inside.rows - 1)) }
        if let inside = inside(.detail) { text.layout(inside.inset(columns: 1).size) }
    }

    mutating func click(_ mouse: Mouse) -> [Effect<TraceAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        let inside = placed.area.inset(columns: 1, rows: 1)
        switch mouse.action {
        case .scrollDown, .scrollUp:
            let rows = mouse.action == .scrollDown ? 3 : -3
            return scroll(placed.pane, by: rows)
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(at: mouse.point, in: inside, opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func scroll(_ pane: Pane, by rows: Int) -> [Effect<TraceAnswer>] {
        switch pane {
        case .runs:
            runs.list.scroll(by: rows)
            return fetchRows()
        case .run:
            let before = run?.selected
            run?.tree.tree.move { $0.scroll(by: rows) }
            return run?.selected == before ? [] : readStep()
        case .context, .detail:
            text.scroll(by: rows)
            return advanceText()
        }
    }

    private mutating func press(at point: Point, in inside: Rect, opening: Bool) -> [Effect<TraceAnswer>] {
        switch pane {
        case .runs:
            if let column = runsTable.column(at: point, in: inside), let order = Self.columns[column].order {
                runs.order = TraceOrder(
                    order, isDescending: runs.order.column == order ? !runs.order.isDescending : true)
                return reloadRuns()
            }
            guard let row = runs.list.row(at: point, in: runsTable.rowsArea(in: inside)) else { return [] }
            runs.list.select(row)
            return opening ? perform(.open) : fetchRows()
        case .run:
            var rows = inside
            _ = rows.takeTop(1)
            guard let hit = run?.tree.tree.node(at: point, in: rows) else { return [] }
            if hit.isMark { run?.tree.tree.toggle(hit.node) } else { run?.tree.tree.select(hit.node) }
            return readStep() + (opening ? perform(.open) : [])
        case .context, .detail: return []
        }
    }
}
