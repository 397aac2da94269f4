public import EvalLogs
internal import JSON
public import System
internal import Traces

/// Searches the answer with a regular expression; the match is compared with the targets, or any match is enough.
public struct PatternScorer: Scorer {
    public static let kind = ScorerKind(
        "regex", "1 if a regular expression matches the answer, or its match equals a target",
        settings: [
            ScorerSetting(
                "pattern", "the expression (default: each target is an expression)", standard: .null,
                replacesTargets: true),
            ScorerSetting(
                "group", "group with the answer (default: the first that is not empty)", standard: .null),
            ScorerSetting("index", "which match counts: 0 is the first, -1 is the last", standard: .integer(0)),
            ScorerSetting("ignore_case", "whether case is ignored", standard: .bool(false)),
            ScorerSetting("whole", "whether the expression must match the whole answer", standard: .bool(false)),
            ScorerSetting("compare", "exists, exact, normalized, or number", standard: .string("exact")),
        ], needsTargets: true)
    private enum Comparison: String { case exists, exact, normalized, number }
    private let pattern: AnswerPattern?
    private let group: Int?
    private let index: Int
    private let ignoresCase: Bool
    private let isWhole: Bool
    private let comparison: Comparison

    public init(_ settings: ScorerSettings) throws(Problem) {
        ignoresCase = try settings.bool("ignore_case", false)
        isWhole = try settings.bool("whole", false)
        if let source = try settings.string("pattern") {
            guard let made = AnswerPattern(source, ignoresCase: ignoresCase, whole: isWhole) else {
                throw settings.error("\"\(source)\" is not a valid regular expression")
            }
            pattern = made
        } else {
            pattern = nil
        }
        group = settings["group"].map { $0 == .null } ?? true ? nil : try settings.int("group", 0, in: 0...99)
        index = try settings.int("index", 0, in: -1_000...1_000)
        let word = try settings.word("compare", "exact", of: ["exists", "exact", "normalized", "number"])
        comparison = Comparison(rawValue: word) ?? .exact
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("regex")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        guard let pattern else { return [scoreOfTargets(solution.answer, sample)] }
        guard case .found(let parts) = pattern.find(in: solution.answer, group: group) else {
            return [EvalScore("regex", value: nil, problem: "the expression takes too long on this answer")]
        }
        let place = index < 0 ? parts.count + index : index
        guard parts.indices.contains(place) else {
            return [EvalScore("regex", value: 0, explanation: "the expression does not match")]
        }
        let answer = parts[place].trimmed
        if comparison == .exists || sample.targets.isEmpty { return [EvalScore("regex", value: 1, answer: answer)] }
        return [BestTarget.matches("regex", answer, sample) { isSame(answer, $0.trimmed) }]
    }

    private func isSame(_ answer: String, _ target: String) -> Bool {
        switch comparison {
        case .exists: return true
        case .exact: return ignoresCase ? answer.lowercased() == target.lowercased() : answer == target
        case .normalized: return AnswerNormalization()(answer) == AnswerNormalization()(target)
        case .number:
            guard let one = NumericAnswer.all(in: answer).last, let other = NumericAnswer.all(in: target).last else {
                return false
            }
            return abs(one.value - other.value) <= 1e-6 * abs(other.value)
        }
    }

    /// Scores targets that are expressions: 1 if one of them matches.
    private func scoreOfTargets(_ answer: String, _ sample: TaskSample) -> EvalScore {
        for target in sample.targets {
            guard let pattern = AnswerPattern(target, ignoresCase: ignoresCase, whole: isWhole) else {
                return EvalScore("regex", value: nil, problem: "the target is not a valid regular expression")
            }
            switch pattern.find(in: answer, group: 0) {
            case .tooSlow:
                return EvalScore("regex", value: nil, problem: "the expression takes too long on this answer")
            case .found(let parts): if let part = parts.first { return EvalScore("regex", value: 1, answer: part) }
            }
        }
        guard !sample.targets.isEmpty else {
            return EvalScore("regex", value: nil, problem: "there is neither a pattern nor a target")
        }
        return EvalScore("regex", value: 0, explanation: "the expression does not match")
    }
}
