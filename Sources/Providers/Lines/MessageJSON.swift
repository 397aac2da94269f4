package import JSON
package import LanguageModels
package import System

/// A message as JSON, with the keys that exports of traces have.
///
/// `{"role": "assistant", "parts": [...]}`, where a part is one of
/// ```json
/// {"type": "text", "text": "..."}
/// {"type": "reasoning", "text": "..."}
/// {"type": "tool_call", "id": "...", "name": "...", "arguments": "{...}"}
/// {"type": "tool_result", "call_id": "...", "content": "...", "is_error": false}
/// {"type": "attachment", "media_type": "image/png", "location": "...", "bytes": 12}
/// {"type": "anything else", "json": "{...}"}
/// ```
/// Read back, `content` may stand in place of `parts`: a text.
package struct MessageJSON: JSONRepresentable {
    package var message: Message

    package init(_ message: Message) { self.message = message }

    package func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("role", message.role.name)
            json.member("parts") { json in json.array { for part in message.parts { Self.write(part, to: &$0) } } }
        }
    }

    private static func write(_ part: Message.Part, to json: inout JSONWriter) {
        json.object { json in
            switch part {
            case .text(let text):
                json.member("type", "text")
                json.member("text", text)
            case .reasoning(let text):
                json.member("type", "reasoning")
                json.member("text", text)
            case .toolCall(let call):
                json.member("type", "tool_call")
                json.member("id", call.id)
                json.member("name", call.name)
                json.member("arguments", call.arguments)
            case .toolResult(let result):
                json.member("type", "tool_result")
                json.member("call_id", result.callID)
                json.member("content", result.content)
                json.member("is_error", result.isError)
            case .attachment(let file):
                json.member("type", "attachment")
                json.member("media_type", file.mediaType)
                json.member("location", ifPresent: file.location)
                json.member("bytes", file.byteCount)
            case .other(let type, let text):
                json.member("type", type)
                json.member("json", text)
            }
        }
    }
}

extension MessageJSON {
    /// Reads a message.
    package init(_ node: JSONNode) throws(Problem) {
        guard let role = Role.allCases.first(where: { node["role"]?.equals($0.name) == true }) else {
            throw Problem(.invalid, "", "'role' of a message must be system, user, assistant, or tool")
        }
        if let text = node["content"]?.string {
            message = Message(role, [.text(text)])
            return
        }
        guard let parts = node["parts"] ?? node["content"], parts.kind == .array else {
            throw Problem(.invalid, "", "a message must have an array 'parts' or a string 'content'")
        }
        var read: [Message.Part] = []
        for part in parts.elements { read.append(try Self.part(part)) }
        message = Message(role, read)
    }

    private static func part(_ node: JSONNode) throws(Problem) -> Message.Part {
        guard let type = node["type"]?.string else { throw Problem(.invalid, "", "a message part must have 'type'") }
        func text(_ node: JSONNode?) -> String { node?.string ?? "" }
        switch type {
        case "text": return .text(text(node["text"]))
        case "reasoning": return .reasoning(text(node["text"]))
        case "tool_call": return .toolCall(try Self.call(node))
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

    /// Reads a call of a tool, whose arguments may be JSON or a text that holds it.
    static func call(_ node: JSONNode) throws(Problem) -> ToolCall {
        guard let name = node["name"]?.string else { throw Problem(.invalid, "", "a tool call must have 'name'") }
        let arguments = node["arguments"].map { $0.string ?? String(decoding: $0.source, as: UTF8.self) }
        return ToolCall(id: node["id"]?.string ?? "", name: name, arguments: arguments ?? "{}")
    }
}
