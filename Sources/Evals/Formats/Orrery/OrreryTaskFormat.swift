internal import JSON
public import System

/// Orrery's own task files: one page of TOML.
///
/// ```toml
/// name = "capitals"
/// prompt = "What is the capital of {{ country }}?"
/// target = "{{ capital }}"
///
/// [data]
/// file = "capitals.csv"
///
/// [[scorers]]
/// kind = "contains"
/// ```
public enum OrreryTaskFormat: TaskFormat {
    public static let name = "orrery"
    private static let mostBytes = 16 << 20

    public static func recognizes(path: String, head: [UInt8]) -> Bool {
        guard path.hasSuffix(".toml") else { return false }
        let lines = String(decoding: head, as: UTF8.self).split(separator: "\n")
        return lines.contains { line in
            let words = line.drop { $0 == " " || $0 == "\t" }
            if words.hasPrefix("[[scorers]]") || words.hasPrefix("[data]") { return true }
            guard let equals = words.firstIndex(of: "=") else { return false }
            let key = words[..<equals].filter { $0 != " " && $0 != "\t" }
            return key == "prompt" || key == "target" || key == "turns"
        }
    }

    public static func load(path: String, _ options: TaskLoading) throws(Problem) -> [EvalTask] {
        guard let bytes = SmallFile.content(path, limit: mostBytes) else {
            throw Problem(
                .limit, path, "the file cannot be read or is larger than 16 MiB",
                remedy: "Move long data into a separate file.")
        }
        guard let text = String(validating: bytes, as: UTF8.self) else {
            throw Problem(.invalid, path, "the file is not valid UTF-8", remedy: "Save it as UTF-8.")
        }
        return try OrreryTask(TaskTOML(text, path: path), options).tasks()
    }

    /// Every key with its meaning, by section, in the format of a file.
    public static var explanation: String {
        "# A task: prompts, data, and the scorers of the answers. Every key is optional.\n"
            + text(of: TaskKey.all)
    }

    /// Returns the keys of a section such as `data`, or those with a name such as `rows` or `data.rows`; `nil` for
    /// none.
    public static func explanation(of word: String) -> String? {
        let keys = TaskKey.all.filter { $0.section == word || $0.name == word || $0.word == word }
        return keys.isEmpty || word.isEmpty ? nil : text(of: keys)
    }

    /// Sections and keys that `explanation(of:)` accepts, each once.
    public static var words: [String] {
        Set(TaskKey.all.flatMap { [$0.section, $0.name, $0.word] }).filter { !$0.isEmpty }.sorted()
    }

    private static func text(of keys: [TaskKey]) -> String {
        var lines: [String] = []
        var section = ""
        for key in keys {
            if key.section != section {
                section = key.section
                lines += ["", TaskKey.lists.contains(section) ? "[[\(section)]]" : "[\(section)]"]
            }
            let value = key.standard.map { $0.json() } ?? ""
            var line = value.isEmpty ? "# \(key.word) =" : "\(key.word) = \(value)"
            line += String(repeating: " ", count: max(1, 26 - line.count)) + "# \(key.meaning)"
            lines.append(line + " (\(key.words.isEmpty ? key.kind.rawValue : key.words.joined(separator: ", ")))")
        }
        lines += [
            "",
            "# With several scorers, the first one decides whether a sample passes, by its threshold (see orrery eval",
            "# explain NAME). The scores of the others are shown next to it, and each score has its own metrics.",
        ]
        return lines.joined(separator: "\n") + "\n"
    }
}
