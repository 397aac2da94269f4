internal import JSON
internal import System

/// A prompt of a promptfoo file.
struct PromptfooPrompt {
    var label: String
    var text: String
    var node: YAMLNode
}

extension PromptfooTask {
    /// Returns prompts from texts in the file, from files next to it (separated by lines of `---`), and from chats in
    /// JSON.
    func prompts() throws(Problem) -> [PromptfooPrompt] {
        guard let node = root["prompts"] else {
            throw root.error("the file has no prompts", "Add prompts under prompts.")
        }
        var prompts: [PromptfooPrompt] = []
        for entry in node.elements {
            let source = entry.value?.string ?? entry["raw"]?.value?.string ?? entry["id"]?.value?.string
            guard let source else {
                throw entry.error("the prompt must be a string", "Write a string, file://name, or id and label.")
            }
            for (key, value) in entry.members where !["raw", "id", "label"].contains(key) {
                throw value.error("a prompt's \(key) is not supported", "Supported: raw, id, label.")
            }
            let label = entry["label"]?.value?.string
            guard source.hasPrefix("file://") else {
                prompts.append(
                    PromptfooPrompt(label: label ?? "prompt \(prompts.count + 1)", text: source, node: entry))
                continue
            }
            for suffix in [".py", ".js", ".ts", ".mjs", ".cjs", ".sh"]
            where source.hasSuffix(suffix) || source.contains(suffix + ":") {
                throw entry.error(
                    "\(source) is code, which is not supported as a prompt", "Write the prompt as text.")
            }
            let file = place(source)
            guard let bytes = SmallFile.content(file, limit: 1 << 20),
                let text = String(validating: bytes, as: UTF8.self)
            else {
                throw entry.error("\(file) cannot be read", "Name an existing text file.")
            }
            let parts = file.hasSuffix(".txt") ? Self.parts(text) : [text]
            let name = String(source.dropFirst(7))
            for (index, part) in parts.enumerated() {
                prompts.append(
                    PromptfooPrompt(
                        label: label ?? (parts.count > 1 ? "\(name) \(index + 1)" : name), text: part, node: entry))
            }
        }
        guard !prompts.isEmpty else { throw node.error("the file has no prompts", "Add prompts under prompts.") }
        return prompts
    }

    /// Returns the texts between lines of `---`.
    private static func parts(_ text: String) -> [String] {
        var parts: [String] = [""]
        for line in text.split(separator: "\n", omittingEmptySubsequences: false) {
            if line == "---" || line == "---\r" { parts.append("") } else { parts[parts.count - 1] += line + "\n" }
        }
        let trimmed = parts.map { part in
            var part = part
            while part.last == "\n" { part.removeLast() }
            return part
        }
        return trimmed.filter { !$0.isEmpty }
    }
}
