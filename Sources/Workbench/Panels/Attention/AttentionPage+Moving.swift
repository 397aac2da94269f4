internal import Console

extension AttentionPage {
    /// Returns the number of rows in a page of a pane.
    private func pageRows(of pane: PaneName) -> Int {
        switch pane {
        case .tokens: max(1, tokens.height - 2)
        case .heads: 4
        case .head, .reading: 10
        }
    }

    mutating func moveRows(_ motion: Motion) {
        guard let run else { return }
        let far = 1 << 30
        let step =
            switch motion {
            case .rows(let rows): rows
            case .pages(let pages): pages * pageRows(of: screen.focus)
            case .start: -far
            case .end: far
            case .columns: 0
            }
        switch screen.focus {
        case .head: tokens.moveCursor(to: token.moved(by: step, in: run.tokens.count))
        case .tokens: tokens.moveRows(by: step)
        case .heads, .reading:
            if screen.focus == .reading, request.tab == .lens, let lens = look?.lens {
                lensRow = lensRow.moved(by: step, in: lens.layers.count)
            } else {
                select(layer: request.layer.moved(by: step, in: run.layers), head: request.head)
            }
        }
    }

    mutating func moveColumns(by step: Int) {
        guard let run else { return }
        switch screen.focus {
        case .heads: select(layer: request.layer, head: request.head.moved(by: step, in: run.heads))
        case .head: key = key.moved(by: step, in: run.tokens.count)
        case .tokens, .reading: tokens.move(by: step)
        }
    }

    mutating func select(layer: Int, head: Int) {
        guard let run else { return }
        request.layer = max(0, min(layer, run.layers - 1))
        request.head = max(0, min(head, run.heads - 1))
    }

    /// Keeps the cross inside the text and the window, and moves the cursor of the other text along.
    mutating func followCursor() {
        guard let run else { return }
        // Later keys are masked, so the key passes the query only while the user moves over the cells.
        key = max(0, min(key, screen.focus == .head ? run.tokens.count - 1 : token))
        request.window.reveal(query: token, key: key, of: run.readCount)
        if token < otherTokens.texts.count { otherTokens.moveCursor(to: token) }
    }

    /// Moves the cursor to the key of greatest weight.
    ///
    /// - Parameter isAsked: Whether a key requested it; `false` for a new text.
    mutating func standOnStrongest(isAsked: Bool = true) -> Work<Self> {
        guard let weights = look?.attended, look?.request.token == token,
            let best = weights.indices.max(by: { weights[$0] < weights[$1] })
        else { return [] }
        if best == key, isAsked { return .notify("the cursor is already on the key with the greatest weight") }
        key = best
        return []
    }

    mutating func openSelected() -> Work<Self> {
        guard run != nil else {
            return operation == nil && !order.isEmpty && !order.model.isEmpty ? start(order) : askText()
        }
        switch screen.focus {
        case .heads: screen.focus = .head
        case .head: tokens.moveCursor(to: key)
        case .tokens: screen.focus = .reading
        case .reading: turnReading(by: 1)
        }
        return []
    }

    package mutating func back() -> Work<Self>? {
        if !request.window.isWhole, screen.focus == .head {
            request.window.showAll()
            return []
        }
        if second != nil { return dropping { $0.closeSecond() } }
        switch screen.focus {
        case .head where run != nil: screen.focus = .heads
        case .reading where run != nil: screen.focus = .tokens
        default: return .back
        }
        return []
    }

    // MARK: What is shown

    mutating func nextMeasure() {
        // Only scores that the engine has computed.
        repeat { measure = measure.next } while look?.scores[measure] == nil && measure != .induction
    }

    mutating func turnReading(by step: Int) { show(readings.moved(request.tab, by: step)) }

    mutating func show(_ tab: ReadingTab) {
        request.tab = tab
        if !screen.isZoomed { screen.reveal(.reading) }
    }

    mutating func zoomWindow(isIn: Bool) {
        guard let run else { return }
        if isIn {
            request.window.zoomIn(query: token, key: key, of: run.readCount)
        } else {
            request.window.zoomOut(query: token, key: key, of: run.readCount)
        }
    }

    mutating func findText(forward: Bool) -> Work<Self> {
        guard let found = tokens.match(after: token, forward: forward) else {
            return .notify("\(search) was not found")
        }
        tokens.moveCursor(to: found)
        return []
    }

    // MARK: The mouse

    /// Returns whether a point is on the tile of a head.
    func hitsHead(at point: Point, in area: Rect) -> Bool { tiles?.place(at: point, in: tilesRoom(in: area)) != nil }

    mutating func pressHeads(at point: Point, in area: Rect) {
        guard let tile = tiles?.place(at: point, in: tilesRoom(in: area)) else { return }
        select(layer: tile.row, head: tile.column)
    }

    mutating func pressHead(at point: Point, in area: Rect) {
        // The screen's colors are unknown here, so assume a color theme, which has the smallest cells.
        guard let picture = look?.head, let map = headMap(picture, grid: picture.grid),
            let place = map.place(at: point, in: headRoom(in: area), theme: .dark)
        else { return }
        let pair = picture.pair(at: place)
        tokens.moveCursor(to: pair.query)
        key = pair.key
    }

    mutating func pressTokens(at point: Point, in area: Rect) {
        let parts = textParts(of: area)
        guard
            let token = tokens.token(at: point, in: parts.first) ?? otherTokens.token(at: point, in: parts.second)
        else { return }
        tokens.moveCursor(to: token)
    }
}

extension Int {
    /// Returns a position moved by a number of steps, clamped to a count.
    fileprivate func moved(by step: Int, in count: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(step)
        return Swift.max(0, Swift.min(overflow ? (step < 0 ? 0 : count - 1) : sum, count - 1))
    }
}
