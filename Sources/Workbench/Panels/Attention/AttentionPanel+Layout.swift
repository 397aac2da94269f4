internal import Console

extension AttentionPanel {
    /// How the panes divide the area: all heads beside the large one, below them the text beside what is read of it;
    /// narrow screens show one of each two.
    var paneTree: PaneTree<Pane> {
        guard area.columns >= 110 else {
            guard area.rows >= 18 else { return .pane(pane) }
            if let rows = scoreRows { return .rows([.init(.fixed(rows), .heads), .init(.weight(1), lowerPane)]) }
            let lower = max(7, min(area.rows * 5 / 11, lowerRows(of: lowerPane)))
            return .rows([.init(.weight(1), upperPane), .init(.fixed(lower), lowerPane)])
        }
        let head = Extent.weight(1, minimum: 44)
        let lower = max(9, min(area.rows * 2 / 5, max(lowerRows(of: .tokens), lowerRows(of: .reading))))
        return .rows([
            .init(.weight(1), .columns([.init(.weight(1), .heads), .init(head, .head)])),
            .init(.fixed(lower), .columns([.init(.weight(1), .tokens), .init(.weight(1), .reading)])),
        ])
    }

    /// Rows of the head list with its frame, if there is room only for scores.
    private var scoreRows: Int? {
        guard upperPane == .heads, let run else { return nil }
        let room = Rect(column: 0, row: 0, columns: area.columns - 4, rows: area.rows * 6 / 11 - 3)
        guard HeatTiles.miniSize(rows: run.layers, columns: run.heads, in: room).rows == 0 else { return nil }
        return min(run.layers + 4, area.rows * 6 / 11)
    }

    /// Rows of a lower pane with its frame; the heads get the rest.
    private func lowerRows(of pane: Pane) -> Int {
        guard let run else { return 9 }
        if pane == .tokens {
            let texts = max(tokens.rowCount, second == nil ? 0 : otherTokens.rowCount)
            return 2 + texts + 2 + noteLines(columns: (area.columns >= 110 ? area.columns / 2 : area.columns) - 4).count
        }
        switch request.tab {
        case .token: return 2 + 3 + Self.strongest + (request.range == nil ? 0 : 2)
        case .lens: return 2 + 3 + run.layers + 3
        case .norms: return 2 + 3 + max(6, run.layers)
        case .experts: return 2 + 3 + max(6, run.experts)
        case .sums: return 2 + 10
        }
    }

    /// Number of keys listed for a token.
    static let strongest = 8

    /// Before a text is read, the text and what to do have the whole area: the other panes would be empty.
    var placedPanes: [PaneTree<Pane>.Placed] {
        guard run != nil else { return PaneTree.pane(.tokens).areas(in: area) }
        return paneTree.areas(in: area, zoomed: isZoomed ? pane : nil)
    }

    /// The inside of a pane, with air at its sides; nil where it is not shown.
    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { inside($0) }
    }

    private func inside(_ placed: PaneTree<Pane>.Placed) -> Rect { Frame.inside(of: placed.area).inset(columns: 1) }

    mutating func place(_ area: Rect) -> [Effect<AttentionAnswer>] {
        self.area = area
        return relayout()
    }

    /// Tells texts how much room they have, and asks for pictures of the sizes that are shown now.
    mutating func relayout() -> [Effect<AttentionAnswer>] {
        switch pane {
        case .heads, .head: upperPane = pane
        case .tokens, .reading: lowerPane = pane
        }
        if let inside = inside(.tokens) {
            let parts = textParts(of: inside)
            tokens.setWidth(parts.first.columns)
            tokens.height = parts.first.rows
            otherTokens.setWidth(parts.second.columns)
            otherTokens.height = parts.second.rows
        }
        request.token = token
        let mini = miniSize
        (request.miniRows, request.miniColumns) = (2 * mini.rows, mini.columns)
        if let inside = inside(.head) {
            let room = headRoom(in: inside)
            request.rows = 2 * max(0, room.rows - 1)
            request.columns = max(0, room.columns - Self.labelColumns(of: room))
        } else {
            request.rows = 0
        }
        request.positions = inside(.reading).map { max(0, $0.columns - Self.readingLabels) } ?? 0
        return ask()
    }

    /// Columns for the row labels of a head: more in a wide pane, so that long tokens are shown whole.
    static func labelColumns(of room: Rect) -> Int { max(13, min(20, room.columns / 5)) }
    /// Columns for the row labels of a reading.
    static let readingLabels = 11
    /// Columns of a token in the lens.
    static let lensColumns = 9

    /// Cells of the screen that a small head has; none where there is room for scores only.
    private var miniSize: Size {
        guard let inside = inside(.heads), let run else { return Size(0, 0) }
        return HeatTiles.miniSize(rows: run.layers, columns: run.heads, in: tilesRoom(in: inside))
    }

    /// The tiles of the heads, above their legend.
    func tilesRoom(in inside: Rect) -> Rect {
        var room = inside
        _ = room.takeBottom(min(1, room.rows / 3))
        return room
    }

    /// The cells of the large head, between the line with its numbers and the legend.
    func headRoom(in inside: Rect) -> Rect {
        var room = inside
        _ = room.takeTop(min(2, room.rows / 4))
        _ = room.takeBottom(min(2, room.rows / 4))
        return room
    }

    /// The text, the other text of a comparison, and the legend below them.
    func textParts(of inside: Rect) -> (first: Rect, second: Rect, legend: Rect) {
        var text = inside
        let noted = text.rows >= 6 ? noteLines(columns: text.columns).count : 0
        let legend = text.takeBottom(min(1 + noted, (text.rows + 1) / 3))
        if text.rows > 4 { _ = text.takeBottom(1) }
        guard second != nil else { return (text, Rect(Size(0, 0)), legend) }
        if text.columns >= 60 {
            let left = text.takeLeft((text.columns - 3) / 2)
            _ = text.takeLeft(3)
            return (left, text, legend)
        }
        let upper = text.takeTop((text.rows - 1) / 2)
        _ = text.takeTop(1)
        return (upper, text, legend)
    }

    // MARK: The mouse

    mutating func click(_ mouse: Mouse) -> [Effect<AttentionAnswer>] {
        guard let placed = placedPanes.first(where: { $0.area.contains(mouse.point) }) else { return [] }
        let inside = inside(placed)
        switch mouse.action {
        case .scrollDown, .scrollUp:
            let step = mouse.action == .scrollDown ? 3 : -3
            if placed.pane == .tokens {
                tokens.scroll(by: step)
                otherTokens.scroll(by: step)
                return []
            }
            guard placed.pane == .head else { return [] }
            return perform(mouse.action == .scrollDown ? .zoomOut : .zoomIn)
        case .press, .doubleClick:
            pane = placed.pane
            return press(mouse, in: inside) + relayout()
        case .release, .drag: return []
        }
    }

    private mutating func press(_ mouse: Mouse, in inside: Rect) -> [Effect<AttentionAnswer>] {
        switch pane {
        case .heads:
            guard let tile = tiles?.place(at: mouse.point, in: tilesRoom(in: inside)) else { return [] }
            select(layer: tile.row, head: tile.column)
            if mouse.action == .doubleClick { pane = .head }
        case .head:
            // The colors of the screen are not known here; a theme that has them has the finest cells.
            guard let picture = look?.head, let map = headMap(picture, grid: picture.grid),
                let place = map.place(at: mouse.point, in: headRoom(in: inside), theme: .dark)
            else { return [] }
            let pair = picture.pair(at: place)
            tokens.stand(on: pair.query)
            key = pair.key
        case .tokens:
            let parts = textParts(of: inside)
            guard
                let token = tokens.token(at: mouse.point, in: parts.first)
                    ?? otherTokens.token(at: mouse.point, in: parts.second)
            else { return [] }
            tokens.stand(on: token)
        case .reading: return []
        }
        return cursorMoved()
    }
}
