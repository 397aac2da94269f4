internal import Console
internal import EvalLogs
internal import Evals

/// The list of runs, and the run whose samples are read.
extension EvalPage {
    // MARK: The list

    func readRuns() -> Work<Self> {
        read("runs") { [logs = logs.map(\.log), causes] desk in
            try EvalRunList(desk, logs: logs, causes: causes)
        } then: {
            $0.list($1)
        } failed: { page, sentence in
            page.fault = sentence
            return page.watch()
        }
    }

    /// Checks progress often while runs are active; otherwise, checks once per second whether the workspace changed.
    func watch() -> Work<Self> {
        if !working.isEmpty || runs.entries.contains(where: { $0.isAlive && !$0.isForeign }) { return Self.lookSoon }
        guard revision != nil else { return .cancel("watch") }
        return .wait("watch", .seconds(1)) { page in
            page.read("revision") {
                $0.revision
            } then: { page, revision in
                revision == page.revision ? page.watch() : .again("runs")
            }
        }
    }

    static var lookSoon: Work<Self> { .wait("watch", .milliseconds(250)) { _ in .again("runs") } }

    private mutating func list(_ list: EvalRunList) -> Work<Self> {
        fault = nil
        revision = list.revision
        causes.merge(list.causes) { $1 }
        for (index, run) in list.foreign.enumerated() where logs.indices.contains(index) { logs[index].run = run }
        let foreign = logs.enumerated().map { index, log in
            let id = Self.id(ofLog: index)
            return EvalRunEntry(id: id, run: counting(log.run, id), log: log.log)
        }
        let own = list.entries(limits: limits, causes: causes)
        let before = open.flatMap { runs.entry($0.id) }
        runs.show(foreign + own)
        if let open {
            if let entry = runs.entry(open.id) { self.open?.run = entry.run } else { close() }
        }
        let started = awaited.flatMap { known in own.first { !known.contains($0.id) } }
        if let started {
            awaited = nil
            if view == .runs, open?.id != started.id { wanted = Place(run: started.id) }
            if view == .runs { runs.select(started.id) }
        }
        if let wanted, runs.entry(wanted.run) != nil {
            runs.select(wanted.run)
            if open?.id != wanted.run { return [watch(), show(wanted.run)] }
        } else if let open, let entry = runs.entry(open.id), open.isRead, hasGrown(entry, before, open.index.known) {
            return [watch(), show(open.id)]
        }
        // A run that could not be opened may be readable now.
        return [watch(), open == nil && wanted == nil ? .again("cursor") : []]
    }

    /// Returns whether a run has grown enough to read its samples again.
    private func hasGrown(_ entry: EvalRunEntry, _ before: EvalRunEntry?, _ known: Int) -> Bool {
        guard !entry.isForeign, let before else { return false }
        let isOther = before.isAlive || before.run.completed != entry.run.completed || before.run.end != entry.run.end
        if isOther, !entry.isAlive { return true }
        return entry.run.completed - known >= max(16, known / 20)
    }

    // MARK: The open run

    /// Opens the log of a run and reads its header; its samples follow.
    mutating func show(_ id: Int64) -> Work<Self> {
        wanted = Place(run: id, sample: wanted?.run == id ? wanted?.sample : nil)
        let foreign = index(ofLog: id).map { logs[$0].log }
        guard id >= 0 || foreign != nil else { return [] }
        return read("open") { desk in
            var open = OpenEval(id, try foreign ?? desk.log(id))
            if id >= 0 { open.prompt = try? desk.prompt(of: open.run) }
            return open
        } then: {
            $0.adopt($1)
        } failed: { page, _ in
            page.wanted = nil
            return []
        }
    }

    private mutating func adopt(_ opened: OpenEval) -> Work<Self> {
        // Ignore a run that was requested before another one.
        if let wanted, wanted.run != opened.id { return [] }
        if open?.id == opened.id {
            reopened = opened
            open?.run = opened.run
            open?.isRead = false
            open?.hasNews = false
        } else {
            open = opened
            reopened = nil
            sample = nil
            showsSums = false
        }
        if wanted?.sample == nil { wanted = nil }
        return readRows(opened)
    }

    private mutating func close() {
        open = nil
        reopened = nil
        sample = nil
        if view == .samples || view == .queue || view == .failures { go(to: .runs) }
    }

    /// Reads all rows in the background, window by window.
    ///
    /// - Parameter first: Index of the first unread row. Slices need all rows, so they are computed only if this is 0.
    func readRows(_ open: OpenEval, from first: Int = 0) -> Work<Self> {
        let (log, run) = (open.log, open.id)
        return stream("rows") { _, cancellation, tell in
            var summary = first == 0 ? RowSummary() : nil
            let last = try log.readWindows(from: first, firstSize: 128, until: cancellation) { window in
                summary?.add(window.rows)
                if !window.isLast { tell(window) }
            }
            summary?.finish(log, of: last.run)
            return (last, summary)
        } each: { page, window in
            page.append(window, nil, of: run)
        } then: { page, end in
            page.append(end.0, end.1, of: run)
        } failed: { page, _ in
            page.open?.isRead = true
            page.reopened = nil
            return []
        }
    }

    private mutating func append(_ window: LogWindow, _ summary: RowSummary?, of run: Int64) -> Work<Self> {
        guard open?.id == run else { return [] }
        var work: Work<Self> = []
        if reopened == nil { open?.append(window.rows) } else { reopened?.append(window.rows) }
        if window.isLast {
            work = takeReopened()
            finish(window.run, summary, of: run)
        }
        if let sample = wanted?.sample, let place = open?.place(of: sample) {
            samples.select(place)
            wanted = nil
        } else if window.isLast, wanted?.run == run {
            wanted = nil
        }
        return work
    }

    /// Finishes reading the open run, whose header may have changed meanwhile.
    private mutating func finish(_ header: EvalRun, _ summary: RowSummary?, of run: Int64) {
        open?.isRead = true
        // Without a request, many failures are not grouped again.
        if open?.newFailures == nil, !wantsFailures { open?.failures = nil }
        if let summary {
            open?.tellsSureness = summary.tellsSureness
            if let slices = summary.slices { open?.slices = slices }
            open?.sampleCount = summary.sampleCount
        }
        guard runs.entry(run)?.isForeign == true else { return }
        counted[run] = open?.index.count(of: .error)
        update(run, header)
    }

    /// Replaces the open run with its second reading, if there is one, keeping its filter, baseline, and cursor.
    private mutating func takeReopened() -> Work<Self> {
        guard var new = reopened, let old = open else { return [] }
        reopened = nil
        if wanted?.sample == nil, let sample = selectedSample { wanted = Place(run: new.id, sample: sample) }
        new.take(over: old)
        let needsTexts = new.set(old.filter)
        open = new
        return [needsTexts ? search(new, old.filter) : [], view == .queue ? .again("ratings") : []]
    }

    // MARK: The filter

    /// Lists the samples that a filter matches.
    mutating func setFilter(_ typed: String) -> Work<Self> {
        guard let current = open else { return [] }
        let filter = SampleFilter(typed, slices: current.run.slices, scores: current.run.scores.map(\.name))
        guard filter != current.filter else { return [] }
        if !filter.changes.isEmpty, current.contrast == nil {
            return .notify("choose a baseline first: press b", .warning)
        }
        let before = selectedSample
        let needsTexts = open?.set(filter) == true
        samples.select(before.flatMap { open?.place(of: $0) } ?? 0)
        return needsTexts ? search(current, filter) : .cancel("search")
    }

    /// Searches the texts of all rows.
    private func search(_ open: OpenEval, _ filter: SampleFilter) -> Work<Self> {
        let (log, run) = (open.log, open.id)
        return stream("search") { _, cancellation, tell in
            _ = try log.readWindows(until: cancellation) { window in
                tell((window.rows.filter { filter.matchesTexts($0) }.map { Int32($0.index) }, window.end))
            }
        } each: { page, found in
            if page.open?.id == run, page.open?.filter == filter { page.open?.found(found.0, upTo: found.1) }
            return []
        } then: { page, _ in
            if page.open?.id == run, page.open?.filter == filter { page.open?.endSearch() }
            return []
        }
    }
}
