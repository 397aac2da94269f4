internal import EvalLogs
internal import JSON
internal import Providers
public import System

/// promptfoo's YAML: prompts, tests with variables, and assertions. Each prompt becomes a task with all tests.
public enum PromptfooFormat: TaskFormat {
    public static let name = "promptfoo"
    static let mostBytes = 16 << 20

    public static func recognizes(path: String, head: [UInt8]) -> Bool {
        guard path.hasSuffix(".yaml") || path.hasSuffix(".yml") else { return false }
        let keys = Set(
            String(decoding: head, as: UTF8.self).split(separator: "\n").compactMap { line -> Substring? in
                guard let first = line.first, first != " ", first != "#" else { return nil }
                return line.firstIndex(of: ":").map { line[..<$0] }
            })
        return keys.contains("prompts") && !keys.isDisjoint(with: ["tests", "providers", "defaultTest", "targets"])
    }

    public static func load(path: String, _ options: TaskLoading) throws(Problem) -> [EvalTask] {
        try PromptfooTask(path: path, options).tasks()
    }

    /// Returns the models of a file, as words of the command line.
    ///
    /// - Throws: `Problem` with the line of a provider that would run code of another language.
    public static func models(of path: String) throws(Problem) -> [String] {
        try PromptfooTask(path: path, TaskLoading()).models()
    }
}
