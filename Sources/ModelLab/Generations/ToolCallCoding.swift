internal import JSON
internal import LanguageModels

/// Tool calls as they are kept: a JSON list of `[id, name, arguments]`.
enum ToolCallCoding {
    static func encode(_ calls: [ToolCall]) -> String {
        var json = JSONWriter()
        json.array { json in
            for call in calls {
                json.array {
                    $0.string(call.id)
                    $0.string(call.name)
                    $0.string(call.arguments)
                }
            }
        }
        return json.text
    }

    static func decode(_ text: String) -> [ToolCall] {
        // Without its tool calls, an answer with a damaged list of calls remains readable.
        guard let document = try? JSONDocument(parsing: text) else { return [] }
        return document.withRoot { root in
            root.elements.map {
                ToolCall(
                    id: $0.element(at: 0)?.string ?? "", name: $0.element(at: 1)?.string ?? "",
                    arguments: $0.element(at: 2)?.string ?? "")
            }
        }
    }
}
