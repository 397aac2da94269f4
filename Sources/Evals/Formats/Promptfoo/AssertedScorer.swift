public import EvalLogs
internal import JSON
public import System
internal import Traces

/// A scorer with its own targets instead of the sample's: each assertion of a test has its own value.
public struct AssertedScorer: Scorer {
    public static let kind = ScorerKind(
        "asserted", "another scorer, with its own targets",
        settings: [
            ScorerSetting("scorer", "the scorer's kind"),
            ScorerSetting("values", "targets, any of which is correct"),
            ScorerSetting("settings", "the scorer's settings", standard: .object([])),
        ])
    private let base: any Scorer
    private let values: [String]

    public init(_ settings: ScorerSettings) throws(Problem) {
        values = try settings.strings("values") ?? []
        base = try Scorers.make(
            ScorerChoice(
                try settings.string("scorer", ""),
                settings: ScorerSettings(
                    settings["settings"]?.members ?? [], path: settings.path, line: settings.line)))
    }

    public var scores: [EvalScoreKind] { base.scores }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        var sample = sample
        sample.targets = values
        return base.score(solution, of: sample, in: room)
    }
}

/// A set of checks that counts as one: promptfoo's `assert-set`.
public struct CheckSetScorer: Scorer {
    public static let kind = ScorerKind(
        "check_set", "whether a set of checks passes",
        settings: [
            ScorerSetting("checks", "checks: tables with kind, settings, weight, threshold, and negate"),
            ScorerSetting(
                "threshold", "minimum weighted mean to pass (default: every check must pass)", standard: .null),
        ])
    private let base: ChecksScorer
    private let checks: [ScorerChoice]

    public init(_ settings: ScorerSettings) throws(Problem) {
        base = try ChecksScorer(
            ScorerSettings(settings.values.filter { $0.key == "threshold" }, path: settings.path, line: settings.line))
        var checks: [ScorerChoice] = []
        for value in settings["checks"]?.elements ?? [] {
            let choice = ScorerChoice(value, path: settings.path, line: settings.line)
            _ = try Scorers.make(choice)
            checks.append(choice)
        }
        self.checks = checks
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("check_set")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        var sample = sample
        sample.checks = checks
        guard var score = base.score(solution, of: sample, in: room).first else { return [] }
        score.name = "check_set"
        return [score]
    }
}

extension ScorerChoice {
    /// Parses the output of `json`.
    init(_ value: JSONValue, path: String, line: Int?) {
        self.init(
            value["kind"]?.string ?? "", name: value["name"]?.string,
            settings: ScorerSettings(value["settings"]?.members ?? [], path: path, line: line),
            weight: value["weight"]?.double ?? 1, threshold: value["threshold"]?.double,
            isNegated: value["negate"]?.bool ?? false)
    }

    /// The check as a setting of another check.
    var nested: JSONValue {
        .object([
            .init(key: "kind", value: .string(kind)), .init(key: "name", value: name.map { .string($0) } ?? .null),
            .init(key: "settings", value: .object(settings.values)), .init(key: "weight", value: .number(weight)),
            .init(key: "threshold", value: threshold.map { .number($0) } ?? .null),
            .init(key: "negate", value: .bool(isNegated)),
        ])
    }
}
