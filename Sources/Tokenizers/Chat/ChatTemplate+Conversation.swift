internal import JSON
internal import LanguageModels

extension Role {
    /// Whose words a message of this role holds.
    fileprivate var origin: TokenOrigin {
        switch self {
        case .system: .system
        case .user: .user
        case .assistant: .assistant
        case .tool: .tool
        }
    }
}

extension Jinja.Value {
    private typealias Entry = (key: Self, value: Self)

    /// A dictionary whose keys are ours.
    private static func dictionary(_ entries: [(String, Self)], _ origin: TokenOrigin) throws(ChatTemplateError) -> Self
    {
        Self(.dictionary(try Jinja.Mapping(entries.map { (.text($0.0, origin), $0.1) })), origin)
    }

    /// Messages as templates expect them. The result of each tool becomes a message of its own, since templates know
    /// one result a message.
    static func conversation(_ messages: [Message]) throws(ChatTemplateError) -> Self {
        var names: [String: String] = [:]
        var values: [Self] = []
        for message in messages {
            var rest: [Message.Part] = []
            for part in message.parts {
                if case .toolCall(let call) = part { names[call.id] = call.name }
                guard case .toolResult(let result) = part else {
                    rest.append(part)
                    continue
                }
                values.append(try toolResult(result, name: names[result.callID]))
            }
            if rest.count == message.parts.count || !rest.isEmpty {
                values.append(try Self.message(message.role, rest))
            }
        }
        return .list(values)
    }

    private static func toolResult(_ result: ToolResult, name: String?) throws(ChatTemplateError) -> Self {
        var entries: [(String, Self)] = [("role", .text("tool"))]
        if let name { entries.append(("name", .text(name, .tool))) }
        entries.append(("tool_call_id", .text(result.callID, .tool)))
        entries.append(("content", .text(result.content, .tool)))
        return try dictionary(entries, .tool)
    }

    private static func message(_ role: Role, _ parts: [Message.Part]) throws(ChatTemplateError) -> Self {
        let origin = role.origin
        var entries: [(String, Self)] = []
        var reasoning = ""
        var calls: [Self] = []
        for part in parts {
            switch part {
            case .reasoning(let text): reasoning += text
            case .toolCall(let call): calls.append(try toolCall(call))
            default: break
            }
        }
        if !reasoning.isEmpty { entries.append(("thinking", .text(reasoning, origin))) }
        entries.append(("role", .text(role.name)))
        entries.append(("content", try content(parts, origin)))
        if !reasoning.isEmpty { entries.append(("reasoning_content", .text(reasoning, origin))) }
        if !calls.isEmpty { entries.append(("tool_calls", .list(calls, origin))) }
        return try dictionary(entries, origin)
    }

    /// Returns one text, which every template understands, if all parts are text; otherwise a list of parts.
    private static func content(_ parts: [Message.Part], _ origin: TokenOrigin) throws(ChatTemplateError) -> Self {
        var text = ""
        var items: [Self] = []
        var isPlain = true
        for part in parts {
            switch part {
            case .text(let more):
                text += more
                items.append(try dictionary([("type", .text("text")), ("text", .text(more, origin))], origin))
            case .attachment(let attachment):
                isPlain = false
                let kind = attachment.mediaType.prefix { $0 != "/" }
                let type = ["image", "audio", "video"].contains(kind) ? String(kind) : "file"
                items.append(try dictionary([("type", .text(type))], origin))
            case .other(_, let json):
                isPlain = false
                if let value = try Self.json(json, origin) { items.append(value) }
            case .reasoning, .toolCall, .toolResult: break
            }
        }
        return isPlain ? .text(text, origin) : .list(items, origin)
    }

    private static func toolCall(_ call: ToolCall) throws(ChatTemplateError) -> Self {
        let arguments = try json(call.arguments, .assistant) ?? .text(call.arguments, .assistant)
        let function = try dictionary([("name", .text(call.name, .assistant)), ("arguments", arguments)], .assistant)
        return try dictionary(
            [("id", .text(call.id, .assistant)), ("type", .text("function", .assistant)), ("function", function)],
            .assistant)
    }

    /// Tools as templates expect them.
    static func tools(_ tools: [ToolDefinition]) throws(ChatTemplateError) -> Self {
        var values: [Self] = []
        for tool in tools {
            let parameters = try json(tool.parameters, .tool) ?? .text(tool.parameters, .tool)
            let function = try dictionary(
                [
                    ("name", .text(tool.name, .tool)), ("description", .text(tool.description, .tool)),
                    ("parameters", parameters),
                ], .tool)
            values.append(try dictionary([("type", .text("function", .tool)), ("function", function)], .tool))
        }
        return .list(values, .tool)
    }

    /// Messages given as JSON in the form of chat APIs: everything but the role is its speaker's.
    static func messages(_ node: JSONNode) throws(ChatTemplateError) -> Self {
        guard node.kind == .array else { return try Self(node, .user) }
        var values: [Self] = []
        for message in node.elements {
            let name = message["role"]?.string ?? ""
            let origin = Role.allCases.first { $0.name == name }?.origin ?? .user
            guard message.kind == .object else {
                values.append(try Self(message, origin))
                continue
            }
            var entries: [Entry] = []
            for (key, value) in message.members {
                let isRole = key.equals("role") && Role.allCases.contains { value.equals($0.name) }
                entries.append((.text(key.string ?? "", origin), try Self(value, isRole ? .template : origin)))
            }
            values.append(Self(.dictionary(try Jinja.Mapping(entries)), origin))
        }
        return .list(values)
    }
}
