public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Scores 1 if the answer is chosen as the best of several in two opposite orders, 0.5 if in one of them.
public struct SelectBestJudge: Scorer {
    public static let kind = ScorerKind(
        "select_best", "1 if the answer is chosen as the best of several",
        settings: [
            ScorerSetting("field", "sample field with the list of other answers"),
            ScorerSetting("criteria", "what makes an answer the best", standard: .null),
        ], needsJudge: true)
    private let field: String
    private let criteria: String

    public init(_ settings: ScorerSettings) throws(Problem) {
        field = try settings.string("field", "")
        criteria = try settings.string("criteria", "Prefer the answer that is more helpful, correct and to the point.")
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("select_best")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        do throws(Problem) {
            let value = sample.fields[field]
            let others = (value?.elements ?? [value].compactMap { $0 }).compactMap(\.plainText)
            guard !others.isEmpty, others.count <= 50 else {
                throw Problem(
                    .invalid, "", "the field \"\(field)\" holds \(others.count) other answers; expected 1 to 50")
            }
            var wins = 0
            var words: [String] = []
            for isTurned in [false, true] {
                let answers = isTurned ? Array(([solution.answer] + others).reversed()) : [solution.answer] + others
                let prompt = JudgePrompt(
                    "select_best",
                    task: "Which of the \(answers.count) answers to the question is the best? \(criteria)",
                    material: [("question", sample.question)]
                        + answers.enumerated().map { ("answer\($0 + 1)", $1) },
                    form: "\"reason\": \"...\", \"best\": a number from 1 to \(answers.count)", seed: room.seed)
                let (number, reason) = try room.ask(prompt).number("best", in: 1...Double(answers.count))
                guard let place = Int(exactly: number) else { throw Problem(.invalid, "", "the judge chose no answer") }
                if place == (isTurned ? answers.count : 1) { wins += 1 }
                words.append(prompt.details(reason))
            }
            return [
                EvalScore(
                    "select_best", value: Double(wins) / 2, answer: solution.answer,
                    explanation: words.joined(separator: "\n"))
            ]
        } catch {
            return [JudgePrompt.unscored("select_best", error, answer: solution.answer)]
        }
    }
}
