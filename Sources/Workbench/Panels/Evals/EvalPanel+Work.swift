internal import Console
internal import EvalLogs
internal import Evals
internal import Formatting
internal import Traces
internal import Workspace

extension EvalPanel {
    // MARK: Runs

    func reload() -> [Effect<EvalAnswer>] {
        let (desk, logs, known) = (desk, logs.map(\.log), causes)
        return [
            .ask(key: "runs") { _ in
                let foreign = logs.enumerated().map { (-Int64($0 + 1), $1.run) }
                // What is written while it is read shows at the next look.
                let revision = desk.revision
                let (runs, own) = (try desk.runs(), desk.progress())
                return .runs(
                    EvalRunsBox(
                        runs: runs, progress: own + (try Self.progress(of: runs, beside: own, desk)),
                        own: Set(own.map(\.run)),
                        foreign: Dictionary(foreign, uniquingKeysWith: { first, _ in first }),
                        causes: Self.causes(of: runs, beside: known, desk),
                        paused: try Set(
                            runs.filter { $0.state == .running }.compactMap { Int64($0.key) }
                                .filter { try desk.isPaused($0) }), revision: revision))
            }
        ]
    }

    /// How the runs in progress in other processes stand.
    private static func progress(
        of runs: [EvalRun], beside own: [EvalProgress], _ desk: any EvalDesk
    ) throws -> [EvalProgress] {
        let known = Set(own.map(\.run))
        return try runs.filter { $0.state == .running }.compactMap { Int64($0.key) }.filter { !known.contains($0) }
            .compactMap { try desk.progress(of: $0) }
    }

    /// The first error of every run that came to nothing, as far as it is not known.
    private static func causes(
        of runs: [EvalRun], beside known: [Int64: String], _ desk: any EvalDesk
    ) -> [Int64: String] {
        var causes: [Int64: String] = [:]
        for run in runs where run.state != .running && run.completed > 0 && run.errors == run.completed {
            guard let id = Int64(run.key), known[id] == nil, let log = try? desk.log(id) else { continue }
            let rows = try? log.rows(0..<64) { false }
            causes[id] = rows?.lazy.compactMap(\.problem).first
        }
        return causes
    }

    static var watchInterval: Duration { .milliseconds(250) }

    /// Checks progress often while runs are active, and otherwise checks once per second whether the workspace changed.
    func watch() -> [Effect<EvalAnswer>] {
        let isAlive = !working.isEmpty || runs.entries.contains { $0.isAlive && !$0.isForeign }
        if isAlive { return [.wait(key: "watch", for: Self.watchInterval, then: .tick)] }
        guard revision != nil else { return [.cancel(key: "watch")] }
        return [.wait(key: "watch", for: Self.followInterval, then: .look)]
    }

    func look() -> [Effect<EvalAnswer>] {
        let desk = desk
        return [.ask(key: "revision") { _ in .looked(desk.revision) }]
    }

    /// Opens the log of a run, which reads its head; its samples follow.
    mutating func show(_ id: Int64) -> [Effect<EvalAnswer>] {
        wanted = Wanted(run: id, sample: wanted?.run == id ? wanted?.sample : nil)
        let desk = desk
        if id < 0 {
            guard let log = logs.indices.contains(Int(-id) - 1) ? logs[Int(-id) - 1].log : nil else { return [] }
            return [.ask(key: "open") { _ in .opened(EvalLogBox(id: id, log: log)) }]
        }
        return [
            .ask(key: "open") { _ in
                .opened(EvalLogBox(id: id, log: try desk.log(id)) { try desk.prompt(of: $0) })
            }
        ]
    }

    /// Reads the run under the cursor.
    mutating func followRun() -> [Effect<EvalAnswer>] {
        guard page == .runs else { return [] }
        guard let entry = runs.selected else { return showText() }
        return (entry.id == open?.id ? [] : show(entry.id)) + showText()
    }

    mutating func openLog(_ path: String) -> [Effect<EvalAnswer>] {
        let desk = desk
        return [.ask(key: "log \(path)") { _ in .foreign(EvalLogsBox(path: path, logs: try desk.open(path))) }]
    }

    // MARK: Samples

    /// Rows that are read at once at first, and after that.
    private static let firstRows = 128
    private static let moreRows = 2_048
    /// Maximum number of rows, without texts, in memory for slices.
    private static let mostSliced = 200_000
    static var tooManySliced: String {
        "more than \(Format.count(mostSliced)) samples: use orrery eval show LOG --by NAME to group them"
    }

    /// Reads all rows in the background, window by window.
    ///
    /// - Parameter first: Index of the first unread row. Slices need all rows, so they are reported only if this is 0.
    func readRows(_ open: OpenEval, from first: Int = 0) -> Effect<EvalAnswer> {
        let (log, id) = (open.log, open.id)
        return .stream(key: "rows") { cancellation, tell in
            var (start, size) = (first, Self.firstRows)
            var kept: [EvalRow] = []
            while true {
                try cancellation.check()
                let rows = try cancellation.during { try log.rows(start..<(start + size), isCancelled: $0) }
                start += size
                if kept.count <= Self.mostSliced { kept += rows.map(\.withoutTexts) }
                let run = log.run
                let isEnd = Self.isEnd(rows.count, of: size, before: start, run)
                if isEnd, first > 0 { return .rows(run: id, EvalRowsBox(rows: rows), head: run) }
                if isEnd {
                    tell(.sureness(run: id, isTold: Self.tellsSureness(log, kept, of: run)))
                    if kept.count <= Self.mostSliced {
                        let slices = run.slices.compactMap { try? EvalSlices(kept, of: run, by: $0) }
                        if !slices.isEmpty { tell(.slices(run: id, slices, samples: Set(kept.map(\.id)).count)) }
                    }
                    return .rows(run: id, EvalRowsBox(rows: rows), head: run)
                }
                tell(.rows(run: id, EvalRowsBox(rows: rows), head: nil))
                size = Self.moreRows
            }
        }
    }

    /// Whether a window of rows was the last one. A running run has gaps, and a log has them where lines are damaged.
    private static func isEnd(_ count: Int, of size: Int, before place: Int, _ run: EvalRun) -> Bool {
        guard run.path == nil else { return count == 0 }
        return count < size && place >= (run.total ?? run.completed)
    }

    /// Returns whether one of the first samples with a score has a confidence.
    private static func tellsSureness(_ log: any EvalLog, _ rows: [EvalRow], of run: EvalRun) -> Bool {
        guard run.scores.first?.hasThreshold == true else { return false }
        let looked = rows.lazy.filter { $0.outcome == .passed || $0.outcome == .failed }.prefix(8)
        return looked.contains { row in (try? log.sample(row.index))?.scores.contains { $0.confidence != nil } ?? false
        }
    }

    /// Asks for the rows in view that memory has not.
    func askPage() -> [Effect<EvalAnswer>] {
        guard page == .samples, let open, let page = open.missingPage(in: samples.visible) else { return [] }
        let (log, id) = (open.log, open.id)
        let range = page * OpenEval.pageRows..<(page + 1) * OpenEval.pageRows
        return [
            .ask(key: "page") { cancellation in
                .page(
                    run: id, page: page,
                    EvalRowsBox(rows: try cancellation.during { try log.rows(range, isCancelled: $0) }))
            }
        ]
    }

    /// Reads the sample under the cursor.
    mutating func followSample() -> [Effect<EvalAnswer>] {
        guard page == .samples || page == .queue, let open else { return [] }
        guard let index = page == .queue ? queue.sample : selectedSample else {
            sample = nil
            steps.count = 0
            return showText()
        }
        guard sample?.row.index != index else { return askPage() + showText(keeping: true) }
        let (log, id) = (open.log, open.id)
        return askPage() + [
            .ask(key: "sample") { _ in .sample(run: id, EvalSampleBox(sample: try log.sample(index))) }
        ]
    }

    mutating func setFilter(_ typed: String) -> [Effect<EvalAnswer>] {
        guard let current = open else { return [] }
        let filter = SampleFilter(
            typed, slices: current.run.slices, scores: current.run.scores.map(\.name))
        guard filter != current.filter else { return [] }
        if !filter.changes.isEmpty, current.contrast == nil {
            return [.notify("choose a baseline first: press b", .warning)]
        }
        let before = selectedSample
        let needsTexts = open?.set(filter) == true
        samples.count = open?.count ?? 0
        if let before, let place = open?.place(of: before) { samples.select(place) } else { samples.moveToStart() }
        layoutPanes()
        return (needsTexts ? [search(current, filter)] : [.cancel(key: "search")]) + followSample()
    }

    /// Looks through the texts of all rows.
    func search(_ open: OpenEval, _ filter: SampleFilter) -> Effect<EvalAnswer> {
        let (log, id) = (open.log, open.id)
        return .stream(key: "search") { cancellation, tell in
            var start = 0
            while true {
                try cancellation.check()
                let rows = try cancellation.during { try log.rows(start..<(start + Self.moreRows), isCancelled: $0) }
                start += Self.moreRows
                let found = rows.filter { filter.matchesTexts($0) }.map { Int32($0.index) }
                let run = log.run
                let isEnd = Self.isEnd(rows.count, of: Self.moreRows, before: start, run)
                let answer = EvalAnswer.found(
                    run: id, typed: filter.typed, samples: found, end: start, isEnd: isEnd)
                if isEnd { return answer }
                tell(answer)
            }
        }
    }

    /// A log with more samples is counted when the cursor comes to it.
    private static let mostCounted = 100_000

    /// Counts the errors of the logs of a file whose heads do not report them, so that the list is complete at once.
    func countErrors(in path: String) -> [Effect<EvalAnswer>] {
        logs.enumerated().compactMap { place, entry in
            let (log, run, id) = (entry.log, entry.run, -Int64(place + 1))
            guard entry.path == path, run.errors == nil, run.isCounted, run.completed <= Self.mostCounted else {
                return nil
            }
            return .stream(key: "errors \(id)") { cancellation, _ in
                var (start, errors) = (0, 0)
                do {
                    while true {
                        let range = start..<(start + Self.moreRows)
                        let rows = try cancellation.during { try log.rows(range, isCancelled: $0) }
                        errors += rows.count { $0.outcome == .error }
                        start += Self.moreRows
                        if Self.isEnd(rows.count, of: Self.moreRows, before: start, log.run) { break }
                    }
                } catch is EvalLogError {
                    // Reading the samples names the damage; here their errors only stay unknown.
                    return .counted(run: id, errors: nil)
                }
                return .counted(run: id, errors: errors)
            }
        }
    }

    func askConfidences() -> [Effect<EvalAnswer>] {
        if chart.kind == .confusion { return askLabels() }
        guard chart.kind.needsConfidences, let open, open.isRead, open.confidences == nil else { return [] }
        let (log, id, desk) = (open.log, open.id, desk)
        return [
            .stream(key: "confidences") { cancellation, _ in
                .confidences(run: id, try desk.confidences(log, until: cancellation))
            }
        ]
    }

    private func askLabels() -> [Effect<EvalAnswer>] {
        guard let open, open.isRead, open.labels == nil else { return [] }
        let (log, id, desk) = (open.log, open.id, desk)
        return [
            .stream(key: "labels") { cancellation, _ in .labels(run: id, try desk.labels(log, until: cancellation)) }
        ]
    }

    // MARK: Files

    func copy() -> [Effect<EvalAnswer>] {
        switch page {
        case .samples, .queue:
            guard let sample else { return [] }
            return [.copy(SampleReading(sample: sample, scores: open?.run.scores ?? []).markdown, what: "the sample")]
        case .diff:
            guard let contrast = diff.contrast else { return [] }
            return [.copy(contrast.sentence, what: "the comparison")]
        case .sides: return copySide()
        case .failures: return copyFailures()
        case .runs, .matrix:
            guard let entry = target else { return [] }
            let reading = EvalRunReading(entry: entry, open: open?.id == entry.id ? open : nil)
            return [.copy(reading.markdown, what: "the metrics")]
        }
    }
}

extension EvalRow {
    /// What slices are made of.
    fileprivate var withoutTexts: EvalRow {
        EvalRow(
            index: index, id: id, epoch: epoch, outcome: outcome, scores: scores, input: "", cluster: cluster,
            slices: slices)
    }
}
