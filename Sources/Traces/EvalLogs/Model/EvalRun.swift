public import LanguageModels

/// One run of an evaluation, as this program or another recorded it: what stands at the head of its log.
public struct EvalRun: Hashable, Sendable {
    /// How a run ended, or that it has not.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case running
        case done
        case cancelled
        case failed
        /// Its process ended without a word; it can be resumed where the log is our own.
        case interrupted
        /// The log of another program ends before its run does, and nobody has written into it for a while.
        case unfinished
    }

    /// No log has more samples; what a file says beyond it is not believed.
    static let mostSamples = 1 << 31

    /// What tells a run from others of its log: our own run's number, a foreign log's id.
    public var key: String
    /// What lists call it.
    public var name: String
    public var task: String
    public var taskVersion: String
    public var model: String
    /// `orrery`, `inspect`, `lm-eval`, `promptfoo`, `garak`, `openai-evals`.
    public var format: String
    /// The file of a foreign log; nil for a run of this workspace.
    public var path: String?
    public var state: State
    /// Why it failed; nil where it did not.
    public var problem: String?
    /// Nanoseconds since 1970; nil where the log does not tell.
    public var start: Int64?
    public var end: Int64?
    /// Samples times epochs that there are to be; nil where the log does not tell.
    public var total: Int?
    /// Of those, the ones that are in the log.
    public var completed: Int
    /// Whether `completed` is their number. Of a large log whose head does not tell it, it is the number of those that
    /// have been found so far, until the log has been read to its end.
    public var isCounted = true
    /// Of those, the ones that ended in an error: no figure counts them. nil where the log does not tell.
    public var errors: Int?
    /// Of those, the ones with an answer and no score. nil where the log does not tell.
    public var unscored: Int?
    /// Of those, answers that were taken from earlier runs. nil where the log does not tell.
    public var cached: Int?
    /// Seconds at work, without those in which the run lay cancelled or cut off; nil where the log does not tell.
    public var workSeconds: Double?
    /// Whether it is at work, and was asked to begin nothing new.
    public var isPaused = false
    /// Whether it asks only some of its task's samples: those that were named, or the first so many. Logs of other
    /// programs do not tell it.
    public var isSubset = false
    /// The scores that a sample has, the first of which decides whether it failed.
    public var scores: [EvalScoreKind]
    /// Names of the properties by which samples can be grouped.
    public var slices: [String]
    public var metrics: [EvalMetric]
    public var usage: Usage?
    /// US dollars; nil where it is not known.
    public var cost: Double?
    /// Whether the log records no cost, and `cost` follows from its tokens and the built-in prices.
    public var isCostEstimated = false
    /// Prompt, temperature, few-shot count: what was chosen for the run, in the order in which it is shown.
    public var settings: [EvalSetting]

    public init(
        key: String, name: String, task: String, taskVersion: String = "", model: String, format: String,
        path: String? = nil, state: State, problem: String? = nil, start: Int64? = nil, end: Int64? = nil,
        total: Int? = nil, completed: Int = 0, scores: [EvalScoreKind] = [], slices: [String] = [],
        metrics: [EvalMetric] = [], usage: Usage? = nil, cost: Double? = nil, settings: [EvalSetting] = [],
        errors: Int? = nil
    ) {
        self.key = key
        self.name = name
        self.task = task
        self.taskVersion = taskVersion
        self.model = model
        self.format = format
        self.path = path
        self.state = state
        self.problem = problem
        self.start = start
        self.end = end
        self.total = total
        self.completed = completed
        self.errors = errors
        self.scores = scores
        self.slices = slices
        self.metrics = metrics
        self.usage = usage
        self.cost = cost
        self.settings = settings
    }
}

/// A score that every sample of a run has.
public struct EvalScoreKind: Hashable, Sendable {
    public var name: String
    public var higherIsBetter: Bool
    /// A sample passes at this value or a better one; infinite where no value passes or fails.
    public var passesAt: Double

    public init(_ name: String, higherIsBetter: Bool = true, passesAt: Double = 1) {
        self.name = name
        self.higherIsBetter = higherIsBetter
        self.passesAt = passesAt
    }

    /// A score that neither passes nor fails, whatever its value: a perplexity, a grade whose limit nobody told.
    public static func unlimited(_ name: String, higherIsBetter: Bool = true) -> EvalScoreKind {
        EvalScoreKind(name, higherIsBetter: higherIsBetter, passesAt: higherIsBetter ? -.infinity : .infinity)
    }

    /// Whether it is known from where on a sample passes.
    public var hasThreshold: Bool { passesAt.magnitude < .greatestFiniteMagnitude }

    /// Whether a value passes; every value of a score without a threshold does.
    public func passes(_ value: Double) -> Bool { higherIsBetter ? value >= passesAt : value <= passesAt }

    /// How a sample with this value as its first score came out; NaN is no value.
    public func outcome(of value: Double) -> EvalRow.Outcome {
        value.isNaN ? .unscored : !hasThreshold ? .scored : passes(value) ? .passed : .failed
    }
}

/// A figure of a whole run.
public struct EvalMetric: Hashable, Sendable {
    /// The score that it is made of.
    public var score: String
    /// `mean`, `f1`, `roc_auc`.
    public var name: String
    public var value: Double
    public var standardError: Double?
    public var lower: Double?
    public var upper: Double?
    /// How often such an interval holds the true value: 0.95.
    public var level: Double?
    /// Samples that it was made of; those that could not be scored are not among them.
    public var count: Int
    public var higherIsBetter: Bool
    /// What should be known beside the figure: `3 samples could not be judged`.
    public var note: String?

    public init(
        score: String, name: String, value: Double, standardError: Double? = nil, lower: Double? = nil,
        upper: Double? = nil, level: Double? = nil, count: Int, higherIsBetter: Bool = true, note: String? = nil
    ) {
        self.score = score
        self.name = name
        self.value = value
        self.standardError = standardError
        self.lower = lower
        self.upper = upper
        self.level = level
        self.count = count
        self.higherIsBetter = higherIsBetter
        self.note = note
    }
}

/// A choice that was made for a run.
public struct EvalSetting: Hashable, Sendable {
    public var name: String
    public var value: String

    public init(_ name: String, _ value: String) {
        self.name = name
        self.value = value
    }
}
