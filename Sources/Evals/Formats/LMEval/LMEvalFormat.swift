internal import EvalLogs
internal import JSON
public import System

/// Task files of lm-evaluation-harness.
public enum LMEvalFormat: TaskFormat {
    public static let name = "lm-eval"

    /// Keys of which at least one begins a line in every such file.
    private static let marks = ["dataset_path:", "doc_to_text:", "doc_to_target:", "output_type:", "group:"]

    public static func recognizes(path: String, head: [UInt8]) -> Bool {
        guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return false }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\n")
        return lines.contains { line in marks.contains { line.hasPrefix($0) } }
            || lines.contains { $0.hasPrefix("task:") } && lines.contains { $0.hasPrefix("include:") }
    }

    public static func load(path: String, _ options: TaskLoading) throws(Problem) -> [EvalTask] {
        var tasks = try LMEvalTask.load(
            path: path,
            LMEvalTask.Options(
                fewShot: options.fewShot, seed: options.seed == 0 ? 1234 : options.seed, limit: options.limit,
                dataFolder: options.dataFolder))
        for index in tasks.indices { tasks[index].keepPrompt(prompt(of: tasks[index]), in: options.workspace) }
        return tasks
    }

    /// Keys that determine the text of a question.
    private static let wording = [
        "description", "doc_to_text", "doc_to_choice", "doc_to_target", "target_delimiter", "fewshot_delimiter",
        "gen_prefix", "fewshot_config",
    ]

    /// Returns the keys of the definition that determine the prompt.
    private static func prompt(of task: EvalTask) -> String {
        let definition = try? JSONValue(json: task.source)
        return wording.compactMap { key in
            definition?[key].map { "\(key): \($0.string ?? $0.json())" }
        }.joined(separator: "\n")
    }
}
