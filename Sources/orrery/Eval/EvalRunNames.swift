import ArgumentParser
import Evals
import Glibc
import Traces
import Workbench
import Workspace

/// What a shell offers where a run is wanted. A workspace that cannot be read offers nothing, and says nothing.
enum EvalRunNames {
    /// What an argument takes that is a run of the workspace, or a log.
    static var help: ArgumentHelp {
        ArgumentHelp(
            "A run: its number, its name or the beginning of it, or latest; or the file of a log.", valueName: "run")
    }

    /// The runs of the workspace.
    static var completion: CompletionKind {
        .custom { words, _, prefix in names(words).filter { $0.hasPrefix(prefix) } }
    }

    /// The runs of the workspace, and files: logs of other programs will do as well.
    static var completionWithFiles: CompletionKind {
        .custom { words, _, prefix in names(words).filter { $0.hasPrefix(prefix) } + files(beginning: prefix) }
    }

    /// The properties that samples of the workspace's runs are told apart by.
    static var slices: CompletionKind {
        .custom { words, _, prefix in unique(runs(words).flatMap(\.slices)).filter { $0.hasPrefix(prefix) } }
    }

    static func number(of run: EvalRun, called word: String) throws -> Int64 {
        guard let number = Int64(run.key) else { throw Failure("\(word): this is no run of the workspace.") }
        return number
    }

    private static func names(_ words: [String]) -> [String] {
        let runs = runs(words)
        return runs.isEmpty ? [] : unique(["latest"] + runs.map(\.name))
    }

    /// - Parameter words: those of the command line, which may name a workspace.
    private static func runs(_ words: [String]) -> [EvalRun] {
        var place = WorkspaceOptions()
        place.workspace = zip(words, words.dropFirst()).reversed().first { ["-w", "--workspace"].contains($0.0) }?.1
        guard let path = try? place.path(creating: false), access(path, R_OK) == 0,
            let workspace = try? Workspace.open(
                path, migrations: Workbench.migrations, access: .readOnly, create: false)
        else { return [] }
        defer { workspace.close() }
        return (try? EvalStore(workspace).runs()) ?? []
    }

    private static func unique(_ words: [String]) -> [String] {
        var seen: Set<String> = []
        return words.filter { seen.insert($0).inserted }
    }

    /// Files and folders whose path begins so; a folder ends with `/`.
    private static func files(beginning prefix: String) -> [String] {
        let folder = prefix.lastIndex(of: "/").map { String(prefix[...$0]) } ?? ""
        let start = prefix.dropFirst(folder.count)
        guard let stream = opendir(folder.isEmpty ? "." : folder) else { return [] }
        defer { closedir(stream) }
        var found: [String] = []
        while let entry = readdir(stream) {
            let name = withUnsafeBytes(of: entry.pointee.d_name) { bytes in
                String(decoding: bytes.prefix { $0 != 0 }, as: UTF8.self)
            }
            guard name.hasPrefix(start), !name.hasPrefix(".") || start.hasPrefix(".") else { continue }
            guard name != ".", name != ".." else { continue }
            found.append(folder + name + (isFolder(folder + name) ? "/" : ""))
        }
        return found.sorted()
    }

    private static func isFolder(_ path: String) -> Bool {
        var status = stat()
        return stat(path, &status) == 0 && status.st_mode & S_IFMT == S_IFDIR
    }
}
