import ArgumentParser
import CommandSupport
import Console
import Formatting
import Glibc
import Kernels
import Presentation
import Training
import TrainingLab
import Workspace

extension TrainCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Train from a configuration, or resume its run.",
            discussion: """
                ^C stops the run after its current step and saves a checkpoint; the same command resumes the run. A \
                second ^C stops it immediately and loses the steps since the last checkpoint. The run is recorded in \
                the workspace; follow it with orrery train show or in the training panel.
                """)

        @Argument(help: "Configuration file.", completion: .file(extensions: ["toml"]))
        var path: String?

        @Flag(help: "Print a configuration with every key and what it does.")
        var defaults = false

        @OptionGroup var settings: RunSettings
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard (path != nil) != defaults else {
                throw ValidationError(
                    "exactly one of CONFIG.toml or --defaults is required. --defaults prints a configuration to "
                        + "start with."
                )
            }
        }

        func run() throws {
            try answering {
                guard let path else { return Output.raw(TrainingConfiguration.explained) }
                try TrainingSession(path: path, settings: settings, place: place).run()
            }
        }
    }

    struct Resume: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "resume", abstract: "Resume a run from its last checkpoint.")

        @OptionGroup var argument: RunArgument

        @Flag(help: "Resume in a background process and return immediately.")
        var background = false

        @Flag(help: ArgumentHelp("Wait until no other process is working on the run.", visibility: .hidden))
        var whenFree = false

        @OptionGroup var settings: RunSettings
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard !background || settings.isPlain else {
                throw ValidationError("--background resumes the run unchanged. Remove the other options.")
            }
        }

        func run() throws {
            try answering {
                let store = RunStore(try place.openForReading())
                let run = try argument.find(in: store)
                if background {
                    let started = try BackgroundRun.start(run, of: store)
                    return Output.result("\(run.name) resumes in process \(started.process); log: \(started.log)")
                }
                let origin = try RunOrigin(of: run)
                var settings = settings
                settings.overrides = origin.overrides + settings.overrides
                try TrainingSession(path: origin.configuration, settings: settings, place: place, waits: whenFree).run()
            }
        }
    }
}

extension TrainingConfiguration {
    /// Returns the path of the pretrained model, or of the model with this name in the workspace.
    func modelPath(_ place: WorkspaceOptions) throws -> String {
        if access(model.path, F_OK) == 0 { return model.path }
        var argument = ModelFileArgument()
        argument.model = model.reference
        argument.place = place
        return try argument.path()
    }
}

/// Options of a run that are not in its configuration.
struct RunSettings: ParsableArguments {
    @Flag(help: "Start over and delete the run's checkpoints.")
    var fresh = false

    @Option(help: "Number of steps (default: from the configuration).")
    var steps: Int?

    @Option(name: .customLong("set"), help: "Configuration override, such as training.batch=8; repeatable.")
    var overrides: [String] = []

    @Flag(help: "Print every point, sample, and event as a JSON line.")
    var json = false

    /// Whether the configuration alone defines the run, without options.
    var isPlain: Bool { !fresh && steps == nil && overrides.isEmpty && !json }

    func validate() throws {
        guard (steps ?? 1) > 0 else { throw ValidationError("--steps must be at least 1.") }
    }
}

/// A run from the command line: configuration, recording, progress, and result.
struct TrainingSession {
    let path: String
    let settings: RunSettings
    let place: WorkspaceOptions
    /// Whether to wait until another process releases the run.
    var waits = false

    func run() throws {
        // Exceeding the file size limit must be a write error, like a full disk, and not kill the program.
        signal(SIGXFSZ, SIG_IGN)
        var overrides = settings.overrides
        if let steps = settings.steps {
            overrides += ["training.steps=\(steps)", "training.tokens=0", "training.epochs=0"]
        }
        let path = realpath(self.path, nil).map { found in
            defer { free(found) }
            return String(cString: found)
        }
        var configuration = try TrainingConfiguration(contentsOf: path ?? self.path, overriding: overrides)
        if configuration.model.kind == .pretrained { configuration.model.path = try configuration.modelPath(place) }
        // The first kernel starts the threads.
        if configuration.run.threads > 0 { ThreadPool.limitShared(to: configuration.run.threads) }

        let store = RunStore(try place.open())
        let cancellation = Cancellation()
        let making = FractionLine("preparing the data")
        try Interruption.cancelling(cancellation) {
            try configuration.makeData(
                progress: { making.show($0, "") }, isCancelled: { cancellation.isCancelled })
        }
        making.end()
        let trainer = try Trainer(configuration, version: ProgramVersion.number, waits: waits)
        let start: Trainer.Start = settings.fresh ? .fresh : .resuming
        try trainer.open(start)
        try RunOrigin(configuration: configuration.path, overrides: overrides)
            .write(into: configuration.checkpoints.folder)
        let description = trainer.description
        Output.note(
            "\(description.name): \(Format.count(description.parameters)) parameters, \(Format.count(trainer.steps)) "
                + "steps of \(Format.count(description.batch)) \(description.unit), "
                + "\(configuration.checkpoints.folder)")
        let recorder = RunRecorder(store)
        defer { recorder.close() }
        let line = TrainingLine(isShown: !settings.json)
        let result = try Interruption.cancelling(cancellation) {
            let cancelled = { cancellation.isCancelled }
            return settings.json
                ? try trainer.run(
                    into: JSONLinesSink(recorder), starting: start, isCancelled: cancelled, report: line.show)
                : try trainer.run(into: recorder, starting: start, isCancelled: cancelled, report: line.show)
        }
        line.end()
        if let problem = recorder.close() { Output.note(problem) }
        Output.note("\(description.name): \(result.sentence)")
        if !settings.json { Output.result(Self.summary(result)) }
        if result.end == .diverged || result.end == .interrupted { throw ExitCode(1) }
    }

    private static func summary(_ result: TrainingResult) -> String {
        var words = ["step \(result.step)"]
        if let loss = result.loss { words.append("loss \(Format.loss(loss))") }
        if let loss = result.validationLoss { words.append("validation \(Format.loss(loss))") }
        return words.joined(separator: "  ")
    }
}
