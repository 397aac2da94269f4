public import EvalLogs
internal import JSON
internal import LanguageModels
public import System
internal import Tokenizers

/// The scores of a task of lm-evaluation-harness: every metric of a sample on every filter of its answers.
///
/// Score names match the harness's results: `exact_match,strict`. Other data that a metric of the whole run needs is in
/// the parts of a score: sum of log-probabilities and number of words or bytes, correct class and predicted class, or
/// correct class and probabilities.
public struct LMEvalScorer: Scorer {
    public static let kind = ScorerKind(
        "lm-eval", "the metrics of an lm-evaluation-harness task",
        settings: [
            ScorerSetting(
                "output", "request type: generate_until, loglikelihood, loglikelihood_rolling, multiple_choice"),
            ScorerSetting("filters", "name and steps of each filter"),
            ScorerSetting("metrics", "name, aggregation, and options of each metric"),
        ])

    struct MetricPlan {
        var name: String
        var higherIsBetter: Bool
        var match: ExactMatch
    }

    let output: LMEvalDefinition.Output
    let filters: [(name: String, steps: [any AnswerFilter])]
    let metrics: [MetricPlan]
    public let scores: [EvalScoreKind]

    public init(_ settings: ScorerSettings) throws(Problem) {
        guard let output = settings["output"]?.string.flatMap({ LMEvalDefinition.Output(rawValue: $0) }) else {
            throw settings.error("`output` is not an lm-evaluation-harness request type")
        }
        self.output = output
        var filters: [(name: String, steps: [any AnswerFilter])] = []
        for entry in settings["filters"]?.elements ?? [] {
            var steps: [any AnswerFilter] = []
            for step in entry["steps"]?.elements ?? [] {
                let values = step["settings"]?.members ?? []
                steps.append(
                    try AnswerFilters.make(
                        step["function"]?.string ?? "",
                        ScorerSettings(values, path: settings.path, line: step["line"]?.int ?? settings.line)))
            }
            filters.append((entry["name"]?.string ?? "none", steps))
        }
        var metrics: [MetricPlan] = []
        for entry in settings["metrics"]?.elements ?? [] {
            metrics.append(
                MetricPlan(
                    name: entry["name"]?.string ?? "", higherIsBetter: entry["higher_is_better"]?.bool ?? true,
                    match: try ExactMatch(
                        ScorerSettings(entry["options"]?.members ?? [], path: settings.path, line: settings.line))))
        }
        self.filters = filters
        self.metrics = metrics
        scores = filters.flatMap { filter in
            metrics.map { metric in
                EvalScoreKind(
                    "\(metric.name),\(filter.name)", higherIsBetter: metric.higherIsBetter,
                    passesAt: Self.unbounded.contains(metric.name)
                        ? (metric.higherIsBetter ? -.infinity : .infinity) : 1)
            }
        }
    }

    /// Metrics whose values for one sample neither pass nor fail.
    private static let unbounded: Set<String> = [
        "perplexity", "word_perplexity", "byte_perplexity", "bits_per_byte", "brier_score", "bleu", "chrf", "chrf++",
        "ter",
    ]

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        filters.flatMap { filter in
            let view = LMEvalAnswer(solution, of: sample, output: output, steps: filter.steps)
            return metrics.map { metric in
                var score = view.score(metric)
                score.name = "\(metric.name),\(filter.name)"
                return score
            }
        }
    }
}

/// Scorers of lm-evaluation-harness tasks.
public enum LMEvalScorers {
    public static let all: [any Scorer.Type] = [LMEvalScorer.self]
}
