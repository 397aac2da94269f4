internal import Console

extension AttentionPanel {
    /// Layout: all heads to the left of the large head, below them the text to the left of its reading. Narrow screens
    /// show one pane of each pair.
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

    /// Returns the rows of a lower pane with its frame; the heads get the rest.
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

    /// Before a text is read, the text and its hints take the whole area: the other panes would be empty.
    var placedPanes: [PaneTree<Pane>.Placed] {
        guard run != nil else { return PaneTree.pane(.tokens).areas(in: area) }
        return paneTree.areas(in: area, zoomed: isZoomed ? pane : nil)
    }

    /// Returns the content area of a pane without its margin; `nil` if the pane is hidden.
    func inside(_ pane: Pane) -> Rect? {
        placedPanes.first { $0.pane == pane }.map { inside($0) }
    }

    private func inside(_ placed: PaneTree<Pane>.Placed) -> Rect { Frame.inside(of: placed.area).inset(columns: 1) }

    mutating func place(_ area: Rect) -> [Effect<AttentionAnswer>] {
        self.area = area
        return relayout()
    }

    /// Updates the sizes of texts, and requests pictures of the visible sizes.
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

    /// Returns the width of a head's row labels: more in a wide pane, to show long tokens in full.
    static func labelColumns(of room: Rect) -> Int { max(13, min(20, room.columns / 5)) }
    /// Width of a reading's row labels.
    static let readingLabels = 11
    /// Width of a token in the lens.
    static let lensColumns = 9

    /// Size of a head's small map in cells; zero if only scores fit.
    private var miniSize: Size {
        guard let inside = inside(.heads), let run else { return Size(0, 0) }
        return HeatTiles.miniSize(rows: run.layers, columns: run.heads, in: tilesRoom(in: inside))
    }

    /// Returns the area of the heads' tiles, above the legend.
    func tilesRoom(in inside: Rect) -> Rect {
        var room = inside
        _ = room.takeBottom(min(1, room.rows / 3))
        return room
    }

    /// Returns the area of the large head's cells, between the line with its numbers and the legend.
    func headRoom(in inside: Rect) -> Rect {
        var room = inside
        _ = room.takeTop(min(2, room.rows / 4))
        _ = room.takeBottom(min(2, room.rows / 4))
        return room
    }

    /// Returns the areas of the text, of the other text in a comparison, and of the legend below.
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
            // The screen's colors are unknown here, so assume a color theme, which has the smallest cells.
            guard let picture = look?.head, let map = headMap(picture, grid: picture.grid),
                let place = map.place(at: mouse.point, in: headRoom(in: inside), theme: .dark)
            else { return [] }
            let pair = picture.pair(at: place)
            tokens.moveCursor(to: pair.query)
            key = pair.key
        case .tokens:
            let parts = textParts(of: inside)
            guard
                let token = tokens.token(at: mouse.point, in: parts.first)
                    ?? otherTokens.token(at: mouse.point, in: parts.second)
            else { return [] }
            tokens.moveCursor(to: token)
        case .reading: return []
        }
        return cursorMoved()
    }
}
