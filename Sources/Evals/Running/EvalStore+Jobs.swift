internal import EvalLogs
public import Traces
internal import Workspace

extension EvalStore {
    /// Kind of the jobs in which the workbench runs evals. One job may work on several runs.
    public static let workbenchJob = "eval"

    /// Returns a runner that resumes a run with its own setup.
    public func runner(
        resuming run: Int64, again: EvalResumption = .rest, prices: PriceTable = .builtIn
    ) throws -> EvalRunner {
        guard let detail = try detail(run) else { throw EvalRunError.noRun(run) }
        guard let order = try EvalSetup(arguments: detail.arguments)?.order(of: detail.run, in: workspace) else {
            throw EvalRunError("Run \(run) does not record how it was started. Start a new run of the task.")
        }
        return try EvalRunner(resuming: run, order, again: again, workspace: workspace, prices: prices)
    }

    /// Registers how jobs of evals resume after an interruption: their unfinished runs continue in the same job.
    public func registerJobs(prices: @escaping @Sendable () throws -> PriceTable) {
        let store = self
        for kind in [EvalRunner.jobKind, Self.workbenchJob] {
            workspace.jobs.register(kind) { job, handle in
                let unfinished = try store.runs().compactMap { $0.state == .done ? nil : Int64($0.key) }
                    .filter { try store.detail($0)?.job == job.id }
                guard !unfinished.isEmpty else {
                    throw EvalRunError("\(job.title) has no run left to resume. Start a new run of the task.")
                }
                handle.restart()
                for run in unfinished {
                    let ended = try store.runner(resuming: run, prices: prices()).run(job: handle)
                    guard ended.state == .done else { return EvalRunner.end(handle, ended) }
                }
            }
        }
    }
}
