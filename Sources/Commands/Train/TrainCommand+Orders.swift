import ArgumentParser
import CommandSupport
import System
import Training
import TrainingLab
import Workspace

extension TrainCommand {
    struct Stop: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "stop", abstract: "Stop a run after its current step, with a checkpoint.")
        @OptionGroup var argument: RunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws { try answering { try order(.stop, argument, place, "stops after its current step") } }
    }

    struct Pause: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "pause", abstract: "Pause a run after its current step.")
        @OptionGroup var argument: RunArgument
        @OptionGroup var place: WorkspaceOptions

        func run() throws { try answering { try order(.pause, argument, place, "pauses after its current step") } }
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
            commandName: "rate", abstract: "Scale a run's scheduled learning rate, starting at the next step.")
        @OptionGroup var argument: RunArgument
        @Argument(help: "Factor: 1 is the schedule itself, 0.5 half of it.") var factor: Double
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard factor.isFinite, (0...1_000).contains(factor) else {
                throw ValidationError("FACTOR must be 0 to 1000.")
            }
        }

        func run() throws {
            try answering {
                try order(.scaleLearningRate(factor), argument, place, "uses \(factor) × the scheduled rate")
            }
        }
    }
}

/// Sends an instruction to a run in progress.
private func order(
    _ order: RunOrder, _ argument: RunArgument, _ place: WorkspaceOptions, _ effect: String
) throws {
    let store = RunStore(try place.openExisting())
    let run = try argument.find(in: store)
    guard run.state == .running || run.state == .paused else {
        throw Problem(.invalid, "", "\(run.name) is \(run.state.word): only a running or paused run can be changed")
    }
    try store.send(order, to: run.id)
    Output.result("\(run.name) \(effect)")
}
