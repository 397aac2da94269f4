public import JSON

/// Keys and types of messages as JSON.
package enum MessageForm: Sendable {
    /// `--json`, exports of traces, and users' model programs.
    case export
    /// Orrery's eval logs.
    case evalLog
    /// Attributes of spans by the OpenTelemetry conventions for generative AI.
    case openTelemetry
}

/// A message as JSON, in the form of exports.
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
extension Message: JSONRepresentable {
    /// Writes the message in the form of exports.
    public func write(to json: inout JSONWriter) { write(as: .export, to: &json) }

    /// Writes the message in a form.
    package func write(as form: MessageForm, to json: inout JSONWriter) {
        json.object { json in
            json.member("role", role.name)
            if form == .evalLog, parts.count == 1, case .text(let text) = parts[0] {
                json.member("text", text)
            } else {
                json.member("parts") { json in json.array { for part in parts { part.write(as: form, to: &$0) } } }
            }
        }
    }

    /// Returns messages as one JSON array.
    package static func json(_ messages: [Message], as form: MessageForm) -> String {
        var json = JSONWriter()
        json.array { for message in messages { message.write(as: form, to: &$0) } }
        return json.text
    }
}

extension Message.Part: JSONRepresentable {
    /// Writes the part in the form of exports.
    public func write(to json: inout JSONWriter) { write(as: .export, to: &json) }

    package func write(as form: MessageForm, to json: inout JSONWriter) {
        let isTelemetry = form == .openTelemetry
        json.object { json in
            switch self {
            case .text(let text):
                json.member("type", "text")
                json.member(isTelemetry ? "content" : "text", text)
            case .reasoning(let text):
                json.member("type", "reasoning")
                json.member(isTelemetry ? "content" : "text", text)
            case .toolCall(let call):
                json.member("type", "tool_call")
                json.member("id", call.id)
                json.member("name", call.name)
                json.member("arguments") { $0.text(call.arguments, asJSON: isTelemetry) }
            case .toolResult(let result):
                json.member("type", isTelemetry ? "tool_call_response" : "tool_result")
                json.member(form == .export ? "call_id" : "id", result.callID)
                json.member(isTelemetry ? "response" : "content", result.content)
                if form == .export || result.isError { json.member("is_error", result.isError) }
            case .attachment(let file) where isTelemetry:
                json.member("type", "uri")
                json.member("mime_type", file.mediaType)
                json.member("uri", file.location ?? "")
            case .attachment(let file):
                json.member("type", "attachment")
                json.member("media_type", file.mediaType)
                json.member("location", ifPresent: file.location)
                json.member("bytes", file.byteCount)
            case .other(let type, let text):
                json.member("type", form == .evalLog ? "other" : type)
                if form == .evalLog { json.member("kind", type) }
                json.member(isTelemetry ? "content" : "json") { $0.text(text, asJSON: isTelemetry) }
            }
        }
    }
}

extension ToolDefinition {
    /// Returns tools as one JSON array, by the OpenTelemetry conventions.
    package static func json(_ tools: [ToolDefinition]) -> String {
        var json = JSONWriter()
        json.array { json in
            for tool in tools {
                json.object {
                    $0.member("type", "function")
                    $0.member("name", tool.name)
                    $0.member("description", tool.description)
                    $0.member("parameters") { $0.text(tool.parameters, asJSON: true) }
                }
            }
        }
        return json.text
    }
}

extension Usage: JSONRepresentable {
    /// Writes the counts in the form of exports.
    public func write(to json: inout JSONWriter) {
        json.object {
            $0.member("input_tokens", input)
            $0.member("cache_read_tokens", cacheRead)
            $0.member("cache_write_tokens", cacheWrite)
            $0.member("output_tokens", output)
            $0.member("reasoning_tokens", reasoning)
        }
    }
}

extension JSONWriter {
    /// Writes text as a JSON string, or on request as the JSON value that it holds.
    fileprivate mutating func text(_ text: String, asJSON isParsed: Bool) {
        // Text that does not parse is not JSON.
        if isParsed, let document = try? JSONDocument(parsing: text) {
            document.withRoot { copy($0) }
        } else {
            string(text)
        }
    }
}
