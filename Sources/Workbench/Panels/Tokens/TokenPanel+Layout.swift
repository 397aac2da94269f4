internal import Console

extension TokenPanel {
    /// How the panes divide the area: the sessions at the left, the text beside them, below it what the token under the
    /// cursor might have been and how the model runs; narrow screens show one of the two lower panes.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 110 else {
            guard area.rows >= 18 else { return .pane(pane) }
            let left = min(28, area.columns / 3)
            return .rows([
                .init(
                    .weight(3), .columns([.init(.fixed(left), .sessions), .init(.weight(1), .text)])),
                .init(.fixed(max(9, area.rows * 9 / 20)), lowerPane),
            ])
        }
        let left = min(48, max(34, area.columns / 4))
        let live = min(60, max(36, area.columns * 3 / 10))
        return .columns([
            .init(.fixed(left), .sessions),
            .init(
                .weight(1),
                .rows([
                    .init(.weight(1), .text),
                    .init(
                        .fixed(max(11, area.rows * 2 / 5)),
                        .columns([.init(.weight(1), .alternatives), .init(.fixed(live), .live)])),
                ])),
        ])
    }

    var placedPanes: [PaneTree<Pane>.Placed] { paneTree.areas(in: area, zoomed: isZoomed ? pane : nil) }

    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { $0.area.inset(columns: 1, rows: 1) }
    }

    mutating func place(_ area: Rect) -> [Effect<TokenAnswer>] {
        self.area = area
        layoutPanes()
        return []
    }

    /// Tells lists and texts how much room they have.
    mutating func layoutPanes() {
        if pane == .alternatives || pane == .live { lowerPane = pane }
        if let inside = inside(.sessions) { tree.list.height = SessionTree.table.rowsArea(in: inside).rows }
        if let inside = inside(.text) {
            let parts = textParts(of: inside)
            text.setWidth(parts.text.columns)
            text.height = parts.text.rows
            compared?.text.setWidth(parts.other.columns)
            compared?.text.height = parts.other.rows
        }
        if let inside = inside(.alternatives) { alternatives.height = max(0, alternativeRows(of: inside).rows - 1) }
        alternatives.count = step.map { AlternativesTable.rows(of: $0.step).count } ?? 0
        operations.count = live?.operations.count ?? 0
        if let inside = inside(.live) { operations.height = LiveView.operationRows(in: inside).rows }
    }

    /// The text, the other text of a comparison, and the line below them.
    func textParts(of inside: Rect) -> (text: Rect, other: Rect, legend: Rect) {
        var text = inside.inset(columns: 1)
        let legend = text.takeBottom(min(1, text.rows))
        guard compared != nil else { return (text, Rect(Size(0, 0)), legend) }
        var other = text
        let left = other.takeLeft((text.columns - 3) / 2)
        _ = other.takeLeft(3)
        return (left, other, legend)
    }

    /// Where the table of alternatives stands, below the line that names the processors.
    func alternativeRows(of inside: Rect) -> Rect {
        var rows = inside
        _ = rows.takeTop(min(2, rows.rows))
        return rows
    }

    mutating func click(_ mouse: Mouse) -> [Effect<TokenAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        let inside = placed.area.inset(columns: 1, rows: 1)
        switch mouse.action {
        case .scrollDown, .scrollUp:
            let rows = mouse.action == .scrollDown ? 3 : -3
            switch placed.pane {
            case .sessions: tree.list.scroll(by: rows)
            case .text: text.scroll(by: rows)
            case .alternatives: alternatives.scroll(by: rows)
            case .live: operations.scroll(by: rows)
            }
            return []
        case .press, .doubleClick:
            pane = placed.pane
            layoutPanes()
            return press(at: mouse.point, in: inside, opening: mouse.action == .doubleClick)
        default: return []
        }
    }

    private mutating func press(at point: Point, in inside: Rect, opening: Bool) -> [Effect<TokenAnswer>] {
        switch pane {
        case .sessions:
            guard let row = tree.list.row(at: point, in: SessionTree.table.rowsArea(in: inside)) else { return [] }
            tree.list.select(row)
            return opening ? perform(.open) : []
        case .text:
            if let item = text.item(at: point, in: textParts(of: inside).text) {
                text.stand(at: item)
                cursorMoved()
            }
            return []
        case .alternatives:
            guard let step else { return [] }
            let rows = AlternativesTable(step: step.step).table.rowsArea(in: alternativeRows(of: inside))
            guard let row = alternatives.row(at: point, in: rows) else { return [] }
            alternatives.select(row)
            return opening ? perform(.open) : []
        case .live:
            if let row = operations.row(at: point, in: LiveView.operationRows(in: inside)) { operations.select(row) }
            return opening ? perform(.open) : []
        }
    }
}
