internal import Glibc
internal import Kernels
public import System
internal import Tensors

/// A training run: its data, its model, and the loop that changes the one by the other.
///
/// ```swift
/// let trainer = try Trainer(TrainingConfiguration(contentsOf: "tiny.toml"), version: "1.0")
/// let result = try trainer.run(into: sink)
/// result.sentence                           // "done after 1000 steps, ..."
/// ```
/// A step is a function of the configuration, the data, and the state after the step before, which a checkpoint holds
/// whole. So a run that was ended anywhere, by whatever, goes on with the same bits.
public final class Trainer {
    /// Where a run begins.
    public enum Start: Sendable {
        /// After the last checkpoint of its folder, where there is one.
        case resuming
        /// Anew; checkpoints in its folder are removed.
        case fresh
    }

    public let configuration: TrainingConfiguration
    /// Steps of the whole run.
    public let steps: Int
    let version: String
    let task: any LearningTask
    let folder: CheckpointFolder
    let schedule: any Schedule

    var optimizer: Optimizer<Float>
    var averages: WeightAverage<Float>?
    var state = TrainingState()
    /// Of the last step.
    var loss: Double?
    var validationLoss: Double?
    var lastCheckpoint: String?
    /// The step of the last checkpoint.
    var savedStep = -1
    /// The step whose checkpoint could not be written.
    var failedStep = -1
    /// What taking up a checkpoint had to say; nil before that.
    private var opened: [String]?
    /// By the clock that only goes on.
    var savedAt = Clock.now(.monotonic)
    var report: (TrainingProgress) -> Void = { _ in }
    var isCancelled: () -> Bool = { false }
    /// Steps and seconds since the speed was last told.
    var pace = Pace()

    /// Opens the data and makes or reads the model.
    ///
    /// - Parameter waits: whether to wait for a run in the checkpoint folder to end instead of throwing an error.
    /// - Throws: `Problem`: what is wrong with the configuration, the data or the model.
    public convenience init(
        _ configuration: TrainingConfiguration, version: String, waits: Bool = false
    ) throws(Problem) {
        // The lock comes first: two programs must not make the same caches.
        let folder = try CheckpointFolder(
            configuration.checkpoints.folder, keep: configuration.checkpoints.keep, waits: waits)
        try self.init(configuration, version: version, task: try Self.task(configuration), folder: folder)
    }

    /// Loads the last checkpoint of a run, or the checkpoint with the best validation loss, to export the model. The run itself may
    /// be under way, and its data may have changed.
    ///
    /// - Throws: `Problem` if no checkpoint can be read, or if it has a different configuration.
    public convenience init(toExport configuration: TrainingConfiguration, best: Bool = false) throws(Problem) {
        let settings = configuration.checkpoints
        let folder = try CheckpointFolder(settings.folder, keep: settings.keep, isLocked: false)
        guard !folder.steps.isEmpty else {
            throw Problem(.missing, folder.path, "no checkpoint to export", remedy: "Train first.")
        }
        try self.init(configuration, version: "", task: try Self.task(configuration), folder: folder)
        let checkpoint =
            best
            ? try TrainingCheckpoint(contentsOf: "\(folder.path)/\(CheckpointFolder.bestName)")
            : try folder.last { _ in }
        guard let checkpoint else {
            throw Problem(.missing, folder.path, "no checkpoint to export", remedy: "Train first.")
        }
        try compare(checkpoint)
        try restore(checkpoint)
    }

    /// As the public initializer, with writes that may fail.
    ///
    /// - Parameter failingWrites: is asked before each checkpoint is written to a path.
    package convenience init(
        _ configuration: TrainingConfiguration, version: String,
        failingWrites: @escaping (_ path: String) throws -> Void
    ) throws(Problem) {
        let settings = configuration.checkpoints
        let folder = try CheckpointFolder(settings.folder, keep: settings.keep) {
            try failingWrites($2)
            try TensorFile.write($0, metadata: $1, to: $2)
        }
        try self.init(configuration, version: version, task: try Self.task(configuration), folder: folder)
    }

    init(
        _ configuration: TrainingConfiguration, version: String, task: any LearningTask, folder: CheckpointFolder
    ) throws(Problem) {
        self.configuration = configuration
        self.version = version
        self.task = task
        self.folder = folder
        let training = configuration.training
        let wanted =
            training.tokens > 0
            ? (training.tokens - 1) / task.unitsPerStep + 1
            : training.epochs > 0
                ? Int(min(Double(ConfigurationKey.mostSteps), (training.epochs * task.stepsPerEpoch).rounded(.up)))
                : training.steps > 0 ? training.steps : 1_000
        steps = min(max(1, wanted), ConfigurationKey.mostSteps)
        schedule = configuration.rates(steps: steps)
        do {
            optimizer = try configuration.optimizer(for: task.parameters)
            averages = training.ema > 0 ? try WeightAverage(decay: training.ema) : nil
        } catch {
            throw Problem(error, in: configuration.path)
        }
    }

    private static func task(_ configuration: TrainingConfiguration) throws(Problem) -> any LearningTask {
        switch configuration.model.kind {
        case .transformer, .pretrained: try SequenceTask(configuration)
        case .mlp, .conv: try ArrayTask(configuration)
        }
    }

    /// Takes up the last checkpoint of the run's folder, or clears the folder, before `run` does so by itself: what is
    /// wrong with it is known before anything of the run is recorded.
    ///
    /// - Throws: `Problem` if the checkpoints are of another configuration or of other data, or none can be read.
    public func open(_ start: Start) throws(Problem) { opened = try begin(start) }

    /// What taking up a checkpoint has to say, once.
    func notes(_ start: Start) throws(Problem) -> [String] {
        if opened == nil { opened = try begin(start) }
        defer { opened = nil }
        return opened ?? []
    }

    /// What a store keeps of the run.
    public var description: RunDescription {
        RunDescription(
            name: configuration.run.name, configuration: configuration.text, seed: configuration.run.seed,
            version: version, steps: steps, parameters: task.parameterCount, batch: task.unitsPerStep, unit: task.unit,
            flopsPerStep: task.flopsPerStep, threads: ThreadPool.shared.threads,
            folder: configuration.checkpoints.folder)
    }

    /// Steps made so far.
    public var step: Int { state.step }

    /// Runs `body` with the model's exact weights instead of weights rounded to bfloat16.
    func withMasters<Result>(_ body: () throws -> Result) throws -> Result {
        let parameters = task.parameters
        try optimizer.expose(parameters)
        // Weights that cannot be rounded stay exact, and the next step rounds them again.
        defer { try? optimizer.prepare(parameters) }
        return try body()
    }

    /// Writes the model as it is now, averaged where the configuration asks for that, into a folder that the runtime
    /// and others load.
    public func export(to folder: String) throws(Problem) {
        do {
            try withMasters { () throws in
                averages?.swap(with: task.parameters)
                defer { averages?.swap(with: task.parameters) }
                try task.export(to: folder)
            }
        } catch { throw Problem(error, in: folder) }
    }
}

/// How fast steps follow each other.
struct Pace {
    private var since = Clock.now(.monotonic)
    private var steps = 0
    private var unitsPerStep = 0.0
    /// Smoothed seconds of a step; nil before the first.
    private(set) var secondsPerStep: Double?

    /// Units that a second sees at this pace; nil before the first step.
    var unitsPerSecond: Double? {
        secondsPerStep.map { $0 > 0 ? unitsPerStep / $0 : 0 }
    }

    /// Ends a step over `units` units.
    mutating func step(units: Int) {
        let now = Clock.now(.monotonic)
        last = now - since
        since = now
        steps += 1
        // The first steps count fully, later ones as much as their share of the last few seconds.
        let share = max(1 / Double(steps), min(0.1, last / 4))
        secondsPerStep = (secondsPerStep ?? last) * (1 - share) + last * share
        unitsPerStep = unitsPerStep * (1 - share) + Double(units) * share
    }

    /// Seconds of the last step.
    private(set) var last = 0.0

    /// What was not a step, such as a pause, does not count.
    mutating func restart() { since = Clock.now(.monotonic) }
}
