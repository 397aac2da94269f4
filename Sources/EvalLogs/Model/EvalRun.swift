public import LanguageModels

/// One run of an evaluation, as this program or another recorded it: what stands at the head of its log.
public struct EvalRun: Hashable, Sendable {
    /// How a run ended, or that it has not.
    public enum State: String, Hashable, Sendable, CaseIterable {
        case running
        case done
        case cancelled
        case failed
        /// The process ended without notice; the run can be resumed if the log is Orrery's own.
        case interrupted
        /// The log of another program ends before its run does, and has not changed for a while.
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
    /// The file of a foreign log; `nil` for a run of this workspace.
    public var path: String?
    public var state: State
    /// Why the run failed; `nil` if it did not.
    public var problem: String?
    /// Nanoseconds since 1970; `nil` if not recorded.
    public var start: Int64?
    public var end: Int64?
    /// Planned number of samples times epochs; `nil` if not recorded.
    public var total: Int?
    /// Number of samples in the log.
    public var completed: Int
    /// Whether `completed` is final. If the head of a large log does not record it, it is the number of samples found
    /// so far until the whole log has been read.
    public var isCounted = true
    /// Number of samples that ended in an error, which no metric covers; `nil` if not recorded.
    public var errors: Int?
    /// Number of samples with a generation but no score; `nil` if not recorded.
    public var unscored: Int?
    /// Number of generations taken from earlier runs; `nil` if not recorded.
    public var cached: Int?
    /// Working seconds, without the time in which the run was canceled or interrupted; `nil` if not recorded.
    public var workSeconds: Double?
    /// Whether the run is active but was asked to start nothing new.
    public var isPaused = false
    /// Whether the run covers only some of its task's samples: those named, or the first N. Logs of other programs do
    /// not record this.
    public var isSubset = false
    /// The scores that a sample has, the first of which decides whether it failed.
    public var scores: [EvalScoreKind]
    /// Names of the properties by which samples can be grouped.
    public var slices: [String]
    public var metrics: [EvalMetric]
    public var usage: Usage?
    /// US dollars; `nil` if unknown.
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
    /// Passing value: a sample passes at this value or a better one; infinite if no value passes or fails.
    public var passesAt: Double

    public init(_ name: String, higherIsBetter: Bool = true, passesAt: Double = 1) {
        self.name = name
        self.higherIsBetter = higherIsBetter
        self.passesAt = passesAt
    }

    /// Returns a score that neither passes nor fails, such as a perplexity or a grade without a recorded limit.
    public static func unlimited(_ name: String, higherIsBetter: Bool = true) -> EvalScoreKind {
        EvalScoreKind(name, higherIsBetter: higherIsBetter, passesAt: higherIsBetter ? -.infinity : .infinity)
    }

    /// Whether it is known from where on a sample passes.
    public var hasThreshold: Bool { passesAt.magnitude < .greatestFiniteMagnitude }

    /// Whether a value passes; every value of a score without a threshold does.
    public func passes(_ value: Double) -> Bool { higherIsBetter ? value >= passesAt : value <= passesAt }

    /// Returns the outcome of a sample with this value as its first score; NaN means no value.
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
    /// Note to show next to the metric: `3 samples could not be judged`.
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
