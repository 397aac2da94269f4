public import EvalLogs
internal import Statistics
public import System
internal import Traces

/// The mean of a score, with its standard error and an interval.
///
/// Standard error s/√n (ddof 1), clustered if samples have clusters. The interval is Wilson's if every value is 0 or 1
/// and there are no clusters; otherwise Student's with n − 1, or clusters − 1, degrees of freedom.
public struct MeanMetric: Metric {
    public static let kind = MetricKind(
        "mean", "mean with its standard error", settings: [IntervalLevel.setting])
    private let level: Double

    public init(_ settings: ScorerSettings) throws(Problem) { level = try IntervalLevel.read(settings) }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        [Means.figure(Self.kind.name, samples.map { ($0.value, $0.cluster) }, score, level: level)].compactMap { $0 }
    }
}

/// The share of samples that pass; for a sample with several epochs, the share of its passing epochs, unless the task
/// uses another reducer.
public struct AccuracyMetric: Metric {
    public static let kind = MetricKind(
        "accuracy", "share of samples that pass", settings: [IntervalLevel.setting])
    private let level: Double

    public init(_ settings: ScorerSettings) throws(Problem) { level = try IntervalLevel.read(settings) }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        var higher = score
        higher.higherIsBetter = true
        let values = samples.map { sample in
            (sample.value.map { sample.passed ?? (score.passes($0) ? 1 : 0) }, sample.cluster)
        }
        return [Means.figure(Self.kind.name, values, higher, level: level)].compactMap { $0 }
    }
}
