internal import EvalLogs
internal import JSON
internal import LanguageModels
public import System
internal import Traces

/// Datasets of OpenAI evals, JSON Lines with `input` and `ideal`, and the registry files that name them.
///
/// The registry classes `match`, `includes`, and `fuzzy_match` are supported; model-graded classes are an error.
public enum OpenAIEvalsFormat: TaskFormat {
    public static let name = "openai-evals"

    public static func recognizes(path: String, head: [UInt8]) -> Bool {
        let text = String(decoding: head, as: UTF8.self)
        if path.hasSuffix(".jsonl") {
            guard let line = text.split(separator: "\n").first, let value = try? JSONValue(json: String(line)) else {
                return false
            }
            return value["input"] != nil && value["ideal"] != nil
        }
        guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return false }
        return text.contains("class: evals.") || text.contains("samples_jsonl:")
    }

    public static func load(path: String, _ options: TaskLoading) throws(Problem) -> [EvalTask] {
        if path.hasSuffix(".jsonl") {
            let name = path.split(separator: "/").last.map { String($0.dropLast(6)) } ?? path
            return [
                try task(
                    name, OpenAIEvalsArguments(data: path), scorer: ScorerChoice("starts_with", name: "match"), options)
            ]
        }
        return try registry(path, options)
    }

    /// Returns the evals that a registry file defines.
    private static func registry(_ path: String, _ options: TaskLoading) throws(Problem) -> [EvalTask] {
        let root = try LMEvalFiles.root(of: path)
        guard case .map(let members) = root.content else { throw root.error("a registry must be a mapping of evals") }
        var tasks: [EvalTask] = []
        for (name, node) in members {
            guard let word = node["class"] else { continue }
            let kind = word.value?.string ?? ""
            let scorer: ScorerChoice
            switch kind.split(separator: ":").last.map(String.init) ?? kind {
            case "Match": scorer = ScorerChoice("starts_with", name: "match")
            case "Includes":
                let ignores = node["args"]?["ignore_case"]?.value?.bool ?? false
                scorer = ScorerChoice(
                    "contains", name: "includes",
                    settings: ScorerSettings(
                        [.init(key: "ignore_case", value: .bool(ignores))], path: path, line: node.line))
            case "FuzzyMatch": scorer = ScorerChoice("fuzzy_match")
            default:
                throw word.error(
                    "the class `\(kind)` is not supported",
                    "Supported: Match, Includes, FuzzyMatch. For a model-graded eval, write your own task with a judge."
                )
            }
            let arguments = try OpenAIEvalsArguments(node, of: name, options)
            tasks.append(try task(name, arguments, scorer: scorer, options))
        }
        guard !tasks.isEmpty else { throw root.error("the file has no eval with a `class`") }
        return tasks
    }

    private static func task(
        _ name: String, _ arguments: OpenAIEvalsArguments, scorer: ScorerChoice, _ options: TaskLoading
    ) throws(Problem) -> EvalTask {
        let data = arguments.data
        let examples = try arguments.examples()
        var sampling = Sampling.greedy
        if let most = arguments.maximumTokens { sampling.maximumTokens = most }
        guard let bytes = SmallFile.content(data, limit: 1 << 30) else {
            throw Problem(.limit, data, "the file cannot be read or is larger than 1 GiB")
        }
        var samples: [TaskSample] = []
        let mark: [UInt8] = [0xEF, 0xBB, 0xBF]
        let rest = bytes.starts(with: mark) ? bytes.dropFirst(mark.count) : bytes[...]
        for (index, line) in rest.split(separator: 10, omittingEmptySubsequences: false).enumerated() {
            if line.allSatisfy({ $0 <= 0x20 }) { continue }
            if let limit = options.limit, samples.count >= limit { break }
            guard let row = try? JSONValue(json: String(decoding: line, as: UTF8.self)), let input = row["input"] else {
                throw Problem(.invalid, data, line: index + 1, "the line is not a JSON object with an `input`")
            }
            let ideal = row["ideal"] ?? .null
            samples.append(
                TaskSample(
                    id: String(samples.count),
                    request: .generation(
                        ModelRequest(
                            .messages(try Self.messages(input, examples, data, index + 1), tools: []),
                            sampling: sampling)),
                    targets: ideal.string.map { [$0] } ?? ideal.elements?.compactMap(\.string) ?? [], fields: row))
        }
        guard !samples.isEmpty else { throw Problem(.missing, data, "the file has no samples") }
        return EvalTask(
            name: name, format: Self.name, path: data, samples: samples, scorers: [scorer],
            metrics: [MetricChoice("mean")],
            settings: [EvalSetting("rows", String(samples.count))]
                + (arguments.exampleCount > 0 ? [EvalSetting("num_fewshot", String(arguments.exampleCount))] : []))
    }

    /// Returns the messages of a row, with the examples before the last message.
    private static func messages(
        _ input: JSONValue, _ examples: [Message], _ path: String, _ line: Int
    ) throws(Problem) -> [Message] {
        var messages = try OpenAIEvalsMessages.read(input, path, line)
        guard !examples.isEmpty else { return messages }
        messages.insert(contentsOf: examples, at: max(0, messages.count - 1))
        return messages
    }
}
