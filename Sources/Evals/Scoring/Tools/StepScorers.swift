public import EvalLogs
internal import JSON
internal import LanguageModels
public import System
internal import Traces

/// Scores 1 if the number of steps is within bounds.
public struct StepCountScorer: Scorer {
    public static let kind = ScorerKind(
        "steps", "1 if the number of steps is within bounds",
        settings: [
            ScorerSetting("min", "minimum number of steps", standard: .integer(0)),
            ScorerSetting("max", "maximum number of steps", standard: .integer(1_000_000)),
            ScorerSetting("kind", "steps to count: any, model, tool, or search", standard: .string("any")),
        ])
    private let least: Int
    private let most: Int
    private let which: String

    public init(_ settings: ScorerSettings) throws(Problem) {
        least = try settings.int("min", 0, in: 0...1_000_000)
        most = try settings.int("max", 1_000_000, in: 0...1_000_000)
        guard least <= most else { throw settings.error("\"min\" is above \"max\"") }
        which = try settings.word("kind", "any", of: ["any", "model", "tool", "search"])
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("steps")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let count = solution.steps.count { step in
            switch step {
            case .model(let call): call.purpose == nil && (which == "any" || which == "model")
            case .tool: which == "any" || which == "tool"
            case .search: which == "any" || which == "search"
            }
        }
        return [
            EvalScore("steps", value: count >= least && count <= most ? 1 : 0, explanation: "\(count) steps")
        ]
    }
}

/// Scores 1 if no step failed.
public struct NoErrorsScorer: Scorer {
    public static let kind = ScorerKind("no_errors", "1 if no model call, tool, or search failed")

    public init(_ settings: ScorerSettings) throws(Problem) {}

    public var scores: [EvalScoreKind] { [EvalScoreKind("no_errors")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let problems = solution.steps.compactMap { step -> String? in
            switch step {
            case .model(let call): call.purpose == nil ? call.problem : nil
            case .tool(let run): run.result.isError ? "\(run.call.name): \(run.result.content.prefix(200))" : nil
            case .search(let search): search.problem
            }
        }
        return [
            EvalScore("no_errors", value: problems.isEmpty ? 1 : 0, explanation: problems.first)
        ]
    }
}
