internal import JSON
internal import LanguageModels

/// Calls of tools in what a model wrote, in the forms that chat templates teach: `<tool_call>` (Hermes, Qwen),
/// `[TOOL_CALLS]` (Mistral), a bare object with `name` and `parameters` or `arguments` (Llama 3).
enum ToolCallText {
    static func calls(in text: String, tools: [ToolDefinition]) -> [ToolCall] {
        var calls: [ToolCall] = []
        for json in objects(in: text) {
            guard let document = try? JSONDocument(parsing: json) else { continue }
            document.withRoot { root in
                for node in root.kind == .array ? Array(root.elements) : [root] {
                    guard let name = node["name"]?.string, tools.contains(where: { $0.name == name }),
                        let arguments = node["arguments"] ?? node["parameters"]
                    else { continue }
                    let given = arguments.string ?? String(decoding: arguments.source, as: UTF8.self)
                    let id = node["id"]?.string ?? "call_\(calls.count + 1)"
                    calls.append(ToolCall(id: id, name: name, arguments: given))
                }
            }
        }
        return calls
    }

    /// Text around the calls.
    static func prose(of text: String) -> String {
        for mark in ["<tool_call>", "[TOOL_CALLS]", "<|python_tag|>"] {
            if let range = text.firstRange(of: mark) { return String(text[..<range.lowerBound]) }
        }
        return text.first { !$0.isWhitespace } == "{" ? "" : text
    }

    private static func objects(in text: String) -> [String] {
        var found: [String] = []
        var rest = text[...]
        while let start = rest.firstRange(of: "<tool_call>") {
            rest = rest[start.upperBound...]
            let end = rest.firstRange(of: "</tool_call>")
            found.append(String(rest[..<(end?.lowerBound ?? rest.endIndex)]))
            rest = end.map { rest[$0.upperBound...] } ?? ""
        }
        if !found.isEmpty { return found }
        for mark in ["[TOOL_CALLS]", "<|python_tag|>"] {
            if let start = text.firstRange(of: mark) { return [String(text[start.upperBound...])] }
        }
        return text.first { !$0.isWhitespace } == "{" ? [text] : []
    }
}
