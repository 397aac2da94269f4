public import EvalLogs
public import System
internal import Traces

/// The rule of OpenAI evals' FuzzyMatch: answer or target contains the other, ignoring case, ASCII punctuation, the
/// words a, an, and the, and extra whitespace. Two empty texts match; a single empty text does not.
public struct FuzzyMatchScorer: Scorer {
    public static let kind = ScorerKind(
        "fuzzy_match", "1 if answer or target contains the other, ignoring case, punctuation, and articles",
        needsTargets: true)

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("fuzzy_match")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let answer = AnswerNormalization()(solution.answer)
        return [
            BestTarget.matches("fuzzy_match", solution.answer, sample) { target in
                let target = AnswerNormalization()(target)
                guard !answer.isEmpty, !target.isEmpty else { return answer == target }
                return answer.contains(target) || target.contains(answer)
            }
        ]
    }
}
