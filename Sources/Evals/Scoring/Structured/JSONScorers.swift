public import EvalLogs
internal import JSON
public import System
internal import Traces

private let find = ScorerSetting(
    "find", "whether to use the first JSON value in the answer (false: the whole answer must be JSON)",
    standard: .bool(false))

/// Scores 1 if the answer is JSON, and matches the schema if there is one.
public struct JSONSchemaScorer: Scorer {
    public static let kind = ScorerKind(
        "json", "1 if the answer is JSON that matches a schema",
        settings: [ScorerSetting("schema", "JSON schema, as a table or a string", standard: .null), find])
    private let schema: JSONSchema?
    private let finds: Bool

    public init(_ settings: ScorerSettings) throws(Problem) {
        finds = try settings.bool("find", false)
        guard var value = settings["schema"], value != .null else {
            schema = nil
            return
        }
        if let text = value.string {
            guard let read = try? JSONValue(json: text) else { throw settings.error("\"schema\" is not valid JSON") }
            value = read
        }
        do { schema = try JSONSchema(value) } catch { throw settings.error(error.what, error.remedy ?? "") }
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("json")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        guard let value = FoundJSON.value(in: solution.answer, anywhere: finds) else {
            return [EvalScore("json", value: 0, answer: solution.answer, explanation: "the answer is not JSON")]
        }
        let problems = schema?.problems(of: value) ?? []
        return [
            EvalScore(
                "json", value: problems.isEmpty ? 1 : 0, answer: solution.answer,
                explanation: problems.isEmpty ? nil : problems.joined(separator: "; "))
        ]
    }
}

/// The share of fields of a JSON target that are correct in the JSON answer.
public struct JSONFieldsScorer: Scorer {
    public static let kind = ScorerKind(
        "json_fields", "share of the target's fields that the answer has correct",
        settings: [
            ScorerSetting(
                "fields", "names of fields, with dots for nesting (default: all of the target)", standard: .null),
            ScorerSetting("tolerance", "largest difference between numbers", standard: .number(0)), find,
        ], needsTargets: true)
    private let fields: [String]?
    private let tolerance: Double
    private let finds: Bool

    public init(_ settings: ScorerSettings) throws(Problem) {
        fields = try settings.strings("fields")
        tolerance = try settings.double("tolerance", 0)
        finds = try settings.bool("find", false)
    }

    public var scores: [EvalScoreKind] { [EvalScoreKind("json_fields")] }

    public func score(_ solution: Solution, of sample: TaskSample, in room: ScoringRoom) -> [EvalScore] {
        guard let target = sample.targets.first.flatMap({ try? JSONValue(json: $0) }), target.members != nil else {
            return [EvalScore("json_fields", value: nil, problem: "the target is not a JSON object")]
        }
        guard let answer = FoundJSON.value(in: solution.answer, anywhere: finds) else {
            return [EvalScore("json_fields", value: 0, answer: solution.answer, explanation: "the answer is not JSON")]
        }
        let names = fields ?? target.members?.map(\.key) ?? []
        guard !names.isEmpty else {
            return [EvalScore("json_fields", value: nil, problem: "there are no fields to compare")]
        }
        var wrong: [String] = []
        for name in names {
            let path = fields == nil ? [name] : name.split(separator: ".").map(String.init)
            let wanted = Self.value(target, path)
            let given = Self.value(answer, path)
            let isSame = wanted.map { wanted in given?.equals(wanted, tolerance: tolerance) ?? false } ?? (given == nil)
            if !isSame { wrong.append(name) }
        }
        return [
            EvalScore(
                "json_fields", value: Double(names.count - wrong.count) / Double(names.count), answer: solution.answer,
                explanation: wrong.isEmpty ? nil : "wrong: " + wrong.joined(separator: ", "))
        ]
    }

    private static func value(_ root: JSONValue, _ path: [String]) -> JSONValue? {
        var value = root
        for part in path {
            if let elements = value.elements {
                guard let index = Int(part), elements.indices.contains(index) else { return nil }
                value = elements[index]
            } else if let inner = value[part] {
                value = inner
            } else {
                return nil
            }
        }
        return value
    }
}
