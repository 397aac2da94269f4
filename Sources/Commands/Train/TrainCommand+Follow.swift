import ArgumentParser
import CommandSupport
import Console
import Glibc
import Training
import TrainingLab
import Workspace

extension TrainCommand {
    struct Follow: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "follow",
            abstract: "Import runs from other programs: TensorBoard, W&B offline, JSON Lines, trainer states.")

        @Argument(help: "File or folder.", completion: .file())
        var path: String

        @Flag(help: "Import new lines until ^C.")
        var watch = false

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                let store = RunStore(try place.open())
                let follower = try RunFollower.open(path)
                let report = try follower.follow(into: store)
                Output.result(report.sentence)
                for note in report.notes { Output.note("orrery: \(note)") }
                guard watch else { return }
                let cancellation = Cancellation()
                let line = StatusLine()
                try Interruption.cancelling(cancellation) {
                    while !cancellation.isCancelled {
                        let report = try follower.follow(into: store)
                        if report.points > 0 { line.show(report.sentence) }
                        for _ in 0..<10 where !cancellation.isCancelled { usleep(100_000) }
                    }
                }
                line.end()
            }
        }
    }

    struct Export: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "export", abstract: "Export a run's model as a folder that other programs can load.")

        @Argument(
            help: ArgumentHelp("Run number, run name, or configuration file.", valueName: "run"),
            completion: .file(extensions: ["toml"]))
        var model: String

        @Argument(help: "Folder to write.", completion: .directory)
        var destination: String

        @Flag(help: "Export the checkpoint with the best validation loss (default: last).")
        var best = false

        @OptionGroup var place: WorkspaceOptions

        func run() throws {
            try answering {
                var configuration: TrainingConfiguration
                if model.hasSuffix(".toml") {
                    let path = realpath(model, nil).map { found in
                        defer { free(found) }
                        return String(cString: found)
                    }
                    configuration = try TrainingConfiguration(contentsOf: path ?? model)
                } else {
                    var argument = RunArgument()
                    argument.run = model
                    let found = try argument.find(in: RunStore(try place.openForReading()))
                    let origin = try RunOrigin(of: found)
                    configuration = try TrainingConfiguration(
                        contentsOf: origin.configuration, overriding: origin.overrides)
                }
                if configuration.model.kind == .pretrained {
                    configuration.model.path = try configuration.modelPath(place)
                }
                let trainer = try Trainer(toExport: configuration, best: best)
                try trainer.export(to: destination)
                Output.result("wrote \(destination): model at step \(trainer.step)")
            }
        }
    }
}
