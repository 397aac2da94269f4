internal import Console
internal import Evals
internal import Traces

extension EvalPanel {
    mutating func perform(_ action: EvalAction) -> [Effect<EvalAnswer>] {
        switch action {
        case .moveDown: move({ $0.move(by: 1) }, scrolling: { $0.scroll(by: 1) }, along: (1, 0))
        case .moveUp: move({ $0.move(by: -1) }, scrolling: { $0.scroll(by: -1) }, along: (-1, 0))
        case .pageDown: move({ $0.movePages(1) }, scrolling: { $0.scrollPages(by: 1) }, along: (4, 0))
        case .pageUp: move({ $0.movePages(-1) }, scrolling: { $0.scrollPages(by: -1) }, along: (-4, 0))
        case .toTop: move({ $0.moveToStart() }, scrolling: { $0.scrollToTop() }, along: (-10_000, 0))
        case .toEnd: move({ $0.moveToEnd() }, scrolling: { $0.scrollToEnd() }, along: (10_000, 0))
        case .left: sideways(by: -1)
        case .right: sideways(by: 1)
        case .open: openSelected()
        case .back: back()
        case .nextPane: turnPane(by: 1)
        case .previousPane: turnPane(by: -1)
        case .zoom: toggleZoom()
        case .nextRegression: nextRegression(forward: true)
        case .previousRegression: nextRegression(forward: false)
        case .filter: askFilter()
        case .nextMatch: nextMatch(forward: true)
        case .previousMatch: nextMatch(forward: false)
        case .mark: toggleMark()
        case .diff: compareMarked()
        case .baseline: askBaseline()
        case .matrix: showMatrix()
        case .queue: showQueue()
        case .failures: showFailures()
        case .sides: showSides()
        case .view: nextView()
        case .chart: changeChart(by: 1)
        case .previousChart: changeChart(by: -1)
        case .formula: page == .queue ? say(.fail) : toggleFormulas()
        case .sort: page == .queue ? say(.skipped) : sortRuns()
        case .toggleWrap: readText { $0.setWraps(!$0.wraps) }
        case .run: [askTask()]
        case .stop: askStop()
        case .resume: target?.isPaused == true ? pauseRun() : startAgain { .rest(of: $0) }
        case .again: startAgain { .errors(of: $0) }
        case .failedAgain: startAgain { .failed(of: $0) }
        case .pause: pauseRun()
        case .more: changeConcurrency(by: 1)
        case .fewer: changeConcurrency(by: -1)
        case .grade: askGrade()
        case .pass: say(.pass)
        case .undo: undoRating()
        case .comment: [askText("Note on the sample", "why", Escape.printable(queue.entry?.own?.note ?? ""), .comment)]
        case .openLog:
            [
                .browse(
                    FileRequest(
                        "Open an eval log", .fileOrFolder,
                        isExpected: { name in [".eval", ".json", ".jsonl"].contains { name.hasSuffix($0) } },
                        cancelled: EvalAnswer.lineCancelled
                    ) { .line(.open, $0) })
            ]
        case .elsewhere: openElsewhere()
        case .copy: copy()
        case .export: askExport()
        case .rename: askRename()
        case .delete: askDelete()
        }
    }

    package static var commands: [String] { ["open", "note"] }

    package mutating func run(command: String, words: [String]) -> [Effect<EvalAnswer>]? {
        let typed = words.joined(separator: " ")
        guard !typed.isEmpty else { return nil }
        switch command {
        case "open": return openLog(PathCompletion.expanded(typed))
        case "note": return page == .queue ? accept(.comment, typed) : nil
        default: return nil
        }
    }

    // MARK: Moving

    private mutating func move(
        _ change: (inout ListView) -> Void, scrolling scroll: (inout TextView) -> Void, along step: (Int, Int)
    ) -> [Effect<EvalAnswer>] {
        switch pane {
        case .runs:
            change(&runs.list)
            return followRun()
        case .samples:
            change(&samples)
            return followSample()
        case .pairs:
            change(&diff.list)
            return followPair()
        case .rows: return moveSides(change)
        case .causes:
            change(&failures.list)
            return followFailure()
        case .steps: change(&steps)
        case .matrix: moveMatrix(step)
        case .chart, .agreement: break
        case .about, .sample, .before, .after, .queue, .left, .right, .cause: return readText(scroll)
        }
        return []
    }

    private mutating func moveMatrix(_ step: (Int, Int)) {
        matrix.cursor.row = max(0, min(matrix.rows.count - 1, matrix.cursor.row + step.0))
        matrix.cursor.column = max(0, min(matrix.columns.count - 1, matrix.cursor.column + step.1))
        if let entry = matrix.selected { runs.select(entry.id) }
    }

    private mutating func sideways(by step: Int) -> [Effect<EvalAnswer>] {
        switch page {
        case .matrix:
            moveMatrix((0, step))
            return []
        case .queue:
            queue.move(by: step)
            return followSample()
        case .sides where pane == .rows:
            sides.side = step < 0 ? .left : .right
            return []
        case .samples where pane == .sample && text.wraps:
            samples.move(by: step)
            return followSample()
        default: return isReadingText ? readText { $0.scrollSideways(by: step * 8) } : []
        }
    }

    /// Does something with the text that has the keys.
    mutating func readText(_ change: (inout TextView) -> Void) -> [Effect<EvalAnswer>] {
        switch pane {
        case .before: change(&diff.before)
        case .after: change(&diff.after)
        case .left, .right:
            // Both are read together.
            change(&sides.before)
            change(&sides.after)
        case .cause: change(&failures.text)
        default: change(&text)
        }
        return advanceText()
    }

    private mutating func openSelected() -> [Effect<EvalAnswer>] {
        switch page {
        case .runs:
            guard let entry = runs.selected else { return [] }
            return readSamples(of: entry.id)
        case .matrix:
            guard let entry = matrix.selected else { return [] }
            runs.select(entry.id)
            return readSamples(of: entry.id)
        case .samples, .queue: return askTrace(step: pane == .steps ? steps.selection : nil, isOffer: false)
        case .diff where pane == .pairs: return showSides()
        case .diff: return askTraceOfPair(isBefore: pane == .before, isOffer: false)
        case .sides: return openSide()
        case .failures: return openFailure()
        }
    }

    mutating func go(to page: Page) {
        self.page = page
        isZoomed = false
        layoutPanes()
    }

    private mutating func readSamples(of id: Int64) -> [Effect<EvalAnswer>] {
        go(to: .samples)
        origin = nil
        pane = .samples
        return (open?.id == id ? followSample() : show(id)) + showText()
    }

    private mutating func back() -> [Effect<EvalAnswer>] {
        if isZoomed { return toggleZoom() }
        let first = Self.panes(of: page)[0]
        guard pane == first else {
            pane = first
            layoutPanes()
            return advanceText()
        }
        switch page {
        case .samples:
            let from = origin
            origin = nil
            if open?.filter.isEmpty == false {
                let effects = setFilter("")
                guard from == .failures else { return effects }
                go(to: .failures)
                return effects + followFailure() + advanceText()
            }
            go(to: .runs)
            if let open { runs.select(open.id) }
        case .sides:
            go(to: .diff)
            return followPair() + advanceText()
        case .runs where !runs.filter.isEmpty: return setRunFilter("")
        case .runs: return [.back]
        case .diff, .matrix: go(to: .runs)
        case .failures, .queue:
            go(to: origin ?? .runs)
            origin = nil
            if page == .diff { return followPair() + advanceText() }
        }
        return showText() + followRun() + followSample()
    }

    private mutating func turnPane(by step: Int) -> [Effect<EvalAnswer>] {
        let all = Self.panes(of: page)
        pane = all[((all.firstIndex(of: pane) ?? 0) + step + all.count) % all.count]
        if pane == .left { sides.side = .left }
        if pane == .right { sides.side = .right }
        layoutPanes()
        return advanceText()
    }

    private mutating func toggleZoom() -> [Effect<EvalAnswer>] {
        isZoomed.toggle()
        layoutPanes()
        return advanceText() + askPage()
    }

    private mutating func nextRegression(forward: Bool) -> [Effect<EvalAnswer>] {
        if page == .sides { return nextSides(forward: forward) }
        if page == .diff {
            guard let place = diff.broken(forward: forward) else { return [] }
            diff.list.select(place)
            return followPair()
        }
        guard let place = open?.landmark(from: samples.selection, forward: forward) else { return [] }
        samples.select(place)
        return followSample()
    }

    private mutating func nextMatch(forward: Bool) -> [Effect<EvalAnswer>] {
        // Where two traces stand side by side, what is looked for is where they part.
        if page == .sides { return nextDifference(forward: forward) }
        guard isReadingText else {
            let before = samples.selection
            samples.move(by: forward ? 1 : -1)
            guard samples.selection != before else {
                return [.notify("already at the \(forward ? "last" : "first") listed sample")]
            }
            return followSample()
        }
        return readText { if forward { $0.findNext() } else { $0.findPrevious() } }
    }
}
