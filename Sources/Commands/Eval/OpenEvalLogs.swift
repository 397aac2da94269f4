import CommandSupport
import EvalLogs
import Presentation
import System
import Traces
import Workspace

/// Logs that are open in the eval panel of a workspace.
struct OpenEvalLogs {
    let logs: [any EvalLog]

    /// Opens the logs. A log that was moved or damaged since the panel opened it is omitted.
    init(in workspace: Workspace) throws {
        let paths = try PanelScreen.openEvalLogs(in: workspace)
        // Problem is harmless: the panel reports the log, and other runs are still found.
        logs = paths.flatMap { (try? EvalLogFormats.open($0)) ?? [] }
    }

    /// Returns the log with this name; `nil` if no open log has it.
    ///
    /// - Throws: `Problem` if several open logs have this name.
    func log(named name: String) throws -> (any EvalLog)? {
        let found = logs.filter { $0.run.name == name }
        guard found.count > 1 else { return found.first }
        let paths = found.compactMap(\.run.path)
        guard Set(paths).count == found.count else {
            throw Problem(
                .invalid, "", "\(found.count) runs in \(paths.first ?? "a log") are named \(name)",
                remedy: "Use PATH#2.")
        }
        throw Problem(
            .invalid, "", "\(found.count) open logs are named \(name)", remedy: "Use a path, such as \(paths[0]).")
    }

    /// Returns the only open log whose name starts with `prefix`; `nil` if there is none or a run matches, too.
    ///
    /// - Throws: `Problem` if several names match.
    func log(beginning prefix: String, besides runs: [String]) throws -> (any EvalLog)? {
        let found = Set(logs.map(\.run.name).filter { $0.hasPrefix(prefix) })
        guard !prefix.isEmpty, let name = found.min() else { return nil }
        let all = found.union(runs.filter { $0.hasPrefix(prefix) })
        guard all.count == 1 else {
            let names = all.sorted().prefix(3).joined(separator: ", ")
            throw Problem(.invalid, "", "\"\(prefix)\" is ambiguous: \(names)", remedy: "Use the full name.")
        }
        return runs.contains(name) ? nil : try log(named: name)
    }
}
