import ArgumentParser
import Evals
import Traces
import Workspace

extension EvalCommand {
    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause", abstract: "Let a run ask nothing new until eval continue.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws { try answering { try send(.pause, argument, place, "asks nothing new") } }
    }

    struct Continue: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "continue", abstract: "Let a run that waits go on.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws { try answering { try send(.resume, argument, place, "goes on") } }
    }

    struct Cancel: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "cancel", abstract: "End a run; what is done is kept, and eval resume goes on.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws { try answering { try send(.cancel, argument, place, "ends") } }
    }

    struct Concurrency: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "concurrency", abstract: "Change how many samples of a run are asked at once.")
        @OptionGroup var argument: EvalRunArgument
        @Argument(help: "The most samples at work.") var count: Int
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard (1...512).contains(count) else { throw ValidationError("a concurrency is 1 to 512.") }
        }

        func run() throws {
            try answering { try send(.concurrency(count), argument, place, "asks at most \(count) at once") }
        }
    }

    struct Rename: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "rename", abstract: "Give a run another name.")
        @OptionGroup var argument: EvalRunArgument
        @Argument(help: "The new name.") var name: String
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = EvalStore(try place.openExisting())
                let number = try argument.find(in: store)
                try store.rename(number, to: name)
                Output.note("run \(number) is called \(Printable.line(name))")
            }
        }
    }

    struct Delete: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "delete", abstract: "Delete a run with all its samples; nothing brings it back.",
            discussion: "What people said of it stays. orrery eval export keeps a copy in a file.")
        @OptionGroup var argument: EvalRunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = EvalStore(try place.openExisting())
                let number = try argument.find(in: store)
                guard let run = try store.run(number) else { return }
                try store.delete(number)
                Output.note("deleted run \(number), \(Printable.line(run.name)): \(EvalText.sampleWords(run))")
            }
        }
    }
}

/// Leaves an order for a run that is under way, in this process or another.
private func send(
    _ instruction: EvalInstruction, _ argument: EvalRunArgument, _ place: WorkspaceOptions, _ effect: String
) throws {
    let store = EvalStore(try place.openExisting())
    let number = try argument.find(in: store)
    guard let run = try store.run(number), run.state == .running else {
        throw Failure("run \(number) is not under way: only a run that is takes orders.")
    }
    try store.send(instruction, to: number)
    Output.note("\(run.name): it \(effect) within half a second.")
}
