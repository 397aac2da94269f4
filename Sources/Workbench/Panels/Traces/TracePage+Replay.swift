internal import Configuration
internal import Console
internal import Formatting
internal import Traces

/// Steps, playback, searches, and marks of the open run.
extension TracePage {
    package static let commands = ["step"]

    /// Runs `:step 69`, or just `:69`, which goes to a step by its number, starting at 1.
    package mutating func run(command: String, words: [String]) -> Work<Self>? {
        let number = command == "step" ? words.first.flatMap { Int($0) } : Int(command)
        guard command == "step" || number != nil else { return nil }
        guard let run else { return .notify("open a run first", .warning) }
        guard let number, (1...max(1, run.replay.count)).contains(number), run.replay.count > 0 else {
            return .notify("The run has steps 1 to \(Format.count(run.replay.count)).", .warning)
        }
        self.run?.select(step: number - 1)
        return []
    }

    mutating func goStep(by direction: Int) -> Work<Self> {
        guard let run else { return [] }
        var next = 0
        if let step = run.step { next = run.replay.steps[step] == run.selected ? step + direction : step }
        guard (0..<run.replay.count).contains(next) else {
            return run.step == nil
                ? [] : .notify(direction > 0 ? "This is the last step." : "This is the first step.")
        }
        self.run?.select(step: next)
        return []
    }

    mutating func jump(_ landmark: Replay.Landmark, forward: Bool) -> Work<Self> {
        // In the list, the key opens the run under the cursor at its first such step.
        if let id = runToJumpInto { return load(Loading(trace: id, landmark: landmark)) }
        guard let run else { return [] }
        if screen.focus == .runs { screen.focus = .run }
        let here = run.step ?? -1
        let step = forward ? run.replay.next(landmark, after: here) : run.replay.previous(landmark, before: here)
        guard let step else {
            let name =
                landmark == .error ? "failed step" : landmark == .compaction ? "compaction" : "\(landmark) call"
            return .notify("no \(forward ? "later" : "earlier") \(name)")
        }
        self.run?.select(step: step)
        return []
    }

    // MARK: Playback

    mutating func togglePlay() -> Work<Self> {
        playback.isPlaying.toggle()
        return playback.isPlaying ? nextTick() : .cancel("play")
    }

    mutating func changePace(by steps: Int) -> Work<Self> {
        playback.change(by: steps)
        return [.notify("pace \(playback.pace.title)"), playback.isPlaying ? nextTick() : []]
    }

    /// Waits until the next step of the playback, at the current pace.
    private func nextTick() -> Work<Self> {
        guard let run else { return [] }
        var pause = Playback.shortestPause
        if let step = run.step, step + 1 < run.replay.count {
            pause = playback.pause(nanoseconds: run.replay[step + 1].start - run.replay[step].start)
        }
        return .wait("play", pause) { $0.tick() }
    }

    private mutating func tick() -> Work<Self> {
        guard playback.isPlaying, let run else { return [] }
        guard let step = run.step, step + 1 < run.replay.count else {
            playback.isPlaying = false
            return .notify("This is the end of the run.")
        }
        self.run?.select(step: step + 1)
        return nextTick()
    }

    // MARK: Searching

    /// Asks for a search: it filters runs, finds steps in a run, or finds text in the detail pane.
    func askSearch() -> Work<Self> {
        switch screen.focus {
        case .runs, .overview:
            askFilter(runs.filter.text) { page, filter in
                // The same filter again repeats reads that failed.
                guard page.runs.filter == filter else {
                    page.runs.filter = filter
                    return []
                }
                return [.again("census"), .again("runs"), .again("order"), .again("rows")]
            }
        case .run, .context: askFilter(run?.matches?.query ?? "") { $0.search($1) }
        case .detail:
            .prompt(
                "find ", history: "find", live: Self.find, cancelled: { Self.find(&$0, "") }, then: Self.find)
        }
    }

    private static func find(_ page: inout Self, _ typed: String) -> Work<Self> {
        page.text.find(typed.trimmed)
        return []
    }

    /// Asks for a filter. The current filter is a proposal that typing replaces; an invalid filter comes back for
    /// correction.
    private func askFilter(
        _ text: String, isRefused: Bool = false, then: @escaping (inout Self, Filter) -> Work<Self>
    ) -> Work<Self> {
        .prompt(
            "/", text: text, isProposal: !isRefused, history: "filter",
            complete: { [words] in TraceEngine.completions(of: $0, from: words) }
        ) { page, typed in
            do throws(QueryError) { return then(&page, try Filter(parsing: typed.trimmed)) } catch {
                return [.notify(error.sentence, .failure), page.askFilter(typed.trimmed, isRefused: true, then: then)]
            }
        }
    }

    private mutating func search(_ filter: Filter) -> Work<Self> {
        guard let trace = run?.trace else { return [] }
        guard !filter.text.isEmpty else {
            endSearch()
            return []
        }
        return read("search") { engine, cancellation in
            let spans = try engine.store.spans(matching: filter, in: trace, until: cancellation)
            return (spans, isScan: try !filter.texts.isEmpty && engine.store.textsWithoutIndex() > 0)
        } then: { page, found in
            page.run?.id == trace.summary.id ? page.show(matches: found.0, of: filter, isScan: found.isScan) : []
        }
    }

    /// Shows the matches of a search and goes to the first match at or after the cursor.
    ///
    /// - Parameter isScan: Whether the search read texts because the index is incomplete.
    private mutating func show(matches spans: [Int], of filter: Filter, isScan: Bool) -> Work<Self> {
        run?.show(matches: spans, of: filter.text)
        text.find(filter.texts.first ?? "")
        let how = isScan ? " (full scan: the text index is incomplete)" : ""
        guard !spans.isEmpty else { return .notify("no match for \(filter.text)\(how)", .warning) }
        if run?.isOnMatch == false, let span = run?.match(by: 1) { run?.select(span: span) }
        return .notify(
            "\(Format.count(spans.count, "span")) found\(how): n and N step through them, f shows only matches")
    }

    mutating func endSearch() {
        run?.clearMatches()
        text.find("")
    }

    mutating func goToMatch(by direction: Int) -> Work<Self> {
        if screen.focus == .detail, text.search != nil {
            if direction > 0 { text.findNext() } else { text.findPrevious() }
            return []
        }
        guard let span = run?.match(by: direction) else { return .notify("no match", .warning) }
        run?.select(span: span)
        return []
    }

    // MARK: Marks

    mutating func toggleMark() -> Work<Self> {
        guard let run, let span = run.selected else { return [] }
        let (trace, isMarked) = (run.id, run.marked.contains(span))
        self.run?.setMark(!isMarked, at: span)
        return write {
            try isMarked ? $0.unmark(span, of: trace) : $0.mark(span, of: trace)
        } then: { _, sentence in
            [.notify(sentence, .success), .changed]
        } failed: { page, _ in
            if page.run?.id == trace { page.run?.setMark(isMarked, at: span) }
            return []
        }
    }

    mutating func goToNextMark() {
        guard let run else { return }
        let ordered = run.marked.sorted { run.place(of: $0) < run.place(of: $1) }
        let here = run.selected.map(run.place) ?? (.min, -1)
        if let next = ordered.first(where: { run.place(of: $0) > here }) ?? ordered.first {
            self.run?.select(span: next)
        }
    }
}
