public import EvalLogs
internal import Formatting
internal import JSON
public import System
internal import Traces

private let scaleSetting = ScorerSetting("scale", "1-5, 1-10, or yes-no", standard: .string("1-5"))
private let passesAtSetting = ScorerSetting(
    "passes_at", "minimum passing score (default: 4 of 1-5, 8 of 1-10, yes of yes-no)",
    standard: .null)

/// A model scores the answer by a rubric, after giving its reason.
///
/// The value is the score as a share of the scale: (score − lowest) / (highest − lowest); the label is the score
/// itself.
public struct RubricJudge: Scorer {
    public static let kind = ScorerKind(
        "rubric", "a model's score for the answer, based on a rubric",
        settings: [
            ScorerSetting("rubric", "what makes an answer good"), scaleSetting, passesAtSetting,
        ], needsJudge: true)
    private let rubric: String
    private let scale: JudgeScale
    private let passesAt: Double

    public init(_ settings: ScorerSettings) throws(Problem) {
        rubric = try settings.string("rubric", "")
        scale = try JudgeSettings.scale(settings)
        passesAt = try JudgeSettings.passesAt(settings, scale)
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("rubric", passesAt: passesAt)] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        var material = [("question", sample.question), ("answer", solution.answer)]
        if let target = sample.targets.first { material.insert(("reference", target), at: 1) }
        let prompt = JudgePrompt(
            "rubric", task: "Judge the answer to the question by this rubric:\n\(rubric)", material: material,
            form: scale.form, seed: room.seed)
        do throws(Problem) {
            let (mark, reason) = try scale.mark(room.ask(prompt))
            return [
                EvalScore(
                    "rubric", value: scale.share(mark), label: Format.plain(mark), answer: solution.answer,
                    explanation: prompt.details(reason))
            ]
        } catch {
            return [JudgePrompt.unscored("rubric", error, answer: solution.answer)]
        }
    }
}

/// Settings that several judges share.
enum JudgeSettings {
    static func scale(_ settings: ScorerSettings) throws(Problem) -> JudgeScale {
        let word = try settings.word("scale", "1-5", of: JudgeScale.allCases.map(\.rawValue))
        return JudgeScale(rawValue: word) ?? .five
    }

    /// Returns the minimum passing share of the scale (default: four fifths, or 1 for yes and no).
    static func passesAt(_ settings: ScorerSettings, _ scale: JudgeScale) throws(Problem) -> Double {
        guard let mark = try settings.double("passes_at") else { return scale == .yesNo ? 1 : 0.75 }
        guard scale.range.contains(mark) else {
            throw settings.error("\"passes_at\" is not on the scale \(scale.rawValue)")
        }
        return scale.share(mark)
    }
}
