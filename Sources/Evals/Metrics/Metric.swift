public import EvalLogs
public import System
internal import Traces

/// A metric of a run, computed from the scores of its samples. A new one is one file and one line in `Metrics.all`.
///
/// Callers pass samples in the order of the task, so that equal samples give the same bytes in any order of completion.
public protocol Metric: Sendable {
    static var kind: MetricKind { get }

    /// - Throws: `Problem` for unknown or invalid settings.
    init(_ settings: ScorerSettings) throws(Problem)

    /// Returns the figures of these samples. O(samples) unless documented otherwise.
    func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric]
}

/// The name, meaning, and settings of a metric.
public struct MetricKind: Hashable, Sendable {
    /// Name in task files: `mean`, `f1`, `roc_auc`, `perplexity`.
    public var name: String
    /// One sentence without a full stop.
    public var summary: String
    /// Settings in a task file.
    public var settings: [ScorerSetting]

    public init(_ name: String, _ summary: String, settings: [ScorerSetting] = []) {
        self.name = name
        self.summary = summary
        self.settings = settings
    }
}

/// A metric chosen in a task file.
public struct MetricChoice: Hashable, Sendable {
    /// Kind: `MetricKind.name`.
    public var kind: String
    /// Score to compute the metric for; `nil` for every score of the task.
    public var score: String?
    /// Settings from the task file, with their position for error messages.
    public var settings: ScorerSettings

    public init(_ kind: String, of score: String? = nil, settings: ScorerSettings = ScorerSettings()) {
        self.kind = kind
        self.score = score
        self.settings = settings
    }
}

/// A sample as metrics see it, with its epochs reduced to one value.
public struct MetricSample: Hashable, Sendable {
    /// Name of the sample.
    public var id: String
    /// Value of the score; `nil` if the sample could not be scored.
    public var value: Double?
    /// Predicted class and correct class, for class metrics.
    public var answered: String?
    public var target: String?
    /// Confidence of the answer, in [0, 1]; `nil` if not reported.
    public var confidence: Double?
    /// Additional data of a scorer for its metric: sums of log-probabilities and counts for perplexity, n-gram counts.
    public var parts: [Double]
    /// Choices whose probabilities are in `parts`, if the sample has choices and the scorer reported probabilities.
    public var choices: [String] = []
    /// Cluster of dependent samples.
    public var cluster: String?
    /// Values of the epochs.
    public var epochs: [Double]
    /// Whole answer and targets, for corpus metrics.
    public var answer: String
    public var targets: [String]
    /// Passing share of the sample, in [0, 1]: the share of passing epochs if they are averaged, otherwise whether the
    /// reduced value passes; `nil` derives it from the value.
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
