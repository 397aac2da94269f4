public import System

/// Receives the reports of a training run and returns its orders; a workspace stores them, tests collect them.
///
/// Every call comes from the thread that trains. A sink keeps what it is given in memory and writes it out by itself, at
/// the latest after a second or when a checkpoint asks for it: a step must not wait for a disk.
public protocol RunSink: AnyObject {
    /// A run begins, or goes on from a checkpoint: points, samples and events after `step` are forgotten.
    ///
    /// - Parameter isNew: no checkpoint of it is there. A run that was killed early goes on from step 0, and is not a new one.
    func begin(_ description: RunDescription, at step: Int, isNew: Bool) throws(Problem)
    /// What was measured at one step; at most one call per step.
    func record(_ point: RunPoint) throws(Problem)
    func record(_ sample: RunSample) throws(Problem)
    func record(_ event: RunEvent) throws(Problem)
    /// Everything recorded so far is on disk when this returns.
    func flush() throws(Problem)
    /// Orders of a person, in their sequence; each is handed out once.
    func orders() -> [RunOrder]
}

extension RunSink {
    /// Begins a run that is new where it begins with step 0.
    public func begin(_ description: RunDescription, at step: Int) throws(Problem) {
        try begin(description, at: step, isNew: step == 0)
    }
}

/// What does not change while a run goes on.
public struct RunDescription: Sendable, Equatable {
    public var name: String
    /// The text of the configuration file, as it was read.
    public var configuration: String
    public var seed: UInt64
    /// The program's version and, where known, its commit.
    public var version: String
    /// Steps that the run is to make; nil if unknown.
    public var steps: Int?
    public var parameters: Int
    /// Tokens, or examples, of one step.
    public var batch: Int
    /// `tokens`, `examples`.
    public var unit: String
    /// Arithmetic of one step; 0 if it was not counted.
    public var flopsPerStep: Double
    public var threads: Int
    /// The folder of the checkpoints; `nil` if there are none.
    public var folder: String?

    public init(
        name: String, configuration: String, seed: UInt64, version: String, steps: Int?, parameters: Int, batch: Int,
        unit: String, flopsPerStep: Double, threads: Int, folder: String?
    ) {
        self.name = name
        self.configuration = configuration
        self.seed = seed
        self.version = version
        self.steps = steps
        self.parameters = parameters
        self.batch = batch
        self.unit = unit
        self.flopsPerStep = flopsPerStep
        self.threads = threads
        self.folder = folder
    }
}

/// Numbers of one step, by the names of their curves.
public struct RunPoint: Sendable, Equatable {
    public var step: Int
    /// Nanoseconds since 1970.
    public var time: Int64
    /// `train/loss`, `validation/loss`, `learning_rate`, `norm/gradient`, `speed/units_per_second`,
    /// `norm/gradient/<parameter>`, `update_ratio/<parameter>`: see `RunSeries`.
    public var values: [(series: String, value: Double)]

    public init(step: Int, time: Int64, values: [(series: String, value: Double)]) {
        self.step = step
        self.time = time
        self.values = values
    }

    public static func == (a: RunPoint, b: RunPoint) -> Bool {
        a.step == b.step && a.time == b.time && a.values.elementsEqual(b.values) { $0 == $1 }
    }
}

/// The names of the curves that every run of ours has.
public enum RunSeries {
    public static let trainLoss = "train/loss"
    public static let validationLoss = "validation/loss"
    public static let learningRate = "learning_rate"
    /// Tokens or examples a second, by the clock.
    public static let speed = "speed/units_per_second"
    /// Arithmetic a second, FLOP/s.
    public static let flops = "speed/flops_per_second"
    /// The 2-norm of all gradients together, before clipping.
    public static let gradientNorm = "norm/gradient"
    /// The 2-norm of one parameter's gradient.
    public static func gradientNorm(of parameter: String) -> String { "norm/gradient/\(parameter)" }
    /// The 2-norm of one parameter.
    public static func parameterNorm(of parameter: String) -> String { "norm/parameter/\(parameter)" }
    /// ‖change of one step‖ / ‖parameter‖.
    public static func updateRatio(of parameter: String) -> String { "update_ratio/\(parameter)" }
}

/// What a model wrote, or got right, at some step.
public struct RunSample: Sendable, Equatable {
    public var step: Int
    public var time: Int64
    public var prompt: String
    public var text: String

    public init(step: Int, time: Int64, prompt: String, text: String) {
        self.step = step
        self.time = time
        self.prompt = prompt
        self.text = text
    }
}

/// Something that happened to a run.
public struct RunEvent: Sendable, Equatable {
    /// Raw values are stored: never renumber.
    public enum Kind: Int, Sendable, CaseIterable {
        case started = 0
        case resumed = 1
        case checkpoint = 2
        case paused = 3
        case continued = 4
        case rateChanged = 5
        case warning = 6
        /// The loss was NaN or out of bounds; the state before it is kept.
        case diverged = 7
        case stopped = 8
        case finished = 9
        case failed = 10
    }

    public var step: Int
    public var time: Int64
    public var kind: Kind
    /// One sentence; for a checkpoint its path.
    public var text: String

    public init(step: Int, time: Int64, kind: Kind, text: String) {
        self.step = step
        self.time = time
        self.kind = kind
        self.text = text
    }
}

/// What a person asks of a run while it is running.
public enum RunOrder: Sendable, Equatable {
    case pause
    case resume
    /// Ends after this step, with a checkpoint.
    case stop
    /// The schedule's rate is multiplied by this from this point; 1 is the schedule itself.
    case scaleLearningRate(Double)
    /// Write a checkpoint now.
    case checkpoint
}
