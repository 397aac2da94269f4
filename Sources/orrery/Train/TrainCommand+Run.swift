import ArgumentParser
import Console
import Glibc
import Kernels
import Training
import TrainingLab
import Workbench
import Workspace

extension TrainCommand {
    struct Run: ParsableCommand {
        static let configuration = CommandConfiguration(
            commandName: "run", abstract: "Train from a configuration, or resume its run.",
            discussion: """
                ^C stops the run after its current step, with a checkpoint; the same command resumes from there. A \
                second ^C ends it at once, and loses the steps since the last checkpoint. The run is recorded in the \
                workspace, where orrery train show, and the training panel, follow it.
                """)

        @Argument(help: "The configuration.", completion: .file(extensions: ["toml"]))
        var path: String?

        @Flag(help: "Print a configuration with every key and what it does.")
        var defaults = false

        @OptionGroup var settings: RunSettings
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard (path != nil) != defaults else {
                throw ValidationError("name a configuration; --defaults prints one to begin with.")
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
            commandName: "resume", abstract: "Go on with a run from its last checkpoint.")

        @OptionGroup var argument: RunArgument

        @Flag(help: "Continue in a background process and return at once.")
        var background = false

        @Flag(help: ArgumentHelp("Wait until no other process works on the run.", visibility: .hidden))
        var whenFree = false

        @OptionGroup var settings: RunSettings
        @OptionGroup var place: WorkspaceOptions

        func validate() throws {
            guard !background || settings.isPlain else {
                throw ValidationError("--background continues the run unchanged: remove the other options.")
            }
        }

        func run() throws {
            try answering {
                let store = RunStore(try place.openForReading())
                let run = try argument.find(in: store)
                if background {
                    let started = try BackgroundRun.start(run, of: store)
                    return Output.result("\(run.name) continues in process \(started.process); log: \(started.log)")
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
    /// The place of the model to go on from, or of one that the workspace knows by this name.
    func modelPath(_ place: WorkspaceOptions) throws -> String {
        if access(model.path, F_OK) == 0 { return model.path }
        var argument = ModelFileArgument()
        argument.model = model.reference
        argument.place = place
        return try argument.path()
    }
}

/// How a run is made, beside its configuration.
struct RunSettings: ParsableArguments {
    @Flag(help: "Begin anew: checkpoints of this run are removed.")
    var fresh = false

    @Option(help: "So many steps, instead of the configuration's.")
    var steps: Int?

    @Option(name: .customLong("set"), help: "A key of the configuration: training.batch=8; may be given several times.")
    var overrides: [String] = []

    @Flag(help: "Print every point, sample and event as a line of JSON.")
    var json = false

    /// Whether the configuration alone defines the run, without options.
    var isPlain: Bool { !fresh && steps == nil && overrides.isEmpty && !json }

    func validate() throws {
        guard (steps ?? 1) > 0 else { throw ValidationError("--steps takes 1 or more.") }
    }
}

/// One run from the command line: its configuration, its record, its progress, its end.
struct TrainingSession {
    let path: String
    let settings: RunSettings
    let place: WorkspaceOptions
    /// Whether to wait until another process releases the run.
    var waits = false

    func run() throws {
        // A file that may not grow is an error of the write, as a full disk is, and not the end of the program.
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
        // Threads are made with the first kernel.
        if configuration.run.threads > 0 { ThreadPool.limitShared(to: configuration.run.threads) }

        let store = RunStore(try place.open())
        let cancellation = Cancellation()
        let making = FractionLine("making the data")
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
            "\(description.name): \(Format.count(description.parameters)) parameters, \(Format.count(trainer.steps)) steps "
                + "of \(Format.count(description.batch)) \(description.unit), \(configuration.checkpoints.folder)")
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
        recorder.close()
        Output.note("\(description.name): \(result.sentence)")
        if !settings.json { Output.result(Self.summary(result)) }
        if result.end == .diverged || result.end == .interrupted { throw ExitCode(1) }
    }

    private static func summary(_ result: TrainingResult) -> String {
        var words = ["step \(result.step)"]
        if let loss = result.loss { words.append("loss \(TrainingFigure.loss(loss))") }
        if let loss = result.validationLoss { words.append("validation \(TrainingFigure.loss(loss))") }
        return words.joined(separator: "  ")
    }
}
