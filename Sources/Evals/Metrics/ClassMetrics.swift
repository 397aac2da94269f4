public import EvalLogs
internal import JSON
internal import Statistics
public import System
internal import Traces

private let averaging = ScorerSetting(
    "average", "macro, micro, weighted, or the name of a single class", standard: .string("macro"))

/// Precision: tp / (tp + fp); 0 if a class was never predicted.
public struct PrecisionMetric: Metric {
    public static let kind = MetricKind("precision", "precision over classes", settings: [averaging])
    private let average: String

    public init(_ settings: ScorerSettings) throws(Problem) { average = try settings.string("average", "macro") }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let classes = AnsweredClasses(samples) else { return [] }
        let (average, among) = (average, classes.classes)
        return classes.figure("precision_\(average)", score) { matrix in
            AnsweredClasses.value(
                average, of: { matrix.precision(of: $0) }, over: { matrix.precision($0, over: among) })
        }
    }
}

/// Recall: tp / (tp + fn); 0 if a class was never correct.
public struct RecallMetric: Metric {
    public static let kind = MetricKind("recall", "recall over classes", settings: [averaging])
    private let average: String

    public init(_ settings: ScorerSettings) throws(Problem) { average = try settings.string("average", "macro") }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let classes = AnsweredClasses(samples) else { return [] }
        let (average, among) = (average, classes.classes)
        return classes.figure("recall_\(average)", score) { matrix in
            AnsweredClasses.value(average, of: { matrix.recall(of: $0) }, over: { matrix.recall($0, over: among) })
        }
    }
}

/// F-score: (1 + β²) P R / (β² P + R).
public struct FScoreMetric: Metric {
    public static let kind = MetricKind(
        "f1", "F-score over classes",
        settings: [averaging, ScorerSetting("beta", "weight of recall", standard: .number(1))])
    private let average: String
    private let beta: Double

    public init(_ settings: ScorerSettings) throws(Problem) {
        average = try settings.string("average", "macro")
        beta = try settings.double("beta", 1)
        guard beta > 0 else { throw settings.error("\"beta\" must be above 0") }
    }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let classes = AnsweredClasses(samples) else { return [] }
        let (average, beta, among) = (average, beta, classes.classes)
        return classes.figure(beta == 1 ? "f1_\(average)" : "f\(beta)_\(average)", score) { matrix in
            AnsweredClasses.value(
                average, of: { matrix.fScore(of: $0, beta: beta) },
                over: { matrix.fScore($0, beta: beta, over: among) })
        }
    }
}

/// Matthews correlation of predicted and correct classes, for any number of classes. Source: Gorodkin, Computational
/// Biology and Chemistry 28, 2004.
public struct MatthewsMetric: Metric {
    public static let kind = MetricKind("mcc", "Matthews correlation of predicted and correct classes")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let classes = AnsweredClasses(samples) else { return [] }
        return classes.figure("mcc", score) { $0.matthews }
    }
}

/// Balanced accuracy: the mean recall over classes.
public struct BalancedAccuracyMetric: Metric {
    public static let kind = MetricKind("balanced_accuracy", "mean recall over classes")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let classes = AnsweredClasses(samples) else { return [] }
        return classes.figure("balanced_accuracy", score) { $0.balancedAccuracy }
    }
}

/// Nonzero counts of correct and predicted classes, as figures `confusion[right→answered]`.
public struct ConfusionMetric: Metric {
    public static let kind = MetricKind("confusion", "counts of correct and predicted classes")
    /// Maximum number of classes.
    private static let mostClasses = 30

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let classes = AnsweredClasses(samples), classes.matrix.labels.count <= Self.mostClasses else { return [] }
        return classes.counts(score)
    }
}
