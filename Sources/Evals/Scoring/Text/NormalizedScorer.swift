public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Scores 1 if the answer equals a target after normalization of both.
public struct NormalizedScorer: Scorer {
    public static let kind = ScorerKind(
        "normalized", "1 if answer and target are equal after SQuAD normalization",
        settings: [
            ScorerSetting("articles", "whether to remove a, an, and the", standard: .bool(true)),
            ScorerSetting("punctuation", "whether to remove punctuation", standard: .bool(true)),
            ScorerSetting("numbers", "whether to keep digits", standard: .bool(true)),
        ], needsTargets: true)
    private let normalization: AnswerNormalization

    public init(_ settings: ScorerSettings) throws(Problem) {
        normalization = AnswerNormalization(
            removesArticles: try settings.bool("articles", true),
            removesPunctuation: try settings.bool("punctuation", true),
            removesDigits: try !settings.bool("numbers", true))
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("normalized")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let answer = normalization(solution.answer)
        return [BestTarget.matches("normalized", answer, sample) { normalization($0) == answer }]
    }
}
