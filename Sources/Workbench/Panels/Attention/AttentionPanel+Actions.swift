internal import Console

extension AttentionPanel {
    mutating func perform(_ action: AttentionAction) -> [Effect<AttentionAnswer>] {
        dropsChanges(action) ? [askDrop(before: action)] : carryOut(action)
    }

    mutating func carryOut(_ action: AttentionAction) -> [Effect<AttentionAnswer>] {
        switch action {
        case .moveDown: return moveRows(by: 1)
        case .moveUp: return moveRows(by: -1)
        case .pageDown: return moveRows(by: pageRows)
        case .pageUp: return moveRows(by: -pageRows)
        case .toTop: return moveRows(by: -Self.far)
        case .toEnd: return moveRows(by: Self.far)
        case .left: return moveColumns(by: -1)
        case .right: return moveColumns(by: 1)
        case .open: return openSelected()
        case .back: return back()
        case .nextPane: return turnPane(by: 1)
        case .previousPane: return turnPane(by: -1)
        case .zoom:
            isZoomed.toggle()
            return relayout()
        case .prompt: return askText()
        case .editPrompt: return editPrompt()
        case .model: return askModel(.model)
        case .run: return start(order, isSecond: false)
        case .play: return work == .generating ? [.cancel(key: Work.key)] : generate(nil)
        case .step: return generate(1)
        case .stepBack: return stepBack()
        case .cancel: return [.cancel(key: Work.key)]
        case .toggleHead: return toggleHead()
        case .scaleHead: return askScale()
        case .resetHeads:
            changes = []
            return closeSecond() + [.notify("restored all heads")]
        case .compare:
            let hadChanges = !changes.isEmpty
            guard second != nil else { return [askOther()] }
            // After the question about changed heads, d asks what to compare with; otherwise d ends the comparison.
            return closeSecond() + (hadChanges ? [askOther()] : [])
        case .side:
            shown = shown.next
            shadeTokens()
            return []
        case .measure:
            // Only scores that the engine has computed.
            repeat { measure = measure.next } while look?.scores[measure] == nil && measure != .induction
            return []
        case .weighting:
            request.isWeighted.toggle()
            return ask()
        case .pooling:
            request.pooling = request.pooling == .max ? .mean : .max
            return ask()
        case .shading:
            shading = shading.next(hasDivergence: looks?.divergence != nil)
            shadeTokens()
            return ask()
        case .nextReading: return show(readings.moved(request.tab, by: 1))
        case .previousReading: return show(readings.moved(request.tab, by: -1))
        case .sums: return show(request.tab == .sums ? .token : .sums)
        case .target: return askTarget()
        case .range: return askRange()
        case .zoomIn: return changeWindow { $0.zoomIn(query: $1, key: $2, of: $3) }
        case .zoomOut: return changeWindow { $0.zoomOut(query: $1, key: $2, of: $3) }
        case .whole: return changeWindow { window, _, _, _ in window.showAll() }
        case .strongest: return standOnStrongest()
        case .search: return [.prompt(line(.search, "/", history: "search"))]
        case .nextMatch: return findText(forward: true)
        case .previousMatch: return findText(forward: false)
        case .copy: return [.copy((run?.tokens ?? []).joined(), what: "the text")]
        case .export:
            return [
                .fill(
                    FormRequest(
                        export: "Export the chart", name: "\(chartName).csv", endings: [".csv", ".safetensors", ".svg"]
                    ) { .line(.export, $0) })
            ]
        }
    }

    // MARK: Moving

    private static let far = 1 << 30

    private var pageRows: Int {
        switch pane {
        case .tokens: max(1, tokens.height - 2)
        case .heads: 4
        case .head, .reading: 10
        }
    }

    private mutating func moveRows(by step: Int) -> [Effect<AttentionAnswer>] {
        guard let run else { return [] }
        switch pane {
        case .heads: select(layer: request.layer.moved(by: step, in: run.layers), head: request.head)
        case .head: tokens.moveCursor(to: token.moved(by: step, in: run.tokens.count))
        case .tokens: tokens.moveRows(by: step)
        case .reading:
            if request.tab == .lens, let lens = look?.lens {
                lensRow = lensRow.moved(by: step, in: lens.layers.count)
                return []
            }
            select(layer: request.layer.moved(by: step, in: run.layers), head: request.head)
        }
        return cursorMoved()
    }

    private mutating func moveColumns(by step: Int) -> [Effect<AttentionAnswer>] {
        guard let run else { return [] }
        switch pane {
        case .heads: select(layer: request.layer, head: request.head.moved(by: step, in: run.heads))
        case .head: key = key.moved(by: step, in: run.tokens.count)
        case .tokens, .reading: tokens.move(by: step)
        }
        return cursorMoved()
    }

    mutating func select(layer: Int, head: Int) {
        guard let run else { return }
        request.layer = max(0, min(layer, run.layers - 1))
        request.head = max(0, min(head, run.heads - 1))
    }

    /// Moves the cursor to the key of greatest weight.
    ///
    /// - Parameter isAsked: Whether a key requested it; `false` for a new text.
    mutating func standOnStrongest(isAsked: Bool = true) -> [Effect<AttentionAnswer>] {
        guard let weights = look?.attended, look?.request.token == token,
            let best = weights.indices.max(by: { weights[$0] < weights[$1] })
        else { return [] }
        guard best != key else {
            return isAsked ? [.notify("the cursor is already on the key with the greatest weight")] : []
        }
        key = best
        return cursorMoved()
    }

    private mutating func turnPane(by step: Int) -> [Effect<AttentionAnswer>] {
        let all = Pane.allCases
        pane = all[((all.firstIndex(of: pane) ?? 0) + step + all.count) % all.count]
        return relayout()
    }

    private mutating func openSelected() -> [Effect<AttentionAnswer>] {
        guard run != nil else {
            if work == nil, !order.isEmpty, !order.model.isEmpty { return start(order, isSecond: false) }
            return askText()
        }
        switch pane {
        case .heads: pane = .head
        case .head:
            tokens.moveCursor(to: key)
            return cursorMoved()
        case .tokens: pane = .reading
        case .reading: return show(readings.moved(request.tab, by: 1))
        }
        return relayout()
    }

    private mutating func back() -> [Effect<AttentionAnswer>] {
        if isZoomed {
            isZoomed = false
        } else if !request.window.isWhole, pane == .head {
            return changeWindow { window, _, _, _ in window.showAll() }
        } else if second != nil {
            return closeSecond()
        } else {
            switch pane {
            case .head: pane = .heads
            case .reading: pane = .tokens
            case .heads, .tokens: return [.back]
            }
        }
        return relayout()
    }

    private mutating func show(_ tab: ReadingTab) -> [Effect<AttentionAnswer>] {
        request.tab = tab
        if isZoomed || placedPanes.contains(where: { $0.pane == .reading }) {
        } else {
            pane = .reading
        }
        return relayout()
    }

    private mutating func changeWindow(
        _ change: (inout HeadWindow, _ query: Int, _ key: Int, _ count: Int) -> Void
    ) -> [Effect<AttentionAnswer>] {
        guard let run else { return [] }
        change(&request.window, token, key, run.readCount)
        return ask()
    }

    // MARK: Finding

    mutating func findText(forward: Bool) -> [Effect<AttentionAnswer>] {
        guard let found = tokens.match(after: token, forward: forward) else {
            return [.notify("\(search) was not found", .information)]
        }
        tokens.moveCursor(to: found)
        return cursorMoved()
    }

    static func text(_ range: Range<Int>) -> String { "\(range.lowerBound)-\(range.upperBound - 1)" }
}

extension Int {
    /// Returns a position moved by a number of steps, clamped to a count.
    fileprivate func moved(by step: Int, in count: Int) -> Int {
        let (sum, overflow) = addingReportingOverflow(step)
        return Swift.max(0, Swift.min(overflow ? (step < 0 ? 0 : count - 1) : sum, count - 1))
    }
}
