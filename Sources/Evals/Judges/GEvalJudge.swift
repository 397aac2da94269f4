public import EvalLogs
internal import Formatting
internal import Glibc
internal import JSON
internal import LanguageModels
public import System
internal import Traces

/// G-Eval: a model's score, weighted by the model's probability of each score.
///
/// Uses the most probable alternatives of the last token that is the score, drops those below 0.01 and those that are
/// not on the scale, and returns Σ s·p / Σ p. If none is left, or the provider reports no probabilities, the result is
/// the score itself. Source: Liu et al., EMNLP 2023, equation 1; the token rule as in DeepEval.
public struct GEvalJudge: Scorer {
    public static let kind = ScorerKind(
        "g_eval", "a model's score, weighted by the probabilities of all scores",
        settings: [
            ScorerSetting("criteria", "criteria to judge by, in steps"),
            ScorerSetting("scale", "1-5 or 1-10", standard: .string("1-5")),
            ScorerSetting("passes_at", "minimum passing score", standard: .null),
        ], needsJudge: true)
    private let criteria: String
    private let scale: JudgeScale
    private let passesAt: Double

    public init(_ settings: ScorerSettings) throws(Problem) {
        criteria = try settings.string("criteria", "")
        scale = try JudgeSettings.scale(settings)
        guard scale != .yesNo else { throw settings.error("G-Eval needs a numeric scale") }
        passesAt = try JudgeSettings.passesAt(settings, scale)
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("g_eval", passesAt: passesAt)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        var material = [("question", sample.question), ("answer", solution.answer)]
        if let target = sample.targets.first { material.insert(("reference", target), at: 1) }
        let prompt = JudgePrompt(
            "g_eval", task: "Judge the answer to the question, step by step, by these criteria:\n\(criteria)",
            material: material, form: scale.form, seed: room.seed)
        do throws(Problem) {
            let reply = try room.ask(prompt, alternatives: 20)
            let (mark, reason) = try scale.mark(reply)
            let weighted = Self.weighted(mark, reply.tokens, in: scale.range)
            return [
                EvalScore(
                    "g_eval", value: scale.share(weighted ?? mark), label: Format.plain(mark),
                    answer: solution.answer,
                    explanation: prompt.details(reason) + (weighted == nil ? "; no probabilities were reported" : ""))
            ]
        } catch {
            return [JudgePrompt.unscored("g_eval", error, answer: solution.answer)]
        }
    }

    /// Returns Σ s·p / Σ p over the alternatives of the last token that is the score; `nil` if there are none.
    static func weighted(_ mark: Double, _ tokens: [TokenStep], in scale: ClosedRange<Double>) -> Double? {
        guard let token = tokens.last(where: { Double($0.text.trimmed) == mark }) else { return nil }
        var sum = 0.0
        var mass = 0.0
        for alternative in token.alternatives ?? [] {
            let probability = exp(alternative.logProbability)
            guard probability >= 0.01, probability.isFinite, let value = Int(alternative.text.trimmed),
                scale.contains(Double(value))
            else { continue }
            sum += Double(value) * probability
            mass += probability
        }
        return mass > 0 ? sum / mass : nil
    }
}
