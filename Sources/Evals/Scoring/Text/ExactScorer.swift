public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Scores 1 if the answer equals a target, letter for letter.
public struct ExactScorer: Scorer {
    public static let kind = ScorerKind(
        "exact", "1 if the answer equals a target",
        settings: [
            ScorerSetting("ignore_case", "whether case is ignored", standard: .bool(false)),
            ScorerSetting("trim", "whether whitespace at the ends is ignored", standard: .bool(true)),
        ], needsTargets: true)
    private let ignoresCase: Bool
    private let trims: Bool

    public init(_ settings: ScorerSettings) throws(Problem) {
        ignoresCase = try settings.bool("ignore_case", false)
        trims = try settings.bool("trim", true)
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("exact")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let answer = prepared(solution.answer)
        return [BestTarget.matches("exact", answer, sample) { prepared($0) == answer }]
    }

    private func prepared(_ text: String) -> String {
        let text = trims ? text.trimmed : text
        return ignoresCase ? text.lowercased() : text
    }
}
