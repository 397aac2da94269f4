public import JSON
public import LanguageModels

extension ClaudeCodeImporter {
    public static func message(_ index: Int, of record: JSONNode) -> Message? {
        let line = ClaudeCodeRecord(record)
        guard line.isMessage, let content = line.message?["content"] else { return nil }
        var message = Message(line.kind == .assistant ? .assistant : .user, [])
        if content.kind == .string {
            message.parts.append(.text(content.string ?? ""))
            return message
        }
        for block in content.elements {
            let part = part(of: block)
            if case .toolResult = part { message.role = .tool }
            message.parts.append(part)
        }
        return message
    }

    private static func part(of block: JSONNode) -> Message.Part {
        guard block.kind == .object else {
            return block.kind == .string ? .text(block.string ?? "") : .other(type: "", json: json(block))
        }
        let type = block["type"]?.string ?? ""
        switch type {
        case "text": return .text(block["text"]?.string ?? "")
        case "thinking": return .reasoning(block["thinking"]?.string ?? "")
        case "redacted_thinking": return .reasoning("")
        case "tool_use":
            return .toolCall(
                ToolCall(
                    id: block["id"]?.string ?? "", name: block["name"]?.string ?? "",
                    arguments: block["input"].map(json) ?? ""))
        case "tool_result":
            return .toolResult(
                ToolResult(
                    callID: block["tool_use_id"]?.string ?? "", content: block["content"].map(resultText) ?? "",
                    isError: block["is_error"]?.bool == true))
        case "image", "document": return .attachment(attachment(block, type))
        default: return .other(type: type, json: json(block))
        }
    }

    /// What a tool returned, images and other blocks named in their places.
    private static func resultText(_ content: JSONNode) -> String {
        guard content.kind == .array else {
            return content.kind == .string ? content.string ?? "" : content.isNull ? "" : json(content)
        }
        return content.elements.map { part in
            if part.kind == .string { return part.string ?? "" }
            if let text = part["text"]?.string { return text }
            if part["type"]?.equals("image") == true {
                let image = attachment(part, "image")
                return "[\(image.mediaType), \(image.byteCount) bytes]"
            }
            return json(part)
        }.joined(separator: "\n")
    }

    private static func attachment(_ block: JSONNode, _ type: String) -> Attachment {
        let source = block["source"]
        let data = source?["data"]?.utf8Length ?? 0
        return Attachment(
            mediaType: source?["media_type"]?.nonEmptyString ?? type,
            location: source?["url"]?.nonEmptyString ?? source?["file_id"]?.nonEmptyString,
            byteCount: data / 4 * 3)
    }

    static func json(_ node: JSONNode) -> String { String(decoding: node.source, as: UTF8.self) }

    public static func details(of span: Span, records: [JSONNode]) -> SpanDetails {
        switch span.kind {
        case .tool: toolDetails(span, records)
        case .model: modelDetails(records)
        default: agentDetails(records)
        }
    }

    private static func toolDetails(_ span: Span, _ records: [JSONNode]) -> SpanDetails {
        var details = SpanDetails()
        for record in records {
            let line = ClaudeCodeRecord(record)
            for (index, block) in (line.message?["content"]?.elements ?? record.elements).enumerated() {
                if line.kind == .assistant, block["type"]?.equals("tool_use") == true {
                    let id = block["id"]?.nonEmptyString ?? "\(line.uuid?.string ?? "")#\(index)"
                    if id == span.externalID { details.input = block["input"].map(json) }
                } else if line.kind == .user, block["type"]?.equals("tool_result") == true {
                    let id = block["tool_use_id"]?.nonEmptyString
                    guard id == nil || id == span.externalID else { continue }
                    details.output = block["content"].map(resultText)
                    addOutcome(line.toolUseResult, to: &details)
                }
            }
        }
        return details
    }

    /// Adds the data that the tool reported in addition to the text for the model: numbers and flags, not texts.
    private static func addOutcome(_ result: JSONNode?, to details: inout SpanDetails) {
        guard let result else { return }
        for (key, value) in result.members {
            guard let name = key.string else { continue }
            switch value.kind {
            case .number, .boolean: details.attributes.append(.init(name, json(value)))
            case .string where value.utf8Length > 0 && value.utf8Length <= 120:
                if name != "stdout" { details.attributes.append(.init(name, value.string ?? "")) }
            default: break
            }
        }
    }

    private static func modelDetails(_ records: [JSONNode]) -> SpanDetails {
        var details = SpanDetails()
        guard let last = records.last else { return details }
        let line = ClaudeCodeRecord(last)
        let message = line.message
        var stop: String?
        for record in records {
            if let reason = record["message"]?["stop_reason"]?.nonEmptyString { stop = reason }
        }
        if let stop { details.attributes.append(.init("stop reason", stop)) }
        if let request = last["requestId"]?.nonEmptyString { details.attributes.append(.init("request", request)) }
        if let usage = message?["usage"] {
            for (key, value) in usage.members where value.kind == .string || value.kind == .number {
                details.attributes.append(.init(key.string ?? "", value.string ?? json(value)))
            }
        }
        for name in ["version", "gitBranch", "cwd"] {
            if let value = last.member(named: name)?.nonEmptyString { details.attributes.append(.init(name, value)) }
        }
        return details
    }

    private static func agentDetails(_ records: [JSONNode]) -> SpanDetails {
        guard let first = records.first else { return SpanDetails() }
        let line = ClaudeCodeRecord(first)
        var details = SpanDetails(input: line.message?["content"].flatMap(ResultText.whole))
        for name in ["agentId", "version", "gitBranch", "cwd"] {
            if let value = first.member(named: name)?.nonEmptyString { details.attributes.append(.init(name, value)) }
        }
        return details
    }
}
