import ArgumentParser
import Console
import Traces

extension TraceCommand {
    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a trace another name.")

        @Argument(help: "The trace.") var trace: String
        @Argument(help: "The name.") var name: String
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = TraceStore(try place.openExisting())
                let run = try store.find(trace)
                try store.rename(run.id, to: name)
                Output.result(
                    Printable.line("\(run.externalID.prefix(12)) is now called \(name); it was \(run.name)"))
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete traces; trace undo brings them back until workspace prune.")

        @Argument(help: "The traces.") var traces: [String]
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = TraceStore(try place.openExisting())
                let runs = try traces.map { try store.find($0) }
                try store.delete(runs.map(\.id))
                for run in runs {
                    Output.result(Printable.line("deleted \(run.externalID.prefix(12))  \(run.name)"))
                }
                if Output.errorIsTerminal { Output.note("orrery trace undo brings back what was deleted.") }
            }
        }
    }

    struct Undo: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "undo", abstract: "Undo the last deletion or renaming.")

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = TraceStore(try place.openExisting())
                Output.result(try store.undo().map(Printable.line) ?? "there is nothing to undo")
            }
        }
    }
}
