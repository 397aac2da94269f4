public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Answer relevance: mean cos(q, q_i) between the question and questions that the answer would answer; 0 if all of
/// these are noncommittal. Source: Es et al., EACL 2024 (RAGAS).
public struct AnswerRelevanceJudge: Scorer {
    public static let kind = ScorerKind(
        "answer_relevance", "similarity of the question to questions that the answer would answer",
        settings: [ScorerSetting("questions", "number of generated questions", standard: .integer(3))], needsJudge: true
    )
    private let count: Int

    public init(_ settings: ScorerSettings) throws(Problem) { count = try settings.int("questions", 3, in: 1...20) }

    public var scores: [EvalScoreKind] { [EvalScoreKind("answer_relevance", passesAt: 0.5)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        do throws(Problem) { return [try relevance(solution, sample, room)] } catch {
            return [JudgePrompt.unscored("answer_relevance", error, answer: solution.answer)]
        }
    }

    private func relevance(
        _ solution: Solution, _ sample: TaskSample, _ room: ScoringRoom
    ) throws(Problem) -> EvalScore {
        guard let embed = room.embed else { throw Problem(.missing, "", "no embedder was chosen") }
        let prompt = JudgePrompt(
            "answer_relevance",
            task: "Write \(count) different questions that this answer would answer, and say of each whether the "
                + "answer is noncommittal to it: evasive, vague, or that it does not know.",
            material: [("answer", solution.answer)],
            form: "\"reason\": \"...\", \"questions\": [{\"question\": \"...\", \"noncommittal\": false}]",
            seed: room.seed)
        let object = try room.ask(prompt).verdict("questions")
        var questions: [String] = []
        var evasive = 0
        for element in object["questions"]?.elements ?? [] {
            guard let text = element["question"]?.string, let isEvasive = element["noncommittal"]?.bool else {
                throw Problem(.invalid, "", "the judge's questions are malformed")
            }
            questions.append(text)
            evasive += isEvasive ? 1 : 0
        }
        guard questions.count == count else {
            throw Problem(.invalid, "", "the judge wrote \(questions.count) questions instead of \(count)")
        }
        let vectors: [[Float]]
        do { vectors = try embed([sample.question] + questions) } catch { throw Problem(error, in: "") }
        guard let own = vectors.first, vectors.count == count + 1 else {
            throw Problem(.failed, "", "the embedder returned \(vectors.count) vectors for \(count + 1) texts")
        }
        let likenesses = vectors.dropFirst().compactMap { VectorLikeness.cosine(own, $0) }
        guard likenesses.count == count else {
            throw Problem(.invalid, "", "the vector of a question is zero or invalid")
        }
        let mean = likenesses.reduce(0, +) / Double(count)
        return EvalScore(
            "answer_relevance", value: evasive == count ? 0 : mean, answer: solution.answer,
            explanation: prompt.details(
                questions.joined(separator: "\n") + (evasive > 0 ? "\n\(evasive) are noncommittal" : "")),
            parts: likenesses)
    }
}
