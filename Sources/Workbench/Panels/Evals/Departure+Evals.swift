internal import Console
internal import EvalLogs
internal import Evals
internal import Workspace

extension Departure {
    /// Returns the eval runs that end with this process.
    ///
    /// - Parameter jobs: Running jobs of this process.
    static func evals(_ jobs: Set<Int64>, in workspace: Workspace) throws -> [Departure] {
        let store = EvalStore(workspace)
        return try store.runs().filter { $0.state == .running }.compactMap { run in
            guard let id = Int64(run.key), let detail = try store.detail(id), let job = detail.job, jobs.contains(job)
            else { return nil }
            let total = run.total.map { " of \(Format.count($0))" } ?? ""
            let refusal =
                EvalSetup(arguments: detail.arguments) == nil
                ? "The run does not record how it was started, so it cannot continue in the background." : nil
            return Departure(
                name: Escape.printable(run.name), standing: "\(Format.count(run.completed))\(total) samples",
                refusal: refusal
            ) {
                // `eval resume` waits until this process has released the run.
                let folder = XDG.current.state
                XDG.makeFolder(folder)
                try DetachedProcess.start(
                    arguments: ["eval", "resume", "\(id)", "--when-free", "--workspace", workspace.path],
                    log: "\(folder)/eval-\(id).log")
            }
        }
    }
}
