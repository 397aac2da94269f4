public import EvalLogs
internal import JSON
public import System
internal import Traces

/// The sample's own checks: their weighted mean, and whether the mean, or each check, passes.
///
/// Mean: Σ w·v / Σ w. With a threshold, the sample passes if the mean reaches it; otherwise every check with a weight
/// must pass. If a check cannot be scored, the whole has no value. A score for which less is better counts as 1 if it
/// passes and 0 if not.
public struct ChecksScorer: Scorer {
    public static let kind = ScorerKind(
        "checks", "whether a sample's own checks pass, and their weighted mean",
        settings: [ScorerSetting("threshold", "minimum mean to pass (default: every check must pass)", standard: .null)]
    )
    private let threshold: Double?

    public init(_ settings: ScorerSettings) throws(Problem) { threshold = try settings.double("threshold") }

    public var scores: [EvalScoreKind] {
        [EvalScoreKind("checks"), EvalScoreKind("checks_score", passesAt: threshold ?? 1)]
    }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        var sum = 0.0
        var weights = 0.0
        var passes = true
        var lines: [String] = []
        var problem: String?
        for check in sample.checks {
            do {
                let scorer = try Scorers.make(check)
                guard let kind = scorer.scores.first,
                    let score = scorer.score(solution, of: sample, in: room).first
                else { continue }
                guard let value = score.value else {
                    problem = problem ?? "\(kind.name): \(score.problem ?? "no value")"
                    lines.append("\(kind.name): not judged")
                    continue
                }
                let isPassed = kind.passes(value)
                sum += check.weight * (kind.higherIsBetter ? value : isPassed ? 1 : 0)
                weights += check.weight
                if check.weight > 0, !isPassed { passes = false }
                let why = score.explanation.map { ": " + $0 } ?? ""
                lines.append("\(isPassed ? "pass" : "fail") \(kind.name)\(why)")
            } catch {
                problem = problem ?? error.sentence
            }
        }
        if sample.checks.isEmpty { problem = "the sample has no checks" }
        let words = lines.isEmpty ? nil : lines.joined(separator: "\n")
        if let problem {
            return ["checks", "checks_score"].map {
                EvalScore($0, value: nil, answer: solution.answer, explanation: words, problem: problem)
            }
        }
        let mean = weights > 0 ? sum / weights : passes ? 1 : 0
        let isPassed = threshold.map { mean >= $0 } ?? passes
        return [
            EvalScore("checks", value: isPassed ? 1 : 0, answer: solution.answer, explanation: words),
            EvalScore("checks_score", value: mean, answer: solution.answer),
        ]
    }
}
