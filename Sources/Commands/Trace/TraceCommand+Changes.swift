import ArgumentParser
import CommandSupport
import Console
import Traces

extension TraceCommand {
    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Rename a trace.")

        @Argument(help: "Trace: id, unique prefix, or #row.") var trace: String
        @Argument(help: "New name.") var name: String
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = TraceStore(try place.openExisting())
                let run = try store.find(trace)
                try store.rename(run.id, to: name)
                Output.result(
                    Printable.line("renamed \(run.externalID.prefix(12)) from \(run.name) to \(name)"))
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete traces; trace undo restores them until workspace prune.")

        @Argument(help: "Traces: ids, unique prefixes, or #rows.") var traces: [String]
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = TraceStore(try place.openExisting())
                let runs = try traces.map { try store.find($0) }
                try store.delete(runs.map(\.id))
                for run in runs {
                    Output.result(Printable.line("deleted \(run.externalID.prefix(12))  \(run.name)"))
                }
                if Output.errorIsTerminal { Output.note("To restore deleted traces, run: orrery trace undo") }
            }
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo", abstract: "Undo the last deletion or rename.")

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = TraceStore(try place.openExisting())
                Output.result(try store.undo().map(Printable.line) ?? "nothing to undo")
            }
        }
    }
}
