internal import Configuration
public import Traces

/// Every metric that task files can choose. A new one is one file and one line here.
public enum Metrics {
    public static let all: [any Metric.Type] = general + classes + probabilities + texts + LMEvalMetrics.all

    /// Of any score.
    private static let general: [any Metric.Type] = [
        MeanMetric.self, AccuracyMetric.self, PassAtMetric.self, PassAllMetric.self, UnparsableMetric.self,
        FlipRateMetric.self, RankingMetric.self,
    ]

    /// Of answered and right classes.
    private static let classes: [any Metric.Type] = [
        PrecisionMetric.self, RecallMetric.self, FScoreMetric.self, MatthewsMetric.self, BalancedAccuracyMetric.self,
        ConfusionMetric.self,
    ]

    /// Of how sure the answers were, and of log-probabilities.
    private static let probabilities: [any Metric.Type] = [
        ROCAreaMetric.self, AveragePrecisionMetric.self, CalibrationMetric.self, BrierMetric.self, LogLossMetric.self,
        PerplexityMetric.self,
    ]

    /// Of all texts together.
    private static let texts: [any Metric.Type] = [
        CorpusBLEUMetric.self, CorpusChrFMetric.self, CorpusTERMetric.self, CorpusROUGEMetric.self,
    ]

    /// The metric that a task file chose.
    ///
    /// - Throws: `TaskError` where no metric has that name, or a setting is unknown or of no use.
    public static func make(_ choice: MetricChoice) throws(TaskError) -> any Metric {
        guard let type = all.first(where: { $0.kind.name == choice.kind }) else {
            let nearest = NearestName.suggestion(for: choice.kind, among: all.map { $0.kind.name })
            throw choice.settings.error(
                "there is no metric \"\(choice.kind)\"", nearest ?? "")
        }
        try choice.settings.check(type.kind.settings, of: "metric \"\(choice.kind)\"")
        return try type.init(choice.settings)
    }

    /// The figures of a run: every chosen metric of its score, or of every score where none is named. Without any
    /// choice, the mean of every score.
    ///
    /// - Parameter samples: the samples as the metrics of a score see them, in the order of the task.
    public static func figures(
        of choices: [MetricChoice], scores: [EvalScoreKind], samples: (EvalScoreKind) -> [MetricSample]
    ) throws(TaskError) -> [EvalMetric] {
        let choices = choices.isEmpty ? [MetricChoice(MeanMetric.kind.name)] : choices
        var metrics: [any Metric] = []
        for choice in choices { metrics.append(try make(choice)) }
        for choice in choices {
            if let name = choice.score, !scores.contains(where: { $0.name == name }) {
                let nearest = NearestName.suggestion(for: name, among: scores.map(\.name))
                throw choice.settings.error(
                    "there is no score \"\(name)\" for the metric \"\(choice.kind)\"",
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

    /// The row of a metric whose scorer could judge no sample at all, so that nobody takes the others for it; nil where
    /// there is no sample, or one with a score.
    private static func unscored(_ samples: [MetricSample], _ name: String, _ score: EvalScoreKind) -> EvalMetric? {
        guard !samples.isEmpty, samples.allSatisfy({ $0.value.map(\.isNaN) ?? true }) else { return nil }
        return EvalMetric(
            score: score.name, name: name, value: .nan, count: 0, higherIsBetter: score.higherIsBetter,
            note: "0 of \(samples.count) samples could be scored")
    }
}
