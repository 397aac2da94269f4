import JSON
import LanguageModels

extension RecordedMessage {
    /// Reads a message object of any convention: `parts` of gen_ai, `content` and `tool_calls` of OpenAI, blocks of
    /// Anthropic and of the Vercel AI SDK, LangChain's constructors.
    ///
    /// - Parameters:
    ///   - role: Role if the object does not record one.
    ///   - parsed: Returns the JSON inside a string; `nil` if there is none.
    init(_ value: OTLPValue, role: Role, parsed: (OTLPValue) -> OTLPValue?) {
        var value = value
        if value.member("role") == nil {
            // A choice holds its message, and a LangChain constructor its arguments.
            for wrapper in ["message", "kwargs"] as [StaticString] {
                if let inner = value.member(wrapper), inner.shape == .object { value = inner }
            }
        }
        self.init(role: Role(recorded: value.member("role")) ?? Role(recorded: value.member("type")) ?? role)
        if let parts = value.member("parts"), parts.shape == .array { parts.forEachElement { append(block: $0) } }
        if let reasoning = value.member("reasoning_content", or: "reasoning"), reasoning.shape == .string {
            parts.append(.reasoning(reasoning))
        }
        if let content = value.member("content") {
            let callID = value.member("tool_call_id", or: "id", "toolCallId")
            switch content.shape {
            case .null: break
            case .array where self.role != .tool || value.member("tool_call_id") == nil:
                content.forEachElement { append(block: $0) }
            default:
                if self.role == .tool {
                    parts.append(.result(id: callID, content: content, failed: false))
                } else if content.shape != .string || content.textLength > 0 {
                    parts.append(.text(content))
                }
            }
        }
        if let calls = value.member("tool_calls", or: "toolCalls") {
            append(calls: calls.shape == .string ? parsed(calls) ?? calls : calls)
        }
    }

    /// Adds the tool calls of a list.
    mutating func append(calls: OTLPValue) {
        calls.forEachElement { call in
            let function = call.member("function") ?? call
            parts.append(
                .call(
                    id: call.member("id", or: "toolCallId", "call_id"),
                    name: function.member("name", or: "toolName"),
                    arguments: function.member("arguments", or: "args", "input")))
        }
    }

    /// Adds a part or a block of content.
    mutating func append(block: OTLPValue) {
        guard block.shape == .object else {
            if block.shape != .null { parts.append(.text(block)) }
            return
        }
        let type = block.member("type")
        switch type?.string ?? "" {
        case "text", "input_text", "output_text":
            parts.append(.text(block.member("content", or: "text") ?? block))
        case "reasoning", "thinking":
            if let text = block.member("content", or: "thinking", "text") { parts.append(.reasoning(text)) }
        case "tool_call", "tool_use", "tool-call", "function_call", "server_tool_call":
            parts.append(
                .call(
                    id: block.member("id", or: "toolCallId", "call_id"), name: block.member("name", or: "toolName"),
                    arguments: block.member("arguments", or: "input", "args")))
        case "tool_call_response", "tool_result", "tool-result", "function_call_output", "server_tool_call_response":
            let failed = block.member("is_error", or: "isError")
            parts.append(
                .result(
                    id: block.member("id", or: "tool_use_id", "toolCallId", "call_id"),
                    content: block.member("response", or: "result", "content", "output"),
                    failed: failed?.text == "true"))
            if role == .user { role = .tool }
        case "blob", "file", "uri", "image", "image_url", "input_image", "audio", "input_audio", "document":
            let link = block.member("image_url")
            parts.append(
                .attachment(
                    mediaType: block.member("mime_type", or: "media_type", "mediaType", "modality", "type"),
                    location: block.member("uri", or: "file_id", "url") ?? link?.member("url") ?? link,
                    data: block.member("data", or: "content")))
        default: parts.append(.other(type: type, block))
        }
    }
}
