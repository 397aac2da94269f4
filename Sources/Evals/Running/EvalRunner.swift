public import EvalLogs
internal import Providers
public import System
public import Traces
public import Workspace

/// Runs a task: sends requests, scores answers, and stores them.
///
/// ```swift
/// let runner = try EvalRunner(order, workspace: workspace)
/// let run = try runner.run(progress: { print($0.completed, $0.total) })
/// ```
///
/// Each sample is on the disk before it is counted. `init(resuming:_:workspace:)` resumes a run that was cut off: no
/// counted sample is sent again, and the final figures equal those of an undisturbed run to the last bit.
public final class EvalRunner: Sendable {
    /// Controls of the run, from any thread.
    public let controls = EvalControls()

    let order: EvalOrder
    let workspace: Workspace
    let clock: Clock
    let prices: PriceTable
    let plan: RunPlan
    let resumed: Resumed?

    /// A resumed run.
    struct Resumed: Sendable {
        var stored: StoredRun
        var again: EvalResumption
    }

    /// Creates a new run without writing anything yet.
    ///
    /// - Throws: `Problem` if a scorer or metric of the task is invalid, `Problem` if no sample is selected, or
    ///   if a budget in dollars applies to a model without a price.
    public init(
        _ order: EvalOrder, workspace: Workspace, clock: Clock = .system, prices: PriceTable = .builtIn
    ) throws {
        self.order = order
        self.workspace = workspace
        self.clock = clock
        self.prices = prices
        plan = try RunPlan(order)
        try plan.checkPrices(order, prices)
        resumed = nil
    }

    /// Creates the continuation of a run, with its samples, epochs, and seed; everything else in the order is new: the
    /// budget and the concurrency.
    ///
    /// - Throws: `Problem` if the task or the solver has changed, or another process is running the run.
    public init(
        resuming run: Int64, _ order: EvalOrder, again: EvalResumption = .rest, workspace: Workspace,
        clock: Clock = .system, prices: PriceTable = .builtIn
    ) throws {
        guard let stored = try EvalStore(workspace).intact(run) else { throw Problem.noRun(run) }
        var order = order
        order.options.limit = stored.options.limit
        order.options.only = stored.options.only
        order.options.seed = stored.options.seed
        order.options.epochs = stored.epochs
        order.options.name = stored.run.name
        let plan = try RunPlan(order)
        guard plan.digest == stored.digest else {
            throw Problem(
                .invalid, "", "The samples or scorers of \(order.task.name) have changed since run \(run)",
                remedy: "Start a new run.")
        }
        guard order.solver.identity == stored.identity else {
            guard order.solver.name != stored.run.model else {
                throw Problem(
                    .invalid, "", "\(stored.run.model) has changed since run \(run)", remedy: "Start a new run.")
            }
            throw Problem(
                .invalid, "", "Run \(run) used \(stored.run.model), not \(order.solver.name)",
                remedy: "Start a new run.")
        }
        try plan.checkPrices(order, prices)
        self.order = order
        self.workspace = workspace
        self.clock = clock
        self.prices = prices
        self.plan = plan
        resumed = Resumed(stored: stored, again: again)
    }

    /// Runs until all samples have ended, the run is canceled, or the budget is exhausted. Blocks the calling thread.
    ///
    /// - Parameters:
    ///   - job: Job that shows the progress and can cancel the run; without one, the run has its own job.
    ///   - started: Called with the number of the run once it is in the workspace.
    ///   - progress: Called on this thread, at most ten times a second, and at the end.
    /// - Returns: The run at its end.
    @discardableResult
    public func run(
        job: JobHandle? = nil, started: (Int64) -> Void = { _ in }, progress: (EvalProgress) -> Void = { _ in }
    ) throws -> EvalRun {
        try DiskRoom.check(beside: workspace.path)
        let opening = try RunOpening(self, job: job)
        started(opening.id)
        do {
            let session = try RunSession(self, opening)
            try session.run(progress: progress)
            let run = try session.close()
            if job == nil { Self.end(opening.job, run) }
            return run
        } catch {
            if job == nil { opening.job.fail("\(error)") }
            throw error
        }
    }

    static func end(_ job: JobHandle, _ run: EvalRun) {
        switch run.state {
        case .done: try? job.finish(result: #"{"run":\#(run.key),"completed":\#(run.completed)}"#)
        case .failed: job.fail(run.problem ?? "the run failed")
        default: job.cancelled()
        }
    }
}

/// Samples to repeat when a run is resumed.
public enum EvalResumption: Hashable, Sendable {
    /// Only missing samples.
    case rest
    /// Samples that ended in an error as well.
    case errors
}
