internal import EvalLogs
internal import Evals
internal import ModelLab
internal import Presentation
internal import Synchronization
internal import System
internal import Traces
internal import Workspace

/// The engine of the evals page on a workspace.
final class WorkspaceEvalDesk: EvalDesk {
    let workspace: Workspace
    private let store: EvalStore
    /// Path of the user's price table (default: the built-in table).
    private let prices: String?
    let traces: SampleTraces
    let ratings: any ReviewDesk
    /// Runs of this process, by their number.
    private let live = Mutex<[Int64: Live]>([:])

    private struct Live {
        var controls: EvalControls
        var progress: EvalProgress?
        var most: Int?
    }

    init(_ context: PanelContext) {
        workspace = context.workspace
        store = EvalStore(workspace)
        prices = context.settings.prices
        traces = SampleTraces(workspace)
        ratings = WorkspaceReviewDesk(store: ReviewStore(workspace))
    }

    // MARK: Logs

    func runs() throws -> [EvalRun] { try store.runs() }
    func log(_ run: Int64) throws -> any EvalLog { try store.log(run) }
    func open(_ path: String) throws -> [any EvalLog] { try EvalLogFormats.open(path) }

    func trace(of log: any EvalLog, sample: Int) throws -> EvalTrace {
        guard let kept = try traces.trace(of: sample, in: log) else {
            throw Problem(
                .missing, try log.sample(sample).row.id,
                "the log records no steps for this sample, so there is no trace to open")
        }
        return EvalTrace(trace: kept.summary.id, spans: kept.steps)
    }

    func contrast(_ base: any EvalLog, _ new: any EvalLog, until cancellation: Cancellation) throws -> EvalContrast {
        let join = try cancellation.during { try EvalJoin(base, new, isCancelled: $0) }
        return EvalContrast(join, EvalDiff(join, measure: try join.measure(named: nil)))
    }

    func confidences(_ log: any EvalLog, until cancellation: Cancellation) throws -> [ConfidencePoint] {
        guard let first = log.run.scores.first, first.hasThreshold else { return [] }
        return try points(log, until: cancellation) { row in
            let scores = try log.sample(row.index).scores
            let score = scores.first { $0.name == first.name } ?? scores.first
            guard let value = score?.value, let confidence = score?.confidence else { return nil }
            return ConfidencePoint(confidence: confidence, passes: first.passes(value))
        }
    }

    func labels(_ log: any EvalLog, until cancellation: Cancellation) throws -> [LabelPoint] {
        guard let first = log.run.scores.first else { return [] }
        return try points(log, until: cancellation) { row in
            guard row.outcome != .error else { return nil }
            let label = try log.sample(row.index).scores.first { $0.name == first.name }?.label
            return label.map { LabelPoint(target: row.target, label: $0) }
        }
    }

    /// Returns a point per sample that has one. If the first 1,024 samples have none, assume that none do.
    private func points<Point>(
        _ log: any EvalLog, until cancellation: Cancellation, point: (EvalRow) throws -> Point?
    ) throws -> [Point] {
        var points: [Point] = []
        let run = log.run
        for start in stride(from: 0, to: run.total ?? run.completed, by: 1_024) {
            let rows = try cancellation.during { try log.rows(start..<(start + 1_024), isCancelled: $0) }
            for row in rows {
                try cancellation.check()
                if let found = try point(row) { points.append(found) }
            }
            if points.isEmpty { break }
        }
        return points
    }

    // MARK: Starting

    func check(task: String) throws -> EvalTaskCheck {
        // Pairs of runs and questions of a corpus are made when they are run.
        if PreferencePlan.parse(task) != nil { return EvalTaskCheck(name: task, asksModel: true) }
        if TestSetPlan.parse(task) != nil { return EvalTaskCheck(name: task, asksModel: true) }
        let tasks = try TaskFormats.load(task, TaskLoading(workspace: workspace, limit: 1))
        let asksModel =
            tasks.isEmpty
            || tasks.contains { one in
                one.samples.contains { if case .recorded = $0.request { false } else { true } }
            }
        let judged = Set(Scorers.kinds.filter(\.needsJudge).map(\.name))
        return EvalTaskCheck(
            name: tasks.first?.name ?? task, asksModel: asksModel,
            asksJudge: tasks.contains { $0.scorers.contains { judged.contains($0.kind) } })
    }

    func models() throws -> [ModelEntry] { try ModelHouse(workspace).registry.entries() }

    func check(model: String) throws { _ = try ModelHouse(workspace).specification(of: model) }

    // MARK: Running

    var revision: Int? { workspace.lastWrite.hashValue }
    func prompt(of run: EvalRun) throws -> PromptVersion? { try PromptStore(workspace).prompt(of: run) }
    func progress() -> [EvalProgress] { live.withLock { $0.values.compactMap(\.progress) } }
    func progress(of run: Int64) throws -> EvalProgress? { try store.progress(of: run) }

    func start(_ start: EvalStart, _ job: JobHandle) throws -> EvalEnd {
        let runners: [EvalRunner] =
            switch start {
            case .task(let setup): try runners(of: setup)
            case .rest(let run): [try store.runner(resuming: run, prices: priceTable())]
            case .errors(let run): [try store.runner(resuming: run, again: .errors, prices: priceTable())]
            case .failed(let run): try runners(ofFailed: run)
            }
        var last: EvalRun?
        for runner in runners { last = try run(runner, job) }
        guard let last else { throw Problem(.missing, "", "The task has no samples to run") }
        if last.state == .cancelled { job.cancelled() }
        let figure = last.metrics.first.map { ", \($0.name) \(EvalFigure.text($0))" } ?? ""
        let samples = "\(last.completed) of \(last.total ?? last.completed) samples"
        var problem = last.problem.map { ": \($0)" } ?? ""
        if let errors = last.errors, errors > 0 {
            let first = try Int64(last.key).flatMap {
                try store.log($0).rows(0..<64) { false }.lazy.compactMap(\.problem).first
            }
            problem += "; \(errors) ended in an error" + (first.map { ": \($0)" } ?? "")
        }
        return EvalEnd(
            run: Int64(last.key) ?? 0, sentence: "\(last.name) \(last.state.rawValue), \(samples)\(figure)\(problem)",
            isGood: last.state == .done && (last.errors ?? 0) == 0)
    }

    private func priceTable() throws -> PriceTable {
        try prices.map { try PriceTable(contentsOf: $0) } ?? .builtIn
    }

    private func runners(of setup: EvalSetup) throws -> [EvalRunner] {
        let prices = try priceTable()
        return try setup.orders(in: workspace).map { try EvalRunner($0, workspace: workspace, prices: prices) }
    }

    /// Returns runners for the failed samples of a run, as a new run.
    private func runners(ofFailed run: Int64) throws -> [EvalRunner] {
        guard let detail = try store.detail(run), var setup = EvalSetup(arguments: detail.arguments) else {
            throw Problem(.invalid, "", "Run \(run) does not record how it was started, so it cannot be rerun")
        }
        let log = try store.log(run)
        var names: Set<String> = []
        for start in stride(from: 0, to: detail.run.total ?? detail.run.completed, by: 4_096) {
            names.formUnion(
                try log.rows(start..<(start + 4_096)) { false }.filter { $0.outcome == .failed }.map(\.id))
        }
        guard !names.isEmpty else { throw Problem(.missing, "", "No sample in \(detail.run.name) failed") }
        setup.options.only = names
        setup.options.limit = nil
        setup.options.name = "\(detail.run.name), failed"
        // The same answers from the cache would fail again.
        setup.options.usesCache = false
        return try runners(of: setup)
    }

    private func run(_ runner: EvalRunner, _ job: JobHandle) throws -> EvalRun {
        let controls = runner.controls
        var number: Int64?
        defer { if let number { live.withLock { $0[number] = nil } } }
        return try runner.run(
            job: job,
            started: { id in
                number = id
                live.withLock { $0[id] = Live(controls: controls) }
            },
            progress: { progress in
                if job.isCancelled { controls.cancel() }
                live.withLock { $0[progress.run]?.progress = progress }
            })
    }

    func stop(_ run: Int64) throws {
        if let controls = live.withLock({ $0[run]?.controls }) { return controls.cancel() }
        try store.send(.cancel, to: run)
    }

    func pause(_ run: Int64, isPaused: Bool?) throws -> Bool {
        if let controls = live.withLock({ $0[run]?.controls }) {
            if controls.isPaused { controls.resume() } else { controls.pause() }
            return controls.isPaused
        }
        // Another process runs it: the workspace has the last request.
        let was = try store.isPaused(run) ?? false
        try store.send(was ? .resume : .pause, to: run)
        return !was
    }

    func isPaused(_ run: Int64) throws -> Bool {
        try live.withLock({ $0[run]?.controls })?.isPaused ?? store.isPaused(run) ?? false
    }

    func concurrency(of run: Int64) throws -> Int? {
        if let most = live.withLock({ $0[run]?.most }) { return most }
        return try store.detail(run)?.options.concurrency
    }

    func setConcurrency(_ most: Int, of run: Int64) throws {
        if let controls = live.withLock({ $0[run]?.controls }) {
            live.withLock { $0[run]?.most = most }
            return controls.setConcurrency(most)
        }
        try store.send(.concurrency(most), to: run)
    }

    func rename(_ run: Int64, to name: String) throws { try store.rename(run, to: name) }
    func delete(_ run: Int64) throws { try store.delete(run) }
}

/// Ratings of samples of the workspace's runs and of other programs' logs.
struct WorkspaceReviewDesk: ReviewDesk {
    let store: ReviewStore

    func ratings(of run: EvalRun) throws -> [Rating] { try store.ratings(of: run.ratingKey) }
    func add(_ rating: Rating) throws { try store.add(rating) }
    func undo(rater: String, of run: EvalRun) throws -> Rating? {
        try store.undo(rater: rater, run: run.ratingKey)
    }
}
