public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Scores 1 if the number in the answer equals that of a target, within a tolerance.
///
/// Close enough: |a − t| ≤ max(absolute, relative · |t|).
public struct NumericScorer: Scorer {
    public static let kind = ScorerKind(
        "numeric", "1 if the answer's number equals a target within a tolerance",
        settings: [
            ScorerSetting("absolute", "absolute tolerance", standard: .number(0)),
            ScorerSetting("relative", "relative tolerance, as a share of the target", standard: .number(1e-6)),
            ScorerSetting("marker", "text before the number, such as ####", standard: .string("")),
            ScorerSetting("take", "which number counts: first or last", standard: .string("last")),
        ], needsTargets: true)
    private let absolute: Double
    private let relative: Double
    private let marker: String
    private let takesLast: Bool

    public init(_ settings: ScorerSettings) throws(Problem) {
        absolute = try settings.double("absolute", 0)
        relative = try settings.double("relative", 1e-6)
        guard absolute >= 0, relative >= 0 else { throw settings.error("a tolerance must be at least 0") }
        marker = try settings.string("marker", "")
        takesLast = try settings.word("take", "last", of: ["first", "last"]) == "last"
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("numeric")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        guard let number = number(solution.answer) else {
            return [EvalScore("numeric", value: 0, explanation: "the answer has no number")]
        }
        var score = BestTarget.score("numeric", number.text, sample) { target in
            self.number(target).map { isClose(number.value, $0.value) ? 1 : 0 }
        }
        if score.value == nil, !sample.targets.isEmpty { score.problem = "no target is a number" }
        return [score]
    }

    private func isClose(_ answer: Double, _ target: Double) -> Bool {
        abs(answer - target) <= max(absolute, relative * abs(target))
    }

    /// Returns the number after the last marker, or of the whole text if the marker is missing.
    private func number(_ text: String) -> NumericAnswer? {
        var rest = text[...]
        if !marker.isEmpty {
            while let range = rest.firstRange(of: marker) { rest = rest[range.upperBound...] }
            if rest.startIndex != text.startIndex { return NumericAnswer.all(in: rest).first }
        }
        let numbers = NumericAnswer.all(in: rest)
        return takesLast ? numbers.last : numbers.first
    }
}
