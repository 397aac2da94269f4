internal import Console
internal import Evals
internal import Traces
internal import Workspace

/// Moves eval runs of this process to background processes when the user leaves the workbench.
struct EvalDeparture: Sendable {
    private let store: EvalStore

    init(_ workspace: Workspace) { store = EvalStore(workspace) }

    /// The runs that end when this process does.
    ///
    /// - Parameter jobs: running jobs of this process.
    func underWay(_ jobs: Set<Int64>) throws -> [Departure] {
        try store.runs().filter { $0.state == .running }.compactMap { run in
            guard let id = Int64(run.key), let detail = try store.detail(id), let job = detail.job, jobs.contains(job)
            else { return nil }
            let total = run.total.map { " of \(Format.count($0))" } ?? ""
            let refusal =
                EvalSetup(arguments: detail.arguments) == nil
                ? "The run does not record how it was started, so it cannot continue in the background." : nil
            return Departure(
                name: Escape.printable(run.name), standing: "\(Format.count(run.completed))\(total) samples",
                refusal: refusal
            ) { [store] in try Self.resume(id, in: store.workspace) }
        }
    }

    /// Starts `eval resume`, which waits until this process has released the run.
    private static func resume(_ run: Int64, in workspace: Workspace) throws {
        let folder = XDG.current.state
        XDG.makeFolder(folder)
        try DetachedProcess.start(
            arguments: ["eval", "resume", "\(run)", "--when-free", "--workspace", workspace.path],
            log: "\(folder)/eval-\(run).log")
    }
}
