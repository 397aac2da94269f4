internal import Console
internal import Traces
internal import Workspace

extension TracePanel {
    mutating func start(_ saved: String?) -> [Effect<TraceAnswer>] {
        restore(saved)
        let store = store
        var effects = reloadRuns()
        if let loading { effects += load(loading.trace, goingTo: loading.span) }
        effects.append(
            .ask(key: "discover") { _ in
                let sessions = SessionDiscovery.current.sessions().filter(\.isReadable)
                return .discovered(try sessions.filter { try store.traces(fromFile: $0.path).isEmpty })
            })
        return effects
    }

    /// Asks for the first page, which is on the screen at once, then for the whole order.
    mutating func reloadRuns() -> [Effect<TraceAnswer>] {
        let store = store
        let filter = runs.filter
        let order = runs.order
        return [
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

    /// Loads a run and goes to a span, else to where the cursor was when it was read last.
    mutating func load(_ trace: Int64, goingTo span: Int?) -> [Effect<TraceAnswer>] {
        rememberPosition()
        loading = (trace, span)
        let store = store
        return [
            .cancel(key: "search"),
            .ask(key: "trace") { work in
                guard let loaded = try store.trace(trace) else { throw TraceGone() }
                try work.check()
                let marks = try store.marks(of: trace).filter { $0.letter != nil }
                return .loaded(Replay(loaded), marked: Set(marks.map(\.span)))
            },
        ]
    }

    mutating func show(_ replay: Replay, marked: Set<Int>) -> [Effect<TraceAnswer>] {
        var run = OpenRun(replay, marked: marked)
        let id = replay.trace.summary.id
        let wanted = loading?.span ?? positions[id] ?? replay.steps.first
        loading = nil
        if let wanted, replay.trace.spans.indices.contains(wanted) { run.select(span: wanted) }
        self.run = run
        reading = nil
        playback.isPlaying = false
        if pane == .runs { pane = .run }
        layoutPanes()
        return readStep()
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
            ? ["nothing new in \(Self.counted(report.files, "file"))"]
            : [Self.counted(report.newTraces, "new trace"), Self.counted(report.newSpans, "new span")]
        if report.skipped > 0 { parts.append("\(Self.counted(report.skipped, "bad record")) skipped") }
        let severity: Severity = report.skipped > 0 || !report.problems.isEmpty ? .warning : .success
        let opening = only.map { load($0.id, goingTo: nil) } ?? []
        return opening + [
            .notify((parts + report.problems.prefix(1)).joined(separator: ", "), severity), .changed,
            .job(
                JobRequest(TraceStore.textIndexJob, title: "index") { job in
                    try store.indexText(job: job)
                    return .indexed
                }),
        ]
    }
}

extension TracePanel {
    /// `1 trace`, `1,204 traces`.
    static func counted(_ count: Int, _ thing: String) -> String {
        "\(Format.count(count)) \(thing)\(count == 1 ? "" : "s")"
    }
}

/// A run that was deleted for good while the list still showed it.
struct TraceGone: Error, CustomStringConvertible {
    var description: String { "the run is no longer in the workspace: another program has removed it." }
}
