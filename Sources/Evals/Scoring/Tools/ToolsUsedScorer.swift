public import EvalLogs
internal import JSON
internal import LanguageModels
public import System
internal import Traces

/// The share of expected tools that were called; with an order, 1 or 0.
///
/// - `any`: |expected ∩ called| / |expected|, each tool counted as often as it is expected.
/// - `in_order`: 1 if the expected tools are a subsequence of the called tools.
/// - `exact`: 1 if both sequences are equal.
public struct ToolsUsedScorer: Scorer {
    public static let kind = ScorerKind(
        "tools_used", "whether the expected tools were called",
        settings: [
            ScorerSetting("tools", "names of tools (default: the targets)", standard: .null),
            ScorerSetting("order", "order of the calls: any, in_order, or exact", standard: .string("any")),
        ])
    private let tools: [String]?
    private let order: String

    public init(_ settings: ScorerSettings) throws(Problem) {
        tools = try settings.strings("tools")
        order = try settings.word("order", "any", of: ["any", "in_order", "exact"])
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("tools_used")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        let expected = tools ?? sample.targets
        let called = CalledTools.all(solution).map(\.name)
        guard !expected.isEmpty || order == "exact" else {
            return [EvalScore("tools_used", value: nil, problem: "no tool is expected")]
        }
        let value: Double
        switch order {
        case "exact": value = expected == called ? 1 : 0
        case "in_order":
            var left = expected[...]
            for name in called where name == left.first { left.removeFirst() }
            value = left.isEmpty ? 1 : 0
        default:
            var left: [String: Int] = [:]
            for name in called { left[name, default: 0] += 1 }
            var found = 0
            for name in expected {
                guard let count = left[name], count > 0 else { continue }
                left[name] = count - 1
                found += 1
            }
            value = Double(found) / Double(expected.count)
        }
        return [
            EvalScore(
                "tools_used", value: value, answer: called.joined(separator: " "),
                explanation: "called: \(called.isEmpty ? "none" : called.joined(separator: ", "))")
        ]
    }
}
