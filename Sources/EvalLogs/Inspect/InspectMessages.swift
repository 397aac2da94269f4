internal import JSON
internal import LanguageModels

/// Messages as Inspect writes them, with attachments put in their places.
struct InspectMessages {
    private let attachments: JSONNode?
    private let pool: JSONNode?

    /// - Parameter sample: Complete sample.
    init(_ sample: JSONNode) {
        attachments = sample["attachments"]
        pool = sample["events_data"]?["messages"]
    }

    /// The text itself, or the attachment whose place it holds.
    func resolve(_ text: String) -> String {
        let mark = "attachment://"
        guard text.hasPrefix(mark) else { return text }
        return attachments?.member(named: String(text.dropFirst(mark.count)))?.string ?? text
    }

    func text(_ node: JSONNode?) -> String? { node?.text.map { resolve($0) } }

    /// The texts of a message's content without its thinking.
    static func text(_ content: JSONNode) -> String {
        guard content.kind == .array else { return content.text ?? "" }
        return content.elements.compactMap { $0["text"]?.string }.joined(separator: "\n")
    }

    /// What a model read: the event's own messages, or ranges of the sample's pool of messages.
    func input(of event: JSONNode) -> [Message] {
        if let refs = event["input_refs"], refs.count > 0, let pool {
            let nodes = pool.elements.map { $0 }
            var messages: [Message] = []
            for ref in refs.elements {
                guard let from = ref.element(at: 0)?.whole, let to = ref.element(at: 1)?.whole, from >= 0, to > from,
                    from < nodes.count
                else { continue }
                messages += nodes[from..<min(to, nodes.count)].map { message($0) }
                if messages.count > 1 << 16 { break }
            }
            return messages
        }
        return messages(event["input"])
    }

    func messages(_ node: JSONNode?) -> [Message] { node?.elements.map { message($0) } ?? [] }

    func message(_ node: JSONNode) -> Message {
        let role = Role.allCases.first { node["role"]?.equals($0.name) == true } ?? .user
        if role == .tool {
            let error = node["error"].flatMap { $0.isNull ? nil : $0 }
            let told = node["content"].map { resolve(InspectMessages.text($0)) } ?? ""
            let content = error?["message"]?.text.map { told.isEmpty ? resolve($0) : told } ?? told
            return Message(
                .tool,
                [
                    .toolResult(
                        ToolResult(
                            callID: node["tool_call_id"]?.text ?? node["function"]?.text ?? "", content: content,
                            isError: error != nil))
                ])
        }
        var parts: [Message.Part] = []
        if let content = node["content"] {
            if content.kind == .array {
                for one in content.elements { parts.append(part(one)) }
            } else if let text = text(content), !text.isEmpty {
                parts.append(.text(text))
            }
        }
        for call in node["tool_calls"]?.elements.map({ $0 }) ?? [] {
            parts.append(
                .toolCall(
                    ToolCall(
                        id: call["id"]?.text ?? "", name: call["function"]?.text ?? "tool",
                        arguments: text(call["arguments"]) ?? "{}")))
        }
        return Message(role, parts)
    }

    private func part(_ node: JSONNode) -> Message.Part {
        switch node["type"]?.string {
        case "text": return .text(text(node["text"]) ?? "")
        case "reasoning":
            let told = text(node["reasoning"]) ?? ""
            let summary = text(node["summary"]) ?? ""
            return .reasoning(node["redacted"]?.bool == true || told.isEmpty ? summary : told)
        case let type? where ["image", "audio", "video", "document"].contains(type):
            let place = text(node.member(named: type)) ?? ""
            // A picture's own bytes do not belong into a trace.
            let isInline = place.hasPrefix("data:")
            return .attachment(
                Attachment(
                    mediaType: type, location: isInline ? nil : place,
                    byteCount: isInline ? place.utf8.count / 4 * 3 : 0))
        case let type?: return .other(type: type, json: JSONValue.compact(node))
        case nil:
            return node.kind == .string
                ? .text(text(node) ?? "") : .other(type: "unknown", json: JSONValue.compact(node))
        }
    }
}
