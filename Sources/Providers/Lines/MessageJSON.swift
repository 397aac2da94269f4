internal import JSON
internal import LanguageModels
internal import System

extension Message {
    /// Reads a message in the form of exports; `content` can replace `parts`, as a text or an array.
    init(_ node: JSONNode) throws(Problem) {
        guard let role = Role.allCases.first(where: { node["role"]?.equals($0.name) == true }) else {
            throw Problem(.invalid, "", "'role' of a message must be system, user, assistant, or tool")
        }
        if let text = node["content"]?.string {
            self.init(role, [.text(text)])
            return
        }
        guard let parts = node["parts"] ?? node["content"], parts.kind == .array else {
            throw Problem(.invalid, "", "a message must have an array 'parts' or a string 'content'")
        }
        var read: [Message.Part] = []
        for part in parts.elements { read.append(try Self.part(part)) }
        self.init(role, read)
    }

    private static func part(_ node: JSONNode) throws(Problem) -> Message.Part {
        guard let type = node["type"]?.string else { throw Problem(.invalid, "", "a message part must have 'type'") }
        func text(_ node: JSONNode?) -> String { node?.string ?? "" }
        switch type {
        case "text": return .text(text(node["text"]))
        case "reasoning": return .reasoning(text(node["text"]))
        case "tool_call": return .toolCall(try ToolCall(node))
        case "tool_result":
            return .toolResult(
                ToolResult(
                    callID: text(node["call_id"]), content: text(node["content"]),
                    isError: node["is_error"]?.bool ?? false))
        case "attachment":
            return .attachment(
                Attachment(
                    mediaType: text(node["media_type"]), location: node["location"]?.string,
                    byteCount: Int(node["bytes"]?.int ?? 0)))
        default: return .other(type: type, json: text(node["json"]))
        }
    }
}

extension ToolCall {
    /// Reads a tool call, whose arguments are JSON or a text with JSON.
    init(_ node: JSONNode) throws(Problem) {
        guard let name = node["name"]?.string else { throw Problem(.invalid, "", "a tool call must have 'name'") }
        let arguments = node["arguments"].map { $0.string ?? String(decoding: $0.source, as: UTF8.self) }
        self.init(id: node["id"]?.string ?? "", name: name, arguments: arguments ?? "{}")
    }
}
