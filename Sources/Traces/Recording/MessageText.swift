internal import JSON
package import LanguageModels

/// The JSON texts that the conventions put into attributes.
package enum MessageText {
    package static func messages(_ messages: [Message]) -> String {
        var json = JSONWriter()
        json.array { json in
            for message in messages {
                json.object { json in
                    json.member("role", message.role.name)
                    json.member("parts") { json in
                        json.array { json in for part in message.parts { write(part, to: &json) } }
                    }
                }
            }
        }
        return json.text
    }

    static func definitions(_ tools: [ToolDefinition]) -> String {
        var json = JSONWriter()
        json.array { json in
            for tool in tools {
                json.object { json in
                    json.member("type", "function")
                    json.member("name", tool.name)
                    json.member("description", tool.description)
                    json.member("parameters") { copy(tool.parameters, to: &$0) }
                }
            }
        }
        return json.text
    }

    private static func write(_ part: Message.Part, to json: inout JSONWriter) {
        json.object { json in
            switch part {
            case .text(let text):
                json.member("type", "text")
                json.member("content", text)
            case .reasoning(let text):
                json.member("type", "reasoning")
                json.member("content", text)
            case .toolCall(let call):
                json.member("type", "tool_call")
                json.member("id", call.id)
                json.member("name", call.name)
                json.member("arguments") { copy(call.arguments, to: &$0) }
            case .toolResult(let result):
                json.member("type", "tool_call_response")
                json.member("id", result.callID)
                json.member("response", result.content)
                if result.isError { json.member("is_error", true) }
            case .attachment(let attachment):
                json.member("type", "uri")
                json.member("mime_type", attachment.mediaType)
                json.member("uri", attachment.location ?? "")
            case .other(let type, let text):
                json.member("type", type)
                json.member("content") { copy(text, to: &$0) }
            }
        }
    }

    /// Returns JSON text unchanged, and other text as a JSON string.
    private static func copy(_ text: String, to json: inout JSONWriter) {
        // Text that does not parse is not JSON.
        if let document = try? JSONDocument(parsing: text) {
            document.withRoot { json.copy($0) }
        } else {
            json.string(text)
        }
    }
}
