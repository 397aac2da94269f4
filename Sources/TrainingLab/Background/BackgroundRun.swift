public import System
internal import Training
internal import Workspace

/// Continues a run in a separate process, detached from the terminal and from the process that started the run.
///
/// ```swift
/// for run in try store.runsOfThisProcess() where BackgroundRun.refusal(run) == nil {
///     try BackgroundRun.start(run, of: store)
/// }
/// // This process ends its runs with a checkpoint, as usual. The new processes continue from there.
/// ```
///
/// The new process waits until the run's folder is free, however late the old process releases it. If the old process
/// ends with a checkpoint, the next step follows; if it is killed, the steps since the last checkpoint are repeated.
/// Each step depends only on the checkpoint, so the curve is identical bit for bit.
public enum BackgroundRun {
    /// A started process, and the log file of its output.
    public struct Started: Hashable, Sendable {
        public var process: Int32
        public var log: String
    }

    /// Returns why a run cannot continue in the background, or nil.
    public static func refusal(_ run: RunSummary) -> String? {
        if run.isForeign { return "\(run.name) belongs to another program. Resume it there." }
        guard let folder = run.folder else { return "\(run.name) has no checkpoint to resume from." }
        if RunOrigin(in: folder) == nil { return "\(folder)/run.json is missing or has no configuration." }
        if run.state == .finished { return "\(run.name) has already finished all steps." }
        return nil
    }

    /// Starts the process.
    ///
    /// - Parameter program: the program whose `train resume` continues the run; by default this one.
    /// - Throws: `Problem` if the run cannot continue or the process cannot be started.
    @discardableResult
    public static func start(
        _ run: RunSummary, of store: RunStore, program: String = "/proc/self/exe"
    ) throws(Problem) -> Started {
        if let refusal = refusal(run) { throw Problem(.invalid, "", refusal) }
        let log = "\(run.folder ?? ".")/background.log"
        let words = ["train", "resume", "\(run.id)", "--when-free", "--workspace", store.workspace.path]
        let process = try DetachedProcess.start(program, arguments: words, log: log)
        return Started(process: process, log: log)
    }
}

extension RunStore {
    /// The runs that this process is training; they end with it, unless they continue in the background.
    public func runsOfThisProcess() throws -> [RunSummary] {
        let mark = ProcessMark.current.text
        let ids = try workspace.read { db in
            let row = try Workspace.Statement(db, "SELECT id FROM training_run WHERE process = ? AND deleted IS NULL")
            row.bind(1, mark)
            var ids: Set<Int64> = []
            while try row.step() { ids.insert(row.int64(0)) }
            return ids
        }
        guard !ids.isEmpty else { return [] }
        return try runs().filter { ids.contains($0.id) && $0.state.isLive }
    }
}
