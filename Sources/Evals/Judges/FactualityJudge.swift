public import EvalLogs
public import System
internal import Traces

/// Compares the answer's facts with the reference's: a subset, a superset, the same, contradicting, or differing in
/// immaterial ways. All but a contradiction pass.
public struct FactualityJudge: Scorer {
    public static let kind = ScorerKind(
        "factuality", "1 if the answer does not contradict the reference", needsJudge: true, needsTargets: true)
    private static let words = ["subset", "superset", "same", "contradicts", "immaterial"]

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("factuality")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        do throws(Problem) {
            guard let reference = sample.targets.first else { throw Problem(.missing, "", "the sample has no target") }
            let prompt = JudgePrompt(
                "factuality",
                task: "Compare the facts of the answer with those of the reference; style does not matter. subset: the "
                    + "answer says less, and nothing against it. superset: it says more, and nothing against it. same: "
                    + "it says the same. contradicts: they disagree. immaterial: they differ in what does not matter.",
                material: [("question", sample.question), ("reference", reference), ("answer", solution.answer)],
                form: "\"reason\": \"...\", \"verdict\": one of \(Self.words.joined(separator: ", "))",
                seed: room.seed)
            let (word, reason) = try room.ask(prompt).word("verdict", of: Self.words)
            return [
                EvalScore(
                    "factuality", value: word == "contradicts" ? 0 : 1, label: word, answer: solution.answer,
                    explanation: prompt.details(reason))
            ]
        } catch {
            return [JudgePrompt.unscored("factuality", error, answer: solution.answer)]
        }
    }
}
