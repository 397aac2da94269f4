public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Compares the answer with another one: 1 if it wins in both orders, 0 if it loses in both, 0.5 otherwise.
///
/// Two more scores describe the judge. `flipped` is 1 if the orders disagree; its mean is the flip rate. `first_place`
/// is how often the first answer won, with a tie as half; its mean is 0.5 without a position bias.
public struct PairwiseScorer: Scorer {
    public static let kind = ScorerKind(
        "pairwise", "whether the answer beats another answer, judged in both orders",
        settings: [
            ScorerSetting(
                "baseline", "sample field with the other answer (default: the first target)", standard: .null,
                replacesTargets: true),
            ScorerSetting("criteria", "what makes an answer better", standard: .null),
        ], needsJudge: true, needsTargets: true)
    private let field: String?
    private let judge: PairwiseJudge

    public init(_ settings: ScorerSettings) throws(Problem) {
        field = try settings.string("baseline")
        judge = try settings.string("criteria").map { PairwiseJudge(criteria: $0) } ?? PairwiseJudge()
    }

    public var scores: [EvalScoreKind] {
        [
            EvalScoreKind(Self.names[0]), EvalScoreKind(Self.names[1], higherIsBetter: false, passesAt: 0),
            .unlimited(Self.names[2]),
        ]
    }

    /// Names of its scores, in order.
    static let names = ["pairwise", "flipped", "first_place"]

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        func unscored(_ problem: String, _ words: String? = nil) -> [EvalScore] {
            scores.map {
                EvalScore($0.name, value: nil, answer: solution.answer, explanation: words, problem: problem)
            }
        }
        let other = field.map { sample.fields[$0]?.plainText } ?? sample.targets.first
        guard let other else { return unscored("the sample has no other answer") }
        let result = judge.compare(question: sample.question, solution.answer, other, in: room)
        guard let outcome = result.outcome, let isFlipped = result.isFlipped, let firstPlace = result.firstPlace else {
            return unscored("the judge's reply could not be read", result.explanation)
        }
        let label = outcome == .first ? "win" : outcome == .second ? "loss" : "tie"
        return [
            EvalScore(
                Self.names[0], value: outcome.share, label: label, answer: solution.answer,
                explanation: result.explanation),
            EvalScore(Self.names[1], value: isFlipped ? 1 : 0, answer: solution.answer),
            EvalScore(Self.names[2], value: firstPlace, answer: solution.answer),
        ]
    }
}
