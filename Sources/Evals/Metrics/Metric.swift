public import Traces

/// A figure of a run, made of the scores of its samples. A new one is one file and one line in `Metrics.all`.
///
/// Equal samples in another order give the same bytes: whoever calls it hands them over in the order of the task.
public protocol Metric: Sendable {
    static var kind: MetricKind { get }

    /// - Throws: `TaskError` for settings that it does not know or cannot use.
    init(_ settings: ScorerSettings) throws(TaskError)

    /// The figures of these samples. O(samples) where nothing else is said.
    func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric]
}

/// What a metric is called and what it is made of.
public struct MetricKind: Hashable, Sendable {
    /// The word in task files: `mean`, `f1`, `roc_auc`, `perplexity`.
    public var name: String
    /// One sentence without its full stop.
    public var summary: String
    /// What a task file may set of it.
    public var settings: [ScorerSetting]

    public init(_ name: String, _ summary: String, settings: [ScorerSetting] = []) {
        self.name = name
        self.summary = summary
        self.settings = settings
    }
}

/// A metric as a task file chose it.
public struct MetricChoice: Hashable, Sendable {
    /// `MetricKind.name`.
    public var kind: String
    /// The score that it is made of; nil takes every score of the task.
    public var score: String?
    /// What the task file set, with its place for sentences.
    public var settings: ScorerSettings

    public init(_ kind: String, of score: String? = nil, settings: ScorerSettings = ScorerSettings()) {
        self.kind = kind
        self.score = score
        self.settings = settings
    }
}

/// One sample as metrics see it: its epochs are reduced to one.
public struct MetricSample: Hashable, Sendable {
    /// The sample's name.
    public var id: String
    /// nil where it could not be scored.
    public var value: Double?
    /// The class that was answered and the right one, for metrics of classes.
    public var answered: String?
    public var target: String?
    /// How sure the answer was, in [0, 1]; nil where that was not told.
    public var confidence: Double?
    /// What else a scorer told for its metric: sums of log-probabilities and counts for perplexity, n-gram counts.
    public var parts: [Double]
    /// What `parts` are probabilities of, where the sample had choices and the scorer told the probability of each.
    public var choices: [String] = []
    /// Samples with the same one hang together.
    public var cluster: String?
    /// The values of the epochs one by one.
    public var epochs: [Double]
    /// The answer and the targets, whole: metrics of a corpus look at them.
    public var answer: String
    public var targets: [String]
    /// How much of it passes, in [0, 1]: the share of its epochs where they are averaged, else whether the reduced value
    /// does; nil asks the value.
    public var passed: Double?

    public init(
        id: String, value: Double?, answered: String? = nil, target: String? = nil, confidence: Double? = nil,
        parts: [Double] = [], cluster: String? = nil, epochs: [Double] = [], answer: String = "",
        targets: [String] = []
    ) {
        self.id = id
        self.value = value
        self.answered = answered
        self.target = target
        self.confidence = confidence
        self.parts = parts
        self.cluster = cluster
        self.epochs = epochs
        self.answer = answer
        self.targets = targets
    }
}
