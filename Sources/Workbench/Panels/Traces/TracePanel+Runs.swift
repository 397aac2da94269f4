internal import Console
internal import Formatting
internal import System
internal import Traces
internal import Workspace

extension TracePanel {
    mutating func start(_ saved: String?) -> [Effect<TraceAnswer>] {
        restore(saved)
        var effects = reloadRuns()
        if let loading { effects += load(loading.trace, goingTo: loading.span, landmark: loading.landmark) }
        effects.append(discover(importing: false))
        return effects
    }

    /// Looks for sessions of coding agents that are not in the workspace.
    func discover(importing: Bool) -> Effect<TraceAnswer> {
        let (store, discovery) = (store, discovery)
        return .ask(key: "discover") { _ in
            let sessions = discovery.sessions().filter(\.isReadable)
            return .discovered(
                try sessions.filter { try store.traces(fromFile: $0.path).isEmpty }, importing: importing)
        }
    }

    mutating func noteChange() -> [Effect<TraceAnswer>] {
        overview?.isStale = true
        return reloadRuns()
    }

    /// Requests the first page, which appears at once, then the whole order.
    mutating func reloadRuns() -> [Effect<TraceAnswer>] {
        let store = store
        let filter = runs.wanted
        let wide = runs.filter
        let order = runs.order
        return [
            .ask(key: "census") { .census(try store.census(matching: wide, until: $0)) },
            .ask(key: "runs") {
                .firstRuns(try store.summaries(matching: filter, by: order, limit: RunList.page, until: $0))
            },
            .ask(key: "order") { .order(try store.identifiers(matching: filter, by: order, until: $0)) },
        ]
    }

    /// Fetches the rows that have come into view.
    mutating func fetchRows() -> [Effect<TraceAnswer>] {
        let missing = runs.missing
        guard !missing.isEmpty else { return [] }
        let store = store
        return [.ask(key: "rows") { _ in .rows(try store.summaries(missing)) }]
    }

    /// Loads a run and goes to a span, or otherwise to the last cursor position in the run.
    mutating func load(
        _ trace: Int64, goingTo span: Int?, landmark: Replay.Landmark? = nil
    ) -> [Effect<TraceAnswer>] {
        rememberPosition()
        loading = Loading(trace: trace, span: span, landmark: landmark)
        let store = store
        return [
            .cancel(key: "search"),
            .ask(key: "trace") { work in
                guard let loaded = try store.trace(trace) else { throw TracePanel.traceGone }
                try work.check()
                let marks = try store.marks(of: trace).filter { $0.letter != nil }
                return .loaded(OpenRunBox(run: OpenRun(Replay(loaded), marked: Set(marks.map(\.span)))))
            },
        ]
    }

    mutating func show(_ opened: OpenRun) -> [Effect<TraceAnswer>] {
        var run = opened
        let replay = run.replay
        let id = replay.trace.summary.id
        let landmark = loading?.landmark.flatMap { replay.next($0, after: -1) }.map { replay.steps[$0] }
        let wanted = loading?.span ?? landmark ?? positions[id] ?? replay.steps.first
        loading = nil
        if let wanted, replay.trace.spans.indices.contains(wanted) { run.select(span: wanted) }
        self.run = run
        reading = nil
        overview = nil
        playback.isPlaying = false
        if pane == .runs || pane == .overview { pane = .run }
        layoutPanes()
        return readStep() + reveal()
    }

    /// Brings an opened run into the list. A run of another origin switches the scope, a run hidden by the filter
    /// clears the filter, and a message reports both.
    mutating func reveal() -> [Effect<TraceAnswer>] {
        guard let id = revealing, let run, run.trace.summary.id == id, runs.isComplete else { return [] }
        guard !runs.contains(id) else {
            revealing = nil
            runs.select(id)
            return fetchRows()
        }
        let origin = run.trace.summary.origin
        if !runs.effectiveScope.holds(origin) {
            runs.scope = .only(origin)
            return reloadRuns()
        }
        guard !runs.filter.isEmpty else {
            revealing = nil
            return []
        }
        runs.filter = .everything
        if !runs.scope.holds(origin) { runs.scope = .only(origin) }
        return [.notify("cleared the filter because it hid this run")] + reloadRuns()
    }

    /// Switches to the next scope that has runs.
    mutating func changeScope() -> [Effect<TraceAnswer>] {
        show(scope: runs.scope.next(in: runs.census ?? TraceCensus()))
    }

    mutating func show(scope: RunScope) -> [Effect<TraceAnswer>] {
        guard scope != runs.scope else { return [] }
        runs.scope = scope
        return reloadRuns()
    }

    /// Reads the overview of the run under the cursor, while no run is open.
    mutating func readOverview() -> [Effect<TraceAnswer>] {
        guard showsOverview, let summary = runs.selected else {
            overview = nil
            return [.cancel(key: "overview")]
        }
        if let overview, overview.trace == summary.id, !overview.isStale { return [] }
        let store = store
        return [
            .ask(key: "overview") { work in
                let read = try RunOverview(of: summary, store: store, isWanted: { !work.isCancelled })
                return .overview(RunOverviewBox(overview: read))
            }
        ]
    }

    mutating func rememberPosition() {
        guard let run, let span = run.selected else { return }
        positions[run.trace.summary.id] = span
    }

    // MARK: Importing

    func importing(_ paths: [String]) -> [Effect<TraceAnswer>] {
        let prices = prices
        let store = store
        let title = paths.count == 1 ? "import" : "import \(paths.count) sessions"
        return [
            .job(
                JobRequest(TraceStore.importJob, title: title, arguments: TraceStore.importArguments(paths)) { job in
                    let table = try prices.map { try PriceTable(contentsOf: $0) }
                    let options = ImportOptions(prices: table ?? .builtIn)
                    let report = try store.importTraces(paths, options: options, job: job)
                    try store.finish(job, with: report)
                    if report.isCancelled { throw CancellationError() }
                    let traces = paths.count == 1 ? try store.traces(fromFile: paths[0]) : []
                    return .imported(report, only: traces.count == 1 ? traces[0] : nil)
                })
        ]
    }

    mutating func imported(_ report: ImportReport, only: TraceSummary?) -> [Effect<TraceAnswer>] {
        let store = store
        var parts: [String] =
            report.newSpans == 0
            ? ["nothing new in \(Format.count(report.files, "file"))"]
            : [Format.count(report.newTraces, "new trace"), Format.count(report.newSpans, "new span")]
        if report.skipped > 0 { parts.append("\(Format.count(report.skipped, "bad record")) skipped") }
        let problems = report.problems + report.foreignFiles
        let severity: Severity = report.skipped > 0 || !problems.isEmpty ? .warning : .success
        revealing = only?.id
        let opening = only.map { load($0.id, goingTo: nil) } ?? []
        return opening + [
            .notify((parts + problems.prefix(1)).joined(separator: ", "), severity), .changed,
            discover(importing: false),
            .job(
                JobRequest(TraceStore.textIndexJob, title: "index") { job in
                    try store.indexText(job: job)
                    return .indexed
                }),
        ]
    }
}

extension TracePanel {
    /// An error for a run that was deleted permanently while the list still showed it.
    static let traceGone = Problem(
        .missing, "", "The run is no longer in the workspace", remedy: "Another program removed it.")
}
