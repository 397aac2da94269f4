import Traces
import Workbench
import Workspace

/// The logs that the eval panel of a workspace has open beside the runs of the workspace.
struct OpenEvalLogs {
    let logs: [any EvalLog]

    /// Opens the logs. A log that was moved or damaged since the panel opened it is left out.
    init(in workspace: Workspace) throws {
        let paths = try PanelScreen.openEvalLogs(in: workspace)
        // Failure is harmless: the panel names a log that no longer opens, and the other runs are still found.
        logs = paths.flatMap { (try? EvalLogFormats.open($0)) ?? [] }
    }

    /// The log of this name; nil if no open log has it.
    ///
    /// - Throws: `Failure` if several open logs have this name.
    func log(named name: String) throws -> (any EvalLog)? {
        let found = logs.filter { $0.run.name == name }
        guard found.count > 1 else { return found.first }
        let paths = found.compactMap(\.run.path)
        guard Set(paths).count == found.count else {
            throw Failure(
                "\(name) is the name of \(found.count) runs in \(paths.first ?? "a log"): name one by PATH#2.")
        }
        throw Failure("\(name) is the name of \(found.count) open logs: give a path, as in \(paths[0]).")
    }

    /// The only open log whose name begins like this, unless a run of the workspace does too; nil if there is none.
    ///
    /// - Throws: `Failure` if the beginning fits several names.
    func log(beginning prefix: String, besides runs: [String]) throws -> (any EvalLog)? {
        let found = Set(logs.map(\.run.name).filter { $0.hasPrefix(prefix) })
        guard !prefix.isEmpty, let name = found.min() else { return nil }
        let all = found.union(runs.filter { $0.hasPrefix(prefix) })
        guard all.count == 1 else {
            let names = all.sorted().prefix(3).joined(separator: ", ")
            throw Failure("\(prefix) may be any of \(names): write the whole name.")
        }
        return runs.contains(name) ? nil : try log(named: name)
    }
}
