import ArgumentParser
import CommandSupport
import Commands
import Console
import Glibc
import Presentation
import Providers
import System
import Traces
import Workbench
import Workspace

/// The `orrery notebook` command: Markdown with `orrery` blocks that run.
struct NotebookCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "notebook", abstract: "Run Markdown notebooks.", subcommands: [Run.self])

    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Run every orrery block of a notebook, and print the output.",
            discussion: """
                Each line of a block is a command without the program name, and runs in the notebook's folder. A block \
                with exit=1 in its fence must end with this status. Without --workspace, the notebook uses a temporary \
                workspace with the sample data.
                """)

        @Argument(help: "Notebook file.", completion: .file(extensions: ["md"]))
        var file: String

        @Flag(name: .shortAndLong, help: "Print only commands and failures.")
        var quiet = false

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let notebook = try Notebook(contentsOf: file)
                let place = try NotebookWorkspace(place.workspace)
                defer { place.remove() }
                // File names in commands are relative to the notebook, whatever the current folder.
                if let slash = file.lastIndex(of: "/") { chdir(String(file[...slash])) }
                let cancellation = Cancellation()
                // Each command has its own process group, so ^C in the terminal reaches only this process.
                let failures = try Interruption.cancelling(cancellation) {
                    try notebook.pieces.reduce(0) { failures, piece in
                        try failures + (runs(piece, workspace: place.path, until: cancellation) ? 0 : 1)
                    }
                }
                if failures > 0 {
                    throw Problem(
                        .invalid, file, "\(failures) commands had unexpected results",
                        remedy: "Fix the notebook or the commands listed above.")
                }
            }
        }

        /// Prints a piece, and runs it if it is a command.
        ///
        /// - Returns: Whether the command exited with the expected status.
        private func runs(_ piece: Notebook.Piece, workspace: String, until cancellation: Cancellation) throws -> Bool {
            guard case .command(let line, let number, let expected) = piece else {
                if case .prose(let text) = piece, !quiet { Output.raw(text) }
                return true
            }
            let words = try Self.words(of: line, number: number, in: file)
            let result = try Self.run(words, workspace: workspace, until: cancellation)
            Output.result("$ orrery \(line)")
            if !quiet { Output.raw(result.text) }
            let status = result.ending.status
            guard status != expected else { return true }
            Output.note("\(file), line \(number): exit status \(status), expected \(expected)")
            if quiet { Output.note(result.text) }
            return false
        }

        /// Runs this program with its output and errors interleaved, as in a terminal.
        private static func run(
            _ words: [String], workspace: String, until cancellation: Cancellation
        ) throws -> ChildProcess.Output {
            var launch = Launch(["orrery"] + words, path: "/proc/self/exe")
            launch.environment = ["ORRERY_WORKSPACE": workspace]
            let output: ChildProcess.Output
            do {
                output = try ChildProcess.run(
                    launch, limits: ChildProcess.Limits(output: .max), joinsErrors: true,
                    isCancelled: { _ in cancellation.isCancelled })
            } catch {
                throw Problem(
                    .invalid, "", "orrery cannot be started: \(error.reason)",
                    remedy: "Close other programs, or raise ulimit -n.")
            }
            if output.stop == .cancellation {
                throw Problem(.cancelled, "", "canceled", remedy: "The remaining commands were not run.")
            }
            return output
        }

        private static func words(of line: String, number: Int, in file: String) throws -> [String] {
            do { return try CommandWords.split(line) } catch { throw error.in("\(file), line \(number)") }
        }
    }
}

/// A notebook: prose and commands in order.
struct Notebook {
    enum Piece {
        case prose(String)
        case command(String, line: Int, exit: Int32)
    }

    private(set) var pieces: [Piece] = []

    init(contentsOf path: String) throws {
        self.init(try SmallFile.text(path))
    }

    init(_ text: String) {
        var exit: Int32?
        for (index, line) in text.split(separator: "\n", omittingEmptySubsequences: false).enumerated() {
            if exit == nil, line.hasPrefix("```orrery") {
                exit = 0
                for word in line.split(separator: " ").dropFirst() where word.hasPrefix("exit=") {
                    exit = Int32(word.dropFirst(5)) ?? 0
                }
            } else if exit != nil, line.hasPrefix("```") {
                exit = nil
            } else if let exit {
                let command = line.drop { $0 == " " }
                guard !command.isEmpty, !command.hasPrefix("#") else { continue }
                pieces.append(.command(String(command), line: index + 1, exit: exit))
            } else {
                pieces.append(.prose(line + "\n"))
            }
        }
    }
}

/// The workspace that a notebook uses.
struct NotebookWorkspace {
    let path: String
    private let folder: String?

    init(_ path: String?) throws {
        if let path {
            self.path = path.hasPrefix("/") ? path : (getcwd(nil, 0).map { String(cString: $0) + "/" } ?? "") + path
            folder = nil
            return
        }
        var template = Array("/tmp/orrery-notebook-XXXXXX\0".utf8CString)
        guard mkdtemp(&template) != nil else {
            throw Problem(
                .failed, "", "/tmp: cannot create a folder", remedy: "Set --workspace, or free space in /tmp.")
        }
        let folder = String(decoding: template.prefix { $0 != 0 }.map { UInt8(bitPattern: $0) }, as: UTF8.self)
        self.folder = folder
        self.path = folder + "/notebook.orrery"
        let workspace = try Workspace.open(
            self.path, migrations: .workbench, access: .readWrite, create: true)
        try SampleData.fillIfNew(workspace)
        workspace.close()
    }

    func remove() {
        guard let folder else { return }
        for suffix in ["", "-wal", "-shm"] { unlink(path + suffix) }
        rmdir(folder)
    }
}
