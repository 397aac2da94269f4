internal import Configuration
public import EvalLogs
public import System
internal import Traces

/// All metrics that task files can choose. A new one is one file and one line here.
public enum Metrics {
    public static let all: [any Metric.Type] = general + classes + probabilities + texts + LMEvalMetrics.all

    /// Metrics of any score.
    private static let general: [any Metric.Type] = [
        MeanMetric.self, AccuracyMetric.self, PassAtMetric.self, PassAllMetric.self, UnparsableMetric.self,
        FlipRateMetric.self, RankingMetric.self,
    ]

    /// Metrics of predicted and correct classes.
    private static let classes: [any Metric.Type] = [
        PrecisionMetric.self, RecallMetric.self, FScoreMetric.self, MatthewsMetric.self, BalancedAccuracyMetric.self,
        ConfusionMetric.self,
    ]

    /// Metrics of confidence and of log-probabilities.
    private static let probabilities: [any Metric.Type] = [
        ROCAreaMetric.self, AveragePrecisionMetric.self, CalibrationMetric.self, BrierMetric.self, LogLossMetric.self,
        PerplexityMetric.self,
    ]

    /// Metrics of all texts together.
    private static let texts: [any Metric.Type] = [
        CorpusBLEUMetric.self, CorpusChrFMetric.self, CorpusTERMetric.self, CorpusROUGEMetric.self,
    ]

    /// Creates the metric that a task file chose.
    ///
    /// - Throws: `Problem` for an unknown metric, or an unknown or invalid setting.
    public static func make(_ choice: MetricChoice) throws(Problem) -> any Metric {
        guard let type = all.first(where: { $0.kind.name == choice.kind }) else {
            let nearest = NearestName.suggestion(for: choice.kind, among: all.map { $0.kind.name })
            throw choice.settings.error(
                "unknown metric \"\(choice.kind)\"", nearest ?? "")
        }
        try choice.settings.check(type.kind.settings, of: "metric \"\(choice.kind)\"")
        return try type.init(choice.settings)
    }

    /// Returns the figures of a run: each chosen metric for its score, or for every score if it names none. Without any
    /// chosen metric, the mean of every score.
    ///
    /// - Parameter samples: Returns the samples for the metrics of a score, in the order of the task.
    public static func figures(
        of choices: [MetricChoice], scores: [EvalScoreKind], samples: (EvalScoreKind) -> [MetricSample]
    ) throws(Problem) -> [EvalMetric] {
        let choices = choices.isEmpty ? [MetricChoice(MeanMetric.kind.name)] : choices
        var metrics: [any Metric] = []
        for choice in choices { metrics.append(try make(choice)) }
        for choice in choices {
            if let name = choice.score, !scores.contains(where: { $0.name == name }) {
                let nearest = NearestName.suggestion(for: name, among: scores.map(\.name))
                throw choice.settings.error(
                    "unknown score \"\(name)\" for the metric \"\(choice.kind)\"",
                    nearest ?? "")
            }
        }
        var figures: [EvalMetric] = []
        for score in scores {
            let rows = samples(score)
            for (choice, metric) in zip(choices, metrics) where choice.score == nil || choice.score == score.name {
                let found = metric.figures(of: rows, score: score)
                figures +=
                    found.isEmpty ? [unscored(rows, type(of: metric).kind.name, score)].compactMap(\.self) : found
            }
        }
        return figures
    }

    /// Returns the row of a score without any value, which would otherwise be missing unnoticed; `nil` if there are no
    /// samples or one has a value.
    private static func unscored(_ samples: [MetricSample], _ name: String, _ score: EvalScoreKind) -> EvalMetric? {
        guard !samples.isEmpty, samples.allSatisfy({ $0.value.map(\.isNaN) ?? true }) else { return nil }
        return EvalMetric(
            score: score.name, name: name, value: .nan, count: 0, higherIsBetter: score.higherIsBetter,
            note: "none of the \(samples.count) samples could be scored")
    }
}
