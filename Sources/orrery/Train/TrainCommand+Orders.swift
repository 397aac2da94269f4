import ArgumentParser
import Training
import TrainingLab
import Workspace

extension TrainCommand {
    struct Stop: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "End a run after its step, with a checkpoint.")
        @OptionGroup var argument: RunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws { try answering { try order(.stop, argument, place, "ends after its step") } }
    }

    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(commandName: "pause", abstract: "Hold a run after its step.")
        @OptionGroup var argument: RunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws { try answering { try order(.pause, argument, place, "waits after its step") } }
    }

    struct Continue: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "continue", abstract: "Resume a paused run.")
        @OptionGroup var argument: RunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws { try answering { try order(.resume, argument, place, "resumes") } }
    }

    struct Rate: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "rate", abstract: "Multiply a run's scheduled rate from its next step on.")
        @OptionGroup var argument: RunArgument
        @Argument(help: "1 is the schedule itself, 0.5 half of it.") var factor: Double
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard factor.isFinite, (0...1_000).contains(factor) else {
                throw ValidationError("a rate takes 0 to 1000.")
            }
        }

        func run() throws {
            try answering {
                try order(.scaleLearningRate(factor), argument, place, "takes \(factor) of the schedule's rate")
            }
        }
    }
}

/// Leaves an order for a run that is under way.
private func order(
    _ order: RunOrder, _ argument: RunArgument, _ place: WorkspaceOptions, _ effect: String
) throws {
    let store = RunStore(try place.openExisting())
    let run = try argument.find(in: store)
    guard run.state == .running || run.state == .paused else {
        throw Failure("\(run.name) is \(run.state.word): only a running or paused run can be changed.")
    }
    try store.send(order, to: run.id)
    Output.result("\(run.name) \(effect)")
}
