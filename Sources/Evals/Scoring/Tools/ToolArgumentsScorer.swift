public import EvalLogs
internal import JSON
internal import LanguageModels
public import System
internal import Traces

/// Scores 1 if a tool was called with the expected arguments at least once.
public struct ToolArgumentsScorer: Scorer {
    public static let kind = ScorerKind(
        "tool_arguments", "1 if a tool was called with the expected arguments",
        settings: [
            ScorerSetting("tool", "name of the tool"),
            ScorerSetting("arguments", "table of argument names and values"),
            ScorerSetting(
                "mode", "subset: other arguments may be present; exact: no others", standard: .string("subset")),
        ])
    private let tool: String
    private let arguments: [JSONValue.Member]
    private let isExact: Bool

    public init(_ settings: ScorerSettings) throws(Problem) {
        tool = try settings.string("tool", "")
        guard let members = settings["arguments"]?.members else {
            throw settings.error("\"arguments\" must be a table of names and values")
        }
        arguments = members
        isExact = try settings.word("mode", "subset", of: ["subset", "exact"]) == "exact"
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("tool_arguments")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let calls = CalledTools.all(solution).filter { $0.name == tool }
        let fits = calls.contains { call in
            guard let given = CalledTools.arguments(call), let members = given.members else { return false }
            return arguments.allSatisfy { given[$0.key]?.equals($0.value) ?? false }
                && (!isExact || Set(members.map(\.key)) == Set(arguments.map(\.key)))
        }
        let words =
            calls.isEmpty
            ? "\(tool) was not called" : "called with " + calls.prefix(5).map(\.arguments).joined(separator: ", ")
        return [EvalScore("tool_arguments", value: fits ? 1 : 0, explanation: words)]
    }
}
