internal import Console
internal import Presentation
internal import System
internal import Traces

extension TracePanel {
    mutating func perform(_ action: TraceAction) -> [Effect<TraceAnswer>] {
        switch action {
        case .moveDown: move({ $0.move(by: 1) }, scrolling: { $0.scroll(by: 1) })
        case .moveUp: move({ $0.move(by: -1) }, scrolling: { $0.scroll(by: -1) })
        case .pageDown: move({ $0.movePages(1) }, scrolling: { $0.scrollPages(by: 1) })
        case .pageUp: move({ $0.movePages(-1) }, scrolling: { $0.scrollPages(by: -1) })
        case .toTop: move({ $0.moveToStart() }, scrolling: { $0.scrollToTop() })
        case .toEnd: move({ $0.moveToEnd() }, scrolling: { $0.scrollToEnd() })
        case .left: turnBranch({ $0.closeOrAscend() }, scrolling: -8)
        case .right: turnBranch({ $0.openOrDescend() }, scrolling: 8)
        case .open: openSelection()
        case .back: back()
        case .nextPane: turnPane(by: 1)
        case .previousPane: turnPane(by: -1)
        case .zoom: toggleZoom()
        case .stepForward: goStep(by: 1)
        case .stepBack: goStep(by: -1)
        case .next(let landmark): jump(landmark, forward: true)
        case .previous(let landmark): jump(landmark, forward: false)
        case .togglePlay: isInList ? toggleRunMark() : togglePlay()
        case .faster: changePace(by: 1)
        case .slower: changePace(by: -1)
        case .search: askSearch()
        case .nextMatch: goToMatch(by: 1)
        case .previousMatch: goToMatch(by: -1)
        case .onlyMatches: toggleOnlyMatches()
        case .mark: isInList ? toggleRunMark() : toggleMark()
        case .nextMark: goToNextMark()
        case .nextView, .allMessages, .toggleWrap: changeReading(action)
        case .zoomIn: changeTime { $0.zoomTime(by: 2) }
        case .zoomOut: changeTime { $0.zoomTime(by: 0.5) }
        case .zoomFit: changeTime { $0.toggleWholeTime() }
        case .expandAll: toggleAllBranches()
        case .sort, .reverse: sortRuns(action)
        case .scope: changeScope()
        case .exportRun where !marked.isEmpty: askExportMarked()
        case .delete where !marked.isEmpty: askDeleteMarked()
        case .copy, .copyStep: copy(action)
        case .exportStep, .exportRun: askExport(action)
        case .importPath:
            [
                .browse(
                    FileRequest(
                        "Import a trace", .fileOrFolder,
                        isExpected: { name in [".jsonl", ".json", ".ndjson"].contains { name.hasSuffix($0) } },
                        cancelled: TraceAnswer.lineCancelled(.importPath)
                    ) { .line(.importPath, $0) })
            ]
        case .importDiscovered: [discover(importing: true)]
        case .rename: askRename()
        case .makeCase: askCase()
        case .delete: deleteRun()
        case .undo: undo()
        }
    }

    // MARK: Moving

    /// Moves in the focused pane.
    private mutating func move(
        _ change: (inout ListView) -> Void, scrolling scroll: (inout TextView) -> Void
    ) -> [Effect<TraceAnswer>] {
        switch pane {
        case .runs:
            change(&runs.list)
            return fetchRows() + readOverview()
        case .run:
            let before = run?.selected
            run?.move { $0.move(change) }
            return run?.selected == before ? [] : readStep()
        case .overview: return []
        case .context, .detail:
            scroll(&text)
            return advanceText()
        }
    }

    private mutating func turnBranch(_ change: (inout Tree) -> Void, scrolling columns: Int) -> [Effect<TraceAnswer>] {
        switch pane {
        case .run:
            let before = run?.selected
            run?.move(change)
            return run?.selected == before ? [] : readStep()
        case .detail: text.scrollSideways(by: columns)
        case .runs, .overview, .context: break
        }
        return []
    }

    private mutating func openSelection() -> [Effect<TraceAnswer>] {
        switch pane {
        case .runs, .overview:
            guard let id = runs.selectedID else { return [] }
            // Read a run that has grown again.
            if let run, run.trace.summary.id == id, run.trace.summary.spans == runs.selected?.spans {
                pane = .run
                layoutPanes()
                return []
            }
            return load(id, goingTo: nil)
        case .run:
            pane = .detail
            layoutPanes()
            return []
        case .context, .detail: return []
        }
    }

    private mutating func back() -> [Effect<TraceAnswer>] {
        if isZoomed { return toggleZoom() }
        if playback.isPlaying { return togglePlay() }
        switch pane {
        case .detail, .context: pane = .run
        case .run where run?.matches != nil:
            run?.clearMatches()
            text.find("")
        case .run: pane = .runs
        case .runs where !runs.marked.isEmpty:
            runs.marked = []
        case .runs where !runs.filter.isEmpty:
            runs.filter = .everything
            return reloadRuns()
        case .runs, .overview: return [.back]
        }
        layoutPanes()
        return readOverview()
    }

    private mutating func turnPane(by step: Int) -> [Effect<TraceAnswer>] {
        // Tab goes from the list to the run, its context, and its step. The overview is skipped, as it has no cursor.
        let panes = run == nil ? [Pane.runs] : Pane.allCases.filter { $0 != .overview }
        let place = panes.firstIndex(of: pane) ?? 0
        pane = panes[(place + step + panes.count) % panes.count]
        layoutPanes()
        return readOverview()
    }

    private mutating func toggleZoom() -> [Effect<TraceAnswer>] {
        isZoomed.toggle()
        layoutPanes()
        return pane == .runs ? fetchRows() + readOverview() : []
    }

    // MARK: Replay

    mutating func go(to span: Int) -> [Effect<TraceAnswer>] {
        run?.select(span: span)
        return readStep()
    }

    private mutating func goStep(by direction: Int) -> [Effect<TraceAnswer>] {
        guard let run else { return [] }
        guard let step = run.step else { return run.replay.steps.first.map { go(to: $0) } ?? [] }
        let isOnStep = run.replay.steps[step] == run.selected
        let next = isOnStep ? step + direction : step
        guard (0..<run.replay.count).contains(next) else {
            return [.notify(direction > 0 ? "This is the last step." : "This is the first step.")]
        }
        return go(to: run.replay.steps[next])
    }

    private mutating func jump(_ landmark: TraceLandmark, forward: Bool) -> [Effect<TraceAnswer>] {
        let wanted: Replay.Landmark =
            switch landmark {
            case .error: .error
            case .tool: .tool
            case .model: .model
            case .compaction: .compaction
            }
        // In the list, the key opens the run under the cursor at its first such step.
        if let id = runToJumpInto { return load(id, goingTo: nil, landmark: wanted) }
        guard let run else { return [] }
        if pane == .runs { pane = .run }
        let here = run.step ?? -1
        let step = forward ? run.replay.next(wanted, after: here) : run.replay.previous(wanted, before: here)
        guard let step else {
            let name = landmark == .error ? "failed step" : landmark == .compaction ? "compaction" : "\(landmark) call"
            return [.notify("no \(forward ? "later" : "earlier") \(name)")]
        }
        return go(to: run.replay.steps[step])
    }

    private mutating func togglePlay() -> [Effect<TraceAnswer>] {
        playback.isPlaying.toggle()
        return playback.isPlaying ? nextTick() : [.cancel(key: "play")]
    }

    private mutating func changePace(by steps: Int) -> [Effect<TraceAnswer>] {
        playback.change(by: steps)
        let said: Effect<TraceAnswer> = .notify("pace \(playback.pace.title)")
        return playback.isPlaying ? [said] + nextTick() : [said]
    }

    /// Waits until the next step of the playback, at the current pace.
    func nextTick() -> [Effect<TraceAnswer>] {
        guard let run else { return [] }
        guard let step = run.step, step + 1 < run.replay.count else {
            return [.wait(key: "play", for: Playback.shortestPause, then: .tick)]
        }
        let pause = playback.pause(nanoseconds: run.replay[step + 1].start - run.replay[step].start)
        return [.wait(key: "play", for: pause, then: .tick)]
    }

    mutating func tick() -> [Effect<TraceAnswer>] {
        guard playback.isPlaying, let run else { return [] }
        guard let step = run.step, step + 1 < run.replay.count else {
            playback.isPlaying = false
            return [.notify("This is the end of the run.")]
        }
        return go(to: run.replay.steps[step + 1]) + nextTick()
    }

    // MARK: Marks and matches

    private mutating func toggleMark() -> [Effect<TraceAnswer>] {
        guard let span = run?.selected, let trace = run?.trace.summary.id else { return [] }
        let isMarked = run?.marked.contains(span) ?? false
        if isMarked { run?.marked.remove(span) } else { run?.marked.insert(span) }
        let store = store
        return [
            .ask(key: "mark") { _ in
                if isMarked {
                    for mark in try store.marks(of: trace) where mark.span == span {
                        if let letter = mark.letter { try store.removeMark(letter, of: trace) }
                    }
                    return .done("mark removed")
                }
                let taken = Set(try store.marks(of: trace).compactMap(\.letter))
                guard let letter = "abcdefghijklmnopqrstuvwxyz".first(where: { !taken.contains($0) }) else {
                    throw Problem(
                        .limit, "", "All 26 marks of this run are in use",
                        remedy: "Press m on a marked step to remove its mark.")
                }
                try store.mark(letter, span: span, of: trace)
                return .done("marked \(letter): ' returns here")
            }
        ]
    }

    private mutating func goToNextMark() -> [Effect<TraceAnswer>] {
        guard let run, !run.marked.isEmpty else { return [.notify("No step is marked. Press m to mark one.")] }
        let ordered = run.marked.sorted { (run.trace.spans[$0].start, $0) < (run.trace.spans[$1].start, $1) }
        let here = run.selected.map { (run.trace.spans[$0].start, $0) } ?? (.min, -1)
        return go(to: ordered.first { (run.trace.spans[$0].start, $0) > here } ?? ordered[0])
    }

    private mutating func goToMatch(by direction: Int) -> [Effect<TraceAnswer>] {
        if pane == .detail, text.search != nil {
            if direction > 0 { text.findNext() } else { text.findPrevious() }
            return advanceText()
        }
        guard let span = run?.match(by: direction) else { return [.notify("no match", .warning)] }
        return go(to: span)
    }

    private mutating func toggleOnlyMatches() -> [Effect<TraceAnswer>] {
        let isFilter = run?.matches?.isFilter ?? false
        run?.showOnlyMatches(!isFilter)
        layoutPanes()
        return readStep()
    }

    // MARK: Views

    private mutating func changeReading(_ action: TraceAction) -> [Effect<TraceAnswer>] {
        switch action {
        case .nextView:
            let views = StepReading.View.allCases
            view = views[((views.firstIndex(of: view) ?? 0) + 1) % views.count]
        case .allMessages: showsAllMessages.toggle()
        default:
            text.setWraps(!text.wraps)
            return advanceText()
        }
        return readStep()
    }

    private mutating func changeTime(_ change: (inout OpenRun) -> Void) -> [Effect<TraceAnswer>] {
        if run != nil { change(&run!) }
        return []
    }

    private mutating func toggleAllBranches() -> [Effect<TraceAnswer>] {
        run?.move { tree in
            if tree.rowCount < tree.shape.count { tree.openAll() } else { tree.closeAll(fromDepth: 1) }
        }
        return readStep()
    }

    private mutating func sortRuns(_ action: TraceAction) -> [Effect<TraceAnswer>] {
        // A hidden column would sort the list without a visible reason.
        let shown = Set(shownColumns.compactMap(\.order))
        let columns = TraceOrder.Column.allCases.filter(shown.contains)
        if action == .reverse {
            runs.order.isDescending.toggle()
        } else {
            // A tiny pane can have no column to sort by.
            guard !columns.isEmpty else { return [] }
            let index = columns.firstIndex(of: runs.order.column) ?? -1
            runs.order = TraceOrder(columns[(index + 1) % columns.count])
        }
        return reloadRuns()
    }
}
