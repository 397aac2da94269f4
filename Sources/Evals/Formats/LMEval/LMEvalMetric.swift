public import EvalLogs
internal import JSON
public import System
internal import Traces

/// A figure of a whole run as in lm-evaluation-harness, with its standard error.
///
/// The standard error of a mean is s/√n. For perplexity, median, F1, and Matthews correlation it is the deviation over
/// resamples, drawn with the harness's own random numbers: chunks of a thousand, the i-th from `random.Random(i)`. For
/// weighted perplexities, bits per byte, and the Brier score, the harness reports none.
public struct LMEvalMetric: Metric {
    public static let kind = MetricKind(
        "lm-eval", "a metric from lm-evaluation-harness",
        settings: [
            ScorerSetting("aggregation", "aggregation of the values: mean, perplexity, f1, and so on"),
            ScorerSetting("resamples", "number of resamples for the standard error", standard: .integer(100_000)),
        ])

    private let aggregation: String
    private let resamples: Int

    public init(_ settings: ScorerSettings) throws(Problem) {
        guard let word = settings["aggregation"]?.string else { throw settings.error("`aggregation` is missing") }
        aggregation = word
        resamples = settings["resamples"]?.int ?? 100_000
    }

    public func figures(of samples: [MetricSample], score: EvalScoreKind) -> [EvalMetric] {
        let corpus = ["bleu", "chrf", "chrf++", "ter"]
        if corpus.contains(aggregation) { return corpusFigure(samples, score) }
        let isWeighted = ["weighted_perplexity", "bits_per_byte", "brier_score", "f1", "matthews_corrcoef"]
            .contains(aggregation)
        let items = samples.compactMap { sample in
            isWeighted ? (sample.parts.count >= 2 ? sample.parts : nil) : sample.value.map { [$0] }
        }
        guard !items.isEmpty, let value = Aggregate.value(aggregation, items) else { return [] }
        var error: Double?
        if items.count > 1, resamples > 0 {
            switch aggregation {
            case "mean": error = Aggregate.meanError(items.map { $0[0] })
            case "median", "perplexity", "nanmean", "f1", "matthews_corrcoef":
                error = Aggregate.bootstrapError(aggregation, items, resamples: resamples)
            default: break
            }
        }
        let left = samples.count - items.count
        return [
            EvalMetric(
                score: score.name, name: aggregation, value: value, standardError: error, count: items.count,
                higherIsBetter: score.higherIsBetter,
                note: left == 0 ? nil : "\(left) samples have no score")
        ]
    }

    private func corpusFigure(_ samples: [MetricSample], _ score: EvalScoreKind) -> [EvalMetric] {
        guard let figure = CorpusText.figure(aggregation, samples) else { return [] }
        return [
            EvalMetric(
                score: score.name, name: aggregation, value: figure.value, standardError: figure.error,
                count: samples.count, higherIsBetter: score.higherIsBetter)
        ]
    }
}

/// Metrics of lm-evaluation-harness tasks.
public enum LMEvalMetrics {
    public static let all: [any Metric.Type] = [LMEvalMetric.self]
}
