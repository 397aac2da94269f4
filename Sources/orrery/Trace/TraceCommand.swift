import ArgumentParser
import Console
import JSON
import LanguageModels
import Traces
import Workbench
import Workspace

/// `orrery trace`: what agents and models did.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Import, list, read and export traces of agents and models.",
        subcommands: [
            Discover.self, Import.self, List.self, Show.self, Search.self, Export.self, Rename.self, Delete.self,
            Undo.self, Fuzz.self,
        ])
}

extension TraceCommand {
    struct Discover: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "discover", abstract: "Find the sessions that coding agents have left on this machine.")

        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let sessions = SessionDiscovery.current.sessions()
                if output.json {
                    var json = JSONWriter(style: .pretty)
                    json.object { $0.member("sessions", sessions) }
                    return Output.result(json.text)
                }
                guard !sessions.isEmpty else {
                    return Output.result("no sessions under ~/.claude/projects or ~/.codex/sessions")
                }
                var table = TextTable(["modified", "size", "format", "session"], rightAligned: [1])
                for session in sessions {
                    table.add([
                        Clock.text(session.modified), Format.bytes(session.size),
                        session.isReadable ? session.format : "\(session.format), not readable yet", session.path,
                    ])
                }
                Output.result(table.text)
                Output.note("orrery trace import PATH reads one; a folder reads all in it.")
            }
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print a trace as a tree, or one of its steps as it was.",
            discussion: "A trace is named by its id, a unique beginning of it, or #row as trace list --json says.")

        @Argument(help: "The trace.")
        var trace: String

        @Option(help: "A step, from 1: what the model saw, what it answered, what the tool returned.")
        var step: Int?

        @Option(help: "Only spans that match.")
        var filter: String = ""

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = TraceStore(try place.openForReading())
                let replay = Replay(try store.loaded(trace))
                if let step {
                    guard (1...max(1, replay.count)).contains(step), replay.count > 0 else {
                        throw Failure("the trace has \(replay.count) steps: --step takes 1 to \(replay.count).")
                    }
                    return try TraceText.printStep(step - 1, of: replay, store: store, json: output.json)
                }
                try TraceText.printTree(of: replay, store: store, filter: Filter(parsing: filter), json: output.json)
            }
        }
    }

    struct Search: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search", abstract: "Find text in messages, arguments and results.")

        @Argument(help: "The text; case does not matter.")
        var text: String

        @Option(help: "At most so many.")
        var limit: Int = 20

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = TraceStore(try place.openForReading())
                let found = try store.search(text, limit: limit)
                if output.json { Output.json(found) }
                guard !found.hits.isEmpty else { throw Failure("not found: \(text)") }
                if output.json { return }
                var replays: [Int64: Replay] = [:]
                for hit in found.hits {
                    if replays[hit.trace] == nil { replays[hit.trace] = try store.trace(hit.trace).map { Replay($0) } }
                    guard let replay = replays[hit.trace] else { continue }
                    let id = replay.trace.summary.externalID.prefix(12)
                    let step = hit.span.flatMap(replay.step(of:)).map { "step \($0 + 1)" } ?? ""
                    Output.result("\(id)  \(step)  \(Printable.line(hit.snippet))")
                }
                if found.scanned { Output.note("the index does not cover everything yet: the texts were read") }
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write a trace, or one step of it, as Markdown or JSON.")

        @Argument(help: "The trace.")
        var trace: String

        @Argument(help: "Where to: .md or .json; - for standard output.", completion: .file())
        var output: String = "-"

        @Option(help: "Only this step, from 1.")
        var step: Int?

        @Flag(help: "Replace a file that is there already.")
        var force = false

        @Option(help: "md or json, where the file's name does not say.")
        var format: String?

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = TraceStore(try place.openForReading())
                let replay = Replay(try store.loaded(trace))
                let export = TraceExport(replay, store: store, figures: TraceFigures.export)
                let format =
                    try format.map { name in
                        guard let format = TraceExport.Format(rawValue: name) else {
                            throw ValidationError("\(name) is no format: use md or json.")
                        }
                        return format
                    } ?? TraceExport.Format(path: output)
                guard output != "-" else { return try write(export, as: format, replay) { Output.raw($0) } }
                try ExportFile.write(output, replacing: force) { try write(export, as: format, replay, to: $0) }
                Output.note("written to \(output)")
            }
        }

        private func write(
            _ export: TraceExport, as format: TraceExport.Format, _ replay: Replay, to file: (String) throws -> Void
        ) throws {
            guard let step else { return try export.writeRun(as: format, to: file) }
            guard step >= 1, step <= replay.count else {
                throw Failure("the trace has \(replay.count) steps: --step takes 1 to \(replay.count).")
            }
            try export.write(span: replay.steps[step - 1], as: format, to: file)
        }
    }
}
