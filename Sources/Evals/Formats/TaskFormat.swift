public import JSON
public import System
public import Workspace

/// A format of task files. A new one is one file with one such type, and one line in `TaskFormats.all`.
public protocol TaskFormat: Sendable {
    /// Name in commands and lists, such as `lm-eval`.
    static var name: String { get }

    /// Returns whether a file has this format, by its path and its first 64 KiB.
    static func recognizes(path: String, head: [UInt8]) -> Bool

    /// Loads the tasks of a file, one for each prompt.
    ///
    /// - Throws: `Problem` with the line of an error or an unsupported part.
    static func load(path: String, _ options: TaskLoading) throws(Problem) -> [EvalTask]
}

/// Options for loading a task that are not in its file.
public struct TaskLoading: Sendable {
    /// Workspace with spans, corpora, and prompts; `nil` for none.
    public var workspace: Workspace?
    /// Maximum number of samples; `nil` for all.
    public var limit: Int?
    /// Number of examples before the question, instead of the task's own.
    public var fewShot: Int?
    /// Variants of the prompt; empty for the task's choice.
    public var prompts: [String]
    /// Variables for templates.
    public var variables: [JSONValue.Member]
    /// Folder of the task's data files, instead of the task's folder.
    public var dataFolder: String?
    /// Seed for random choices: examples, the order of choices.
    public var seed: UInt64

    public init(
        workspace: Workspace? = nil, limit: Int? = nil, fewShot: Int? = nil, prompts: [String] = [],
        variables: [JSONValue.Member] = [], dataFolder: String? = nil, seed: UInt64 = 0
    ) {
        self.workspace = workspace
        self.limit = limit
        self.fewShot = fewShot
        self.prompts = prompts
        self.variables = variables
        self.dataFolder = dataFolder
        self.seed = seed
    }
}
