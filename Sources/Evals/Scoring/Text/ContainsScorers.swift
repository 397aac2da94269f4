public import EvalLogs
internal import JSON
public import System
internal import Traces

private let ignoringCase = ScorerSetting("ignore_case", "whether case is ignored", standard: .bool(false))
private let values = ScorerSetting(
    "values", "texts to look for instead of the targets", standard: .null,
    replacesTargets: true)

/// Texts to search an answer for.
private struct Wanted {
    var values: [String]?
    var ignoresCase: Bool

    init(_ settings: ScorerSettings) throws(Problem) {
        values = try settings.strings("values")
        ignoresCase = try settings.bool("ignore_case", false)
    }

    /// Returns the score of a rule, which gets for each text whether the answer contains it.
    func score(
        _ name: String, _ solution: Solution, _ sample: TaskSample, _ holds: (String, String) -> Bool,
        _ rule: ([Bool]) -> Bool
    ) -> [EvalScore] {
        let texts = values ?? sample.targets
        guard !texts.isEmpty else {
            return [EvalScore(name, value: nil, answer: solution.answer, problem: "the sample has no target text")]
        }
        let answer = ignoresCase ? solution.answer.lowercased() : solution.answer
        let found = texts.map { holds(answer, ignoresCase ? $0.lowercased() : $0) }
        let missing = zip(texts, found).filter { !$1 }.map { "\"\($0.0)\"" }
        return [
            EvalScore(
                name, value: rule(found) ? 1 : 0, answer: solution.answer,
                explanation: missing.isEmpty ? nil : "missing: " + missing.joined(separator: ", "))
        ]
    }
}

/// Scores 1 if the answer contains a target.
public struct ContainsScorer: Scorer {
    public static let kind = ScorerKind(
        "contains", "1 if the answer contains a target", settings: [ignoringCase], needsTargets: true)
    private let wanted: Wanted

    public init(_ settings: ScorerSettings) throws(Problem) { wanted = try Wanted(settings) }

    public var scores: [EvalScoreKind] { [EvalScoreKind("contains")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        wanted.score("contains", solution, sample, { $0.contains($1) }, { $0.contains(true) })
    }
}

/// Scores 1 if the answer contains any of some texts.
public struct ContainsAnyScorer: Scorer {
    public static let kind = ScorerKind(
        "contains_any", "1 if the answer contains any of the given texts", settings: [values, ignoringCase],
        needsTargets: true)
    private let wanted: Wanted

    public init(_ settings: ScorerSettings) throws(Problem) { wanted = try Wanted(settings) }

    public var scores: [EvalScoreKind] { [EvalScoreKind("contains_any")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        wanted.score("contains_any", solution, sample, { $0.contains($1) }, { $0.contains(true) })
    }
}

/// Scores 1 if the answer contains all of some texts.
public struct ContainsAllScorer: Scorer {
    public static let kind = ScorerKind(
        "contains_all", "1 if the answer contains all of the given texts", settings: [values, ignoringCase],
        needsTargets: true)
    private let wanted: Wanted

    public init(_ settings: ScorerSettings) throws(Problem) { wanted = try Wanted(settings) }

    public var scores: [EvalScoreKind] { [EvalScoreKind("contains_all")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        wanted.score("contains_all", solution, sample, { $0.contains($1) }, { !$0.contains(false) })
    }
}

/// Scores 1 if the answer begins with any of some texts; leading whitespace is ignored.
public struct StartsWithScorer: Scorer {
    public static let kind = ScorerKind(
        "starts_with", "1 if the answer begins with any of the given texts", settings: [values, ignoringCase],
        needsTargets: true)
    private let wanted: Wanted

    public init(_ settings: ScorerSettings) throws(Problem) { wanted = try Wanted(settings) }

    public var scores: [EvalScoreKind] { [EvalScoreKind("starts_with")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        wanted.score(
            "starts_with", solution, sample, { $0.trimmed.hasPrefix($1.trimmed) }, { $0.contains(true) })
    }
}
