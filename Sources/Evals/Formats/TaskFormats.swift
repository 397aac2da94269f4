internal import EvalLogs
internal import Glibc
public import System

/// All formats of task files, and their detection.
public enum TaskFormats {
    /// Formats in detection order; a new one is a line here.
    public static let all: [any TaskFormat.Type] = [
        OrreryTaskFormat.self, LMEvalFormat.self, PromptfooFormat.self, OpenAIEvalsFormat.self,
    ]

    /// Loads the tasks of a file, or of every task file in a folder, sorted by name.
    ///
    /// - Throws: `Problem` for an unknown format, with a description of the file and the supported formats.
    public static func load(_ path: String, _ options: TaskLoading = TaskLoading()) throws(Problem) -> [EvalTask] {
        var status = stat()
        guard stat(path, &status) == 0 else {
            throw Problem(.missing, path, "the file does not exist", remedy: "Check the path.")
        }
        guard status.st_mode & S_IFMT == S_IFDIR else { return try format(of: path).load(path: path, options) }
        var tasks: [EvalTask] = []
        for name in Folder.readableNames(in: path) where isTaskName(name) {
            let file = path + (path.hasSuffix("/") ? "" : "/") + name
            guard let head = head(of: file), let format = all.first(where: { $0.recognizes(path: file, head: head) })
            else { continue }
            tasks += try format.load(path: file, options)
        }
        guard !tasks.isEmpty else {
            throw Problem(.missing, path, "the folder has no task file", remedy: "Supported formats: \(names).")
        }
        return tasks
    }

    /// Returns the format of a file.
    public static func format(of path: String) throws(Problem) -> any TaskFormat.Type {
        if let oddity = ByteFile.oddity(path) {
            throw Problem(.failed, path, oddity, remedy: "Write it to a file first.")
        }
        guard let head = head(of: path) else {
            throw Problem(
                .invalid, path, "the file cannot be read",
                remedy: "Check its permissions and that it is a regular file.")
        }
        if let format = all.first(where: { $0.recognizes(path: path, head: head) }) { return format }
        throw Problem(
            .invalid, path, "the file is not a task but \(looks(path, head))", remedy: "Supported formats: \(names).")
    }

    /// Returns whether a file in a folder may be a task: other files may be data of the tasks.
    private static func isTaskName(_ name: String) -> Bool {
        [".toml", ".yaml", ".yml"].contains { name.hasSuffix($0) }
    }

    private static var names: String {
        let names = all.map { $0.name }
        return names.dropLast().joined(separator: ", ") + " and " + (names.last ?? "")
    }

    /// Returns the first 64 KiB for format detection, without a byte order mark and with LF line ends; `nil` if the
    /// file cannot be read.
    private static func head(of path: String) -> [UInt8]? {
        guard let bytes = SmallFile.head(path, 1 << 16) else { return nil }
        let read = bytes[...]
        return (read.starts(with: [0xEF, 0xBB, 0xBF]) ? read.dropFirst(3) : read).filter { $0 != 0x0D }
    }

    /// Returns a description of a file's contents, for a sentence.
    private static func looks(_ path: String, _ head: [UInt8]) -> String {
        if head.isEmpty { return "an empty file" }
        if head.starts(with: [0x1F, 0x8B]) { return "a gzipped file" }
        if head.starts(with: [0x50, 0x4B]) { return "a ZIP archive, perhaps the log of a run" }
        if head.prefix(1_024).contains(0) { return "a binary file" }
        switch head.first(where: { $0 > 0x20 }) {
        case UInt8(ascii: "{"), UInt8(ascii: "["): return "JSON, perhaps the data of a task"
        default: break
        }
        if path.hasSuffix(".csv") || path.hasSuffix(".tsv") { return "a table, perhaps the data of a task" }
        if path.hasSuffix(".yaml") || path.hasSuffix(".yml") { return "YAML without the keys of a task" }
        if path.hasSuffix(".toml") { return "TOML without the keys of a task" }
        return "a text"
    }
}
