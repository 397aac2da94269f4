import ArgumentParser
import Console
import Glibc
import Traces
import Workbench
import Workspace

/// `orrery [FILE | WORKSPACE]`: the workbench.
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the workbench (what orrery alone does).")

    @Argument(help: "A workspace, or a recorded file: it is imported and shown.", completion: .file())
    var path: String?

    @OptionGroup var place: WorkspaceOptions
    @OptionGroup var appearance: AppearanceOptions

    func run() throws {
        try answering {
            guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
                throw Failure(
                    "the workbench needs a terminal. orrery show traces prints a panel without one, and orrery --help "
                        + "lists the commands.")
            }
            var place = place
            var file = path
            if let path, path.hasSuffix(".orrery") || WorkspaceFile.isOne(path) {
                place.workspace = path
                file = nil
            }
            let workspace = try place.open()
            var reference: Reference?
            if let file {
                reference = try Self.importing(file, into: workspace)
            } else if place.named == nil {
                try SampleData.fillIfNew(workspace)
            }
            TraceStore(workspace).registerJobs()
            let status = try Workbench.run(
                workspace: workspace, settings: appearance.settings(), opening: reference)
            if status != 0 { throw ExitCode(status) }
        }
    }

    /// Brings a recorded file into the workspace and names the trace that it holds.
    private static func importing(_ file: String, into workspace: Workspace) throws -> Reference {
        let store = TraceStore(workspace)
        let line = ProgressLine("importing")
        let report = try store.importTraces([file], progress: line.show)
        line.end()
        guard let trace = try store.traces(fromFile: file).first else {
            throw Failure("\(file): it was read, \(Format.bytes(report.bytes)), and holds no trace. Nothing is shown.")
        }
        return Reference(trace)
    }
}

/// Whether a file is one of our workspaces, by its first bytes.
enum WorkspaceFile {
    static func isOne(_ path: String) -> Bool {
        guard let file = fopen(path, "re") else { return false }
        defer { fclose(file) }
        var head = [UInt8](repeating: 0, count: 100)
        guard fread(&head, 1, head.count, file) == head.count, head.starts(with: "SQLite format 3\0".utf8) else {
            return false
        }
        let id = head[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        return id == Workspace.applicationID
    }
}
