public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Scores whether a generated question is usable, with the reason if not.
public struct TestQuestionScorer: Scorer {
    public static let kind = ScorerKind(
        "test_question", "1 if a generated question is readable, is a question, and quotes its passage")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("usable")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        do throws(TestQuestion.UnreadableAnswer) {
            let made = try TestQuestion(parsing: solution.answer)
            let flaw = made.flaw(in: sample.fields["text"]?.string ?? "")
            return [
                EvalScore(
                    "usable", value: flaw == nil ? 1 : 0, answer: made.question,
                    explanation: flaw?.sentence ?? "answered by: \(made.quote)")
            ]
        } catch {
            return [EvalScore("usable", value: 0, explanation: TestQuestion.Flaw.unreadable(error.reason).sentence)]
        }
    }
}
