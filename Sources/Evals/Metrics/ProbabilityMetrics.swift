public import EvalLogs
internal import JSON
internal import Statistics
public import System
internal import Traces

private let positiveClass = ScorerSetting(
    "positive", "class whose probability is ranked (default: confidence in correct and wrong answers)",
    standard: .null)

/// Area under the ROC curve; ties count half.
public struct ROCAreaMetric: Metric {
    public static let kind = MetricKind("roc_auc", "area under the ROC curve", settings: [positiveClass])
    private let positive: String?

    public init(_ settings: ScorerSettings) throws(Problem) { positive = try settings.string("positive") }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let told = ToldProbabilities(samples, score, positive: positive) else { return [] }
        return told.figure(Self.kind.name, score) { RankedScores(truth: $0, scores: $1).rocArea }
    }
}

/// Average precision: Σ (R_n − R_{n−1}) P_n over thresholds.
public struct AveragePrecisionMetric: Metric {
    public static let kind = MetricKind(
        "average_precision", "area under the stepwise precision-recall curve", settings: [positiveClass])
    private let positive: String?

    public init(_ settings: ScorerSettings) throws(Problem) { positive = try settings.string("positive") }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let told = ToldProbabilities(samples, score, positive: positive) else { return [] }
        return told.figure(Self.kind.name, score) { RankedScores(truth: $0, scores: $1).averagePrecision }
    }
}

/// Calibration error: the mean distance of confidence from accuracy over bins (ECE), and the largest (MCE).
public struct CalibrationMetric: Metric {
    public static let kind = MetricKind(
        "ece", "expected and maximum calibration error",
        settings: [
            ScorerSetting("bins", "number of bins", standard: .integer(15)),
            ScorerSetting("division", "width or mass", standard: .string("width")),
        ])
    private let bins: Int
    private let isMass: Bool

    public init(_ settings: ScorerSettings) throws(Problem) {
        bins = try settings.int("bins", 15, in: 1...1_000)
        isMass = try settings.word("division", "width", of: ["width", "mass"]) == "mass"
    }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let told = ToldProbabilities(samples, score, positive: nil) else { return [] }
        let (bins, division) = (bins, isMass ? Reliability.Division.mass : .width)
        let name = "\(bins)_\(isMass ? "mass" : "width")"
        @Sendable func reliability(_ truth: [Bool], _ probabilities: [Double]) -> Reliability {
            Reliability(confidences: probabilities, hits: truth, bins: bins, division: division)
        }
        return told.figure("ece\(name)", score, higherIsBetter: false) { reliability($0, $1).expectedError }
            + told.figure("mce\(name)", score, higherIsBetter: false) { reliability($0, $1).maximumError }
    }
}

/// Mean squared error of the probabilities.
public struct BrierMetric: Metric {
    public static let kind = MetricKind("brier", "mean squared error of the probabilities", settings: [positiveClass])
    private let positive: String?

    public init(_ settings: ScorerSettings) throws(Problem) { positive = try settings.string("positive") }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let told = ToldProbabilities(samples, score, positive: positive) else { return [] }
        return told.figure(Self.kind.name, score, higherIsBetter: false) { brierScore(truth: $0, probabilities: $1) }
    }
}

/// Mean negative log-probability of the truth.
public struct LogLossMetric: Metric {
    public static let kind = MetricKind(
        "log_loss", "mean negative log-probability of the correct class", settings: [positiveClass])
    private let positive: String?

    public init(_ settings: ScorerSettings) throws(Problem) { positive = try settings.string("positive") }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        guard let told = ToldProbabilities(samples, score, positive: positive) else { return [] }
        return told.figure(Self.kind.name, score, higherIsBetter: false) { logLoss(truth: $0, probabilities: $1) }
    }
}
