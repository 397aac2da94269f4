import ArgumentParser
import CommandSupport
import Commands
import Console
import EvalLogs
import Evals
import Formatting
import Glibc
import KernelLab
import LanguageModels
import ModelLab
import Models
import Presentation
import System
import Traces
import Workbench
import Workspace

/// The `orrery [FILE | WORKSPACE]` command: the workbench.
struct OpenCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "open", abstract: "Open the workbench, like orrery without a command.")

    @Argument(help: "Workspace, or a recorded file to import and show.", completion: .file())
    var path: String?

    @OptionGroup var place: WorkspaceOptions
    @OptionGroup var appearance: AppearanceOptions

    func run() throws {
        try answering {
            if let path, !path.hasSuffix(".orrery"), access(path, F_OK) != 0 {
                throw Problem(
                    .missing, path, "no such file or command",
                    remedy: "Check the path, or list commands with orrery --help.")
            }
            guard isatty(STDIN_FILENO) == 1, isatty(STDOUT_FILENO) == 1 else {
                throw Problem(
                    .invalid, "", "the workbench requires a terminal",
                    remedy: "Without one, print a panel with orrery show traces, or list commands with orrery --help.")
            }
            var place = place
            var file = path
            if let path, path.hasSuffix(".orrery") || WorkspaceFile.isOne(path) {
                place.workspace = path
                file = nil
            }
            let workspace = try place.openAsFarAsPossible(needsWriting: file != nil)
            var reference: Reference?
            var screen: PanelScreen?
            if let file, let log = EvalLogFile.path(file) {
                screen = .evalLogs(at: [log])
            } else if let file {
                reference = try Self.importing(file, into: workspace)
            }
            TraceStore(workspace).registerJobs()
            EvalStore(workspace).registerJobs { try .settings(.workbench()) }
            let isDefault = path == nil && place.named == nil && workspace.access == .readWrite
            let status = try Workbench.run(
                workspace: workspace, settings: appearance.settings(), opening: reference, screen: screen,
                notice: try isDefault && TraceStore(workspace).isUnused() ? "Importing samples…" : nil,
                prepare: { if isDefault { try SampleData.fillIfNew(workspace) } })
            if status != 0 { throw ExitCode(status) }
        }
    }

    /// Imports a file into the workspace and returns a reference to its content: a model, a user's kernel, a profile,
    /// or a trace.
    private static func importing(_ file: String, into workspace: Workspace) throws -> Reference {
        if file.hasSuffix(".c") || file.hasSuffix(".toml") {
            let store = OwnKernelStore(workspace)
            let kernel = try OwnKernel(contentsOf: file)
            let path = try store.add(kernel)
            return Reference(.ownKernel, [try store.id(of: path) ?? 0], title: kernel.function)
        }
        if Checkpoints.recognizes(file) { return try openingModel(file, in: workspace) }
        if ProfileFormats.recognizes(head: SmallFile.head(file, 1 << 16) ?? []) != nil {
            return Reference(try ProfileStore(workspace).importProfile(file).summary)
        }
        return try importingTrace(file, into: workspace)
    }

    /// Registers a model and starts a session with it.
    private static func openingModel(_ file: String, in workspace: Workspace) throws -> Reference {
        let house = ModelHouse(workspace)
        let entry = try house.add(file, name: nil, at: Clock.nanoseconds(.wall))
        let session = try GenerationStore(workspace).save(
            Session(
                title: entry.name, created: Clock.nanoseconds(.wall), changed: Clock.nanoseconds(.wall),
                draft: PromptDocument(model: entry.name, input: .text("")).text))
        return Reference(.session, [session.id], title: session.title)
    }

    private static func importingTrace(_ file: String, into workspace: Workspace) throws -> Reference {
        let store = TraceStore(workspace)
        let line = ProgressLine("importing")
        let report = try store.importTraces([file], progress: line.show)
        line.end()
        guard let trace = try store.traces(fromFile: file).first else {
            throw Problem(
                .missing, file, "no trace found in \(Format.bytes(report.bytes))",
                remedy: "Choose another file, or run orrery trace import FILE.")
        }
        return Reference(trace)
    }
}

/// Recognizes evaluation logs of other programs.
enum EvalLogFile {
    /// Returns the absolute path of a log or an lm-evaluation-harness folder; `nil` for other files.
    static func path(_ path: String) -> String? {
        var status = stat()
        guard stat(path, &status) == 0 else { return nil }
        let isLog =
            status.st_mode & S_IFMT == S_IFDIR
            ? (try? EvalLogFormats.open(path)).map { !$0.isEmpty } ?? false
            : EvalLogFormats.recognizes(SmallFile.head(path, 1 << 16) ?? [])
        return isLog ? EvalPaths.absolute(path) : nil
    }
}

/// Recognizes workspace files by their first bytes.
enum WorkspaceFile {
    static func isOne(_ path: String) -> Bool {
        let head = SmallFile.head(path, 1 << 16) ?? []
        guard head.count >= 100, head.starts(with: "SQLite format 3\0".utf8) else { return false }
        let id = head[68..<72].reduce(Int32(0)) { $0 << 8 | Int32($1) }
        return id == Workspace.applicationID
    }
}
