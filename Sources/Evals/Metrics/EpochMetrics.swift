public import EvalLogs
internal import JSON
internal import Statistics
public import System
internal import Traces

private let tries = ScorerSetting("k", "number of attempts", standard: .integer(1))

/// pass@k: the probability that at least one of k attempts passes, 1 − C(n − c, k) / C(n, k) for c of n that pass.
///
/// Source: Chen et al., arXiv 2107.03374, equation 1. Samples with fewer than k epochs are left out.
public struct PassAtMetric: Metric {
    public static let kind = MetricKind("pass_at", "pass@k: at least one of k attempts passes", settings: [tries])
    private let number: Int

    public init(_ settings: ScorerSettings) throws(Problem) { number = try settings.int("k", 1, in: 1...100_000) }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        let values = samples.map { sample in
            (
                RepeatedSamples.passAtK(
                    count: sample.epochs.count, correct: sample.epochs.count { score.passes($0) }, k: number),
                sample.cluster
            )
        }
        return [Means.figure("pass@\(number)", values, EvalScoreKind(score.name))].compactMap { $0 }
    }
}

/// pass^k: the probability that all of k attempts pass, C(c, k) / C(n, k). Source: Yao et al., arXiv 2406.12045.
public struct PassAllMetric: Metric {
    public static let kind = MetricKind("pass_all", "pass^k: all k attempts pass", settings: [tries])
    private let number: Int

    public init(_ settings: ScorerSettings) throws(Problem) { number = try settings.int("k", 1, in: 1...100_000) }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        let values = samples.map { sample in
            (
                RepeatedSamples.passHatK(
                    count: sample.epochs.count, correct: sample.epochs.count { score.passes($0) }, k: number),
                sample.cluster
            )
        }
        return [Means.figure("pass^\(number)", values, EvalScoreKind(score.name))].compactMap { $0 }
    }
}

/// Share of samples that could not be scored.
public struct UnparsableMetric: Metric {
    public static let kind = MetricKind("unparsable", "share of samples that could not be scored")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        let values = samples.map {
            (Optional($0.value == nil || $0.answered == LabelScorer.none ? 1.0 : 0), $0.cluster)
        }
        let kind = EvalScoreKind(score.name, higherIsBetter: false, passesAt: 0)
        return [Means.figure(Self.kind.name, values, kind)].compactMap { $0 }
    }
}

/// Flip rate: the share of pairs of epochs that disagree about passing, averaged over samples with at least two epochs.
public struct FlipRateMetric: Metric {
    public static let kind = MetricKind("flip_rate", "how often two attempts at a sample disagree")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        let values = samples.filter { $0.epochs.count > 1 }.map { sample in
            let passed = Double(sample.epochs.count { score.passes($0) })
            let count = Double(sample.epochs.count)
            return (Optional(2 * passed * (count - passed) / (count * (count - 1))), sample.cluster)
        }
        let kind = EvalScoreKind(score.name, higherIsBetter: false, passesAt: 0)
        return [Means.figure(Self.kind.name, values, kind)].compactMap { $0 }
    }
}

/// Mean of a ranking measure over questions.
public struct RankingMetric: Metric {
    public static let kind = MetricKind("ranking_mean", "mean of a ranking measure over questions")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        [Means.figure(Self.kind.name, samples.map { ($0.value, $0.cluster) }, score)].compactMap { $0 }
    }
}
