public import EvalLogs
public import System
internal import Traces

/// A scorer with the name, threshold, and negation of a task file.
///
/// Negation: 1 if the scorer's first score fails, 0 if it passes. A sample that could not be scored has no value, so
/// that a failure of the scorer never passes.
public struct ChosenScorer: Scorer {
    public static let kind = ScorerKind("chosen", "another scorer with its own name, threshold, and negation")
    /// Wrapped scorer.
    public let base: any Scorer
    /// Scorer in the task file.
    public let choice: ScorerChoice

    public init(_ settings: ScorerSettings) throws(Problem) {
        throw settings.error("a chosen scorer wraps another scorer and has no settings")
    }

    init(_ base: any Scorer, _ choice: ScorerChoice) {
        self.base = base
        self.choice = choice
    }

    /// The first score of the base with the chosen name and threshold.
    private var first: (kind: EvalScoreKind, plain: EvalScoreKind)? {
        guard var plain = base.scores.first else { return nil }
        if let threshold = choice.threshold { plain.passesAt = threshold }
        let name = choice.name ?? (choice.isNegated ? "not_" + plain.name : plain.name)
        let kind =
            choice.isNegated
            ? EvalScoreKind(name)
            : EvalScoreKind(name, higherIsBetter: plain.higherIsBetter, passesAt: plain.passesAt)
        return (kind, plain)
    }

    public var scores: [EvalScoreKind] {
        guard let first else { return [] }
        return [first.kind] + base.scores.dropFirst().map(renamed)
    }

    /// Returns a further score's name with the scorer's name as prefix, so that two scorers of a kind stay distinct.
    private func renamed(_ kind: EvalScoreKind) -> EvalScoreKind {
        var kind = kind
        kind.name = renamed(kind.name)
        return kind
    }

    private func renamed(_ name: String) -> String { choice.name.map { $0 + "_" + name } ?? name }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        var scores = base.score(solution, of: sample, in: room)
        guard let first, !scores.isEmpty else { return scores }
        scores[0].name = first.kind.name
        if case .recorded(let record) = sample.request, scores[0].confidence == nil {
            scores[0].confidence = record.confidence
        }
        if let value = scores[0].value, value.isNaN {
            scores[0].value = nil
            scores[0].problem = scores[0].problem ?? "the score is not a number"
        }
        if choice.isNegated, let value = scores[0].value { scores[0].value = first.plain.passes(value) ? 0 : 1 }
        for index in scores.indices.dropFirst() { scores[index].name = renamed(scores[index].name) }
        return scores
    }
}
