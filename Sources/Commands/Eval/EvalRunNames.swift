import ArgumentParser
import CommandSupport
import EvalLogs
import Evals
import Glibc
import Presentation
import System
import Workspace

/// Shell completions for runs. A workspace that cannot be read offers no completions and prints no error.
enum EvalRunNames {
    /// Help of an argument that accepts a run of the workspace or a log.
    static var help: ArgumentHelp {
        ArgumentHelp(
            "Run number, run or log name, latest, or log file.", valueName: "run")
    }

    /// Completes runs of the workspace.
    static var completion: CompletionKind {
        .custom { words, _, prefix in names(words).filter { $0.hasPrefix(prefix) } }
    }

    /// Completes runs of the workspace, its open logs, and files.
    static var completionWithFiles: CompletionKind {
        .custom { words, _, prefix in
            unique(names(words) + openLogs(words)).filter { $0.hasPrefix(prefix) } + files(beginning: prefix)
        }
    }

    /// Completes sample properties of the workspace's runs.
    static var slices: CompletionKind {
        .custom { words, _, prefix in unique(runs(words).flatMap(\.slices)).filter { $0.hasPrefix(prefix) } }
    }

    /// Returns the number of the run that `find` returns for a word.
    ///
    /// - Throws: Errors of `find`; for the name of an open log, a `Problem` with the path of the log.
    static func number(of word: String, in store: EvalStore, _ find: () throws -> EvalRun) throws -> Int64 {
        do {
            if let number = Int64(try find().key) { return number }
        } catch let error as Problem {
            guard let path = try OpenEvalLogs(in: store.workspace).log(named: word)?.run.path else { throw error }
            throw Problem(
                .invalid, "", "\(word) is an open log (\(path)), but this command requires a run of the workspace")
        }
        throw Problem(
            .invalid, "", "\(word) is not a run of the workspace", remedy: "To list runs, use: orrery eval list")
    }

    private static func names(_ words: [String]) -> [String] {
        let runs = runs(words)
        return runs.isEmpty ? [] : unique(["latest"] + runs.map(\.name))
    }

    private static func runs(_ words: [String]) -> [EvalRun] {
        reading(words) { try EvalStore($0).runs() } ?? []
    }

    /// Returns the names of the open logs of the workspace.
    private static func openLogs(_ words: [String]) -> [String] {
        reading(words) { try OpenEvalLogs(in: $0).logs.map(\.run.name) } ?? []
    }

    /// Returns what `body` reads from the workspace of a command line; `nil` if that fails.
    private static func reading<Value>(_ words: [String], _ body: (Workspace) throws -> Value) -> Value? {
        var place = WorkspaceOptions()
        place.workspace = zip(words, words.dropFirst()).reversed().first { ["-w", "--workspace"].contains($0.0) }?.1
        // Problem is harmless: there are fewer completions.
        guard let path = try? place.path(creating: false), access(path, R_OK) == 0,
            let workspace = try? Workspace.open(
                path, migrations: .workbench, access: .readOnly, create: false)
        else { return nil }
        defer { workspace.close() }
        return try? body(workspace)
    }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }

    /// Returns files and folders whose path starts with `prefix`; a folder ends with `/`.
    private static func files(beginning prefix: String) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let start = prefix.dropFirst(folder.count)
        return Folder.readableNames(in: folder.isEmpty ? "." : folder)
            .filter { $0.hasPrefix(start) && (!$0.hasPrefix(".") || start.hasPrefix(".")) }
            .map { folder + $0 + (isFolder(folder + $0) ? "/" : "") }
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
