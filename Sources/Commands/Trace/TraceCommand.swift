import ArgumentParser
import CommandSupport
import Console
import Formatting
import JSON
import LanguageModels
import Presentation
import System
import Traces
import Workspace

/// The `orrery trace` command: traces of agents and models.
struct TraceCommand: ParsableCommand {
    static let configuration = CommandConfiguration(
        commandName: "trace", abstract: "Import, list, read, and export traces of agents and models.",
        subcommands: [
            Discover.self, Import.self, List.self, Show.self, Search.self, Export.self, Rename.self, Delete.self,
            Undo.self,
        ])
}

extension TraceCommand {
    struct Discover: ReadingCommand {
        static let configuration = CommandConfiguration(
            commandName: "discover", abstract: "Find sessions that coding agents saved on this machine.")

        @OptionGroup var reading: TableOptions

        func result(in options: TableOptions) throws -> Listing<DiscoveredSession> {
            let sessions = SessionDiscovery.current.sessions()
            return Listing(
                sessions, "sessions",
                empty: "no sessions under ~/.claude/projects or ~/.codex/sessions. To import other files, run: "
                    + "orrery trace import PATH",
                notes: sessions.isEmpty
                    ? [] : ["To import a session or a folder of sessions, run: orrery trace import PATH"])
        }
    }

    struct Show: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "show", abstract: "Print a trace as a tree, or one step in full.",
            discussion: "TRACE is an id, a unique prefix of an id, or #row with the row number from trace list --json.")

        @Argument(help: "Trace: id, unique prefix, or #row.")
        var trace: String

        @Option(help: "Step number. Shows its context, response, and tool results.")
        var step: Int?

        @Option(help: "Show only spans that match this filter.")
        var filter: String = ""

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = TraceStore(try place.openForReading())
                let replay = Replay(try store.loaded(trace))
                if let step {
                    guard (1...max(1, replay.count)).contains(step), replay.count > 0 else {
                        throw Problem(
                            .missing, "", "the trace has no step \(step)", remedy: "Use --step 1 to \(replay.count).")
                    }
                    return try TraceText.printStep(step - 1, of: replay, store: store, json: output.json)
                }
                try TraceText.printTree(of: replay, store: store, filter: Filter(parsing: filter), json: output.json)
            }
        }
    }

    struct Search: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "search", abstract: "Find text in messages, arguments, and results.")

        @Argument(help: "Text to find, ignoring case.")
        var text: String

        @Option(help: "Maximum number of matches.")
        var limit: Int = 20

        @OptionGroup var place: WorkspaceOptions
        @OptionGroup var output: JSONOption

        func run() throws {
            try answering {
                let store = TraceStore(try place.openForReading())
                let found = try store.search(text, limit: limit)
                if output.json { Output.json(found) }
                guard !found.hits.isEmpty else {
                    throw Problem(
                        .missing, "", "no trace contains \"\(text)\"",
                        remedy: "Matches are case-insensitive; try shorter text.")
                }
                if output.json { return }
                var replays: [Int64: Replay] = [:]
                for hit in found.hits {
                    if replays[hit.trace] == nil { replays[hit.trace] = try store.trace(hit.trace).map { Replay($0) } }
                    guard let replay = replays[hit.trace] else { continue }
                    let id = replay.trace.summary.externalID.prefix(12)
                    let step = hit.span.flatMap(replay.step(of:)).map { "step \($0 + 1)" } ?? ""
                    Output.result("\(id)  \(step)  \(Printable.line(hit.snippet))")
                }
                if found.scanned { Output.note("the full-text index is incomplete, so all texts were scanned") }
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Write a trace, or one step of it, as Markdown or JSON.")

        @Argument(help: "Trace: id, unique prefix, or #row.")
        var trace: String

        @Argument(help: "Output file: .md, .json, or - for standard output.", completion: .file())
        var output: String = "-"

        @Option(help: "Step to export, from 1 (default: all).")
        var step: Int?

        @Flag(help: "Overwrite an existing file.")
        var force = false

        @Option(help: "Format: md or json (default: by file extension).")
        var format: String?

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = TraceStore(try place.openForReading())
                let replay = Replay(try store.loaded(trace))
                let export = TraceExport(replay, store: store)
                let format =
                    try format.map { name in
                        guard let format = TraceExport.Format(rawValue: name) else {
                            throw ValidationError("unknown format \"\(name)\". Use md or json.")
                        }
                        return format
                    } ?? TraceExport.Format(path: output)
                guard output != "-" else { return try write(export, as: format, replay) { Output.raw($0) } }
                try ExportFile.write(output, replacing: force) { try write(export, as: format, replay, to: $0) }
                Output.note("wrote \(output)")
            }
        }

        private func write(
            _ export: TraceExport, as format: TraceExport.Format, _ replay: Replay, to file: (String) throws -> Void
        ) throws {
            guard let step else { return try export.writeRun(as: format, to: file) }
            guard step >= 1, step <= replay.count else {
                throw Problem(.missing, "", "the trace has no step \(step)", remedy: "Use --step 1 to \(replay.count).")
            }
            try export.write(span: replay.steps[step - 1], as: format, to: file)
        }
    }
}
