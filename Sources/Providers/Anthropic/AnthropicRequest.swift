internal import JSON
internal import LanguageModels
internal import System

/// A request as Anthropic's messages interface wants it: the system apart, blocks of content, roles in turn.
struct AnthropicRequest {
    let model: String
    let messages: [Message]
    let tools: [ToolDefinition]
    let sampling: Sampling
    let thinkingTokens: Int?
    let streams: Bool

    private let mostTokens: Int

    /// Answers that may be longer are streamed whatever the endpoint says: they take many minutes, and an exchange that
    /// is silent for so long is cut off on its way.
    static let mostWhole = 16_384
    /// The interface wants a limit; this one where the request has none.
    static let usualTokens = 4096

    /// - Throws: what cannot be asked of this interface.
    init(_ request: ModelRequest, endpoint: Endpoint, model: String) throws(Problem) {
        guard case .messages(let messages, let tools) = request.input else {
            throw Problem(.invalid, "", "Anthropic's API accepts only messages")
        }
        self.messages = messages
        self.tools = tools
        self.model = model
        sampling = request.sampling
        thinkingTokens = endpoint.thinkingTokens
        // Thinking counts against the limit.
        let (sum, isTooMuch) = (sampling.maximumTokens ?? Self.usualTokens)
            .addingReportingOverflow(endpoint.thinkingTokens ?? 0)
        mostTokens = isTooMuch ? .max : sum
        streams = endpoint.streams || mostTokens > Self.mostWhole
        let unknown = sampling.settings().first { $0.field.anthropicName == nil }?.field.label
        if let name = unknown ?? (sampling.bias.isEmpty ? nil : "bias") {
            throw Problem(.unsupported, "", "Anthropic's API does not support \(name)")
        }
    }

    func body() throws(Problem) -> [UInt8] {
        var json = JSONWriter()
        try json.object { (json) throws(Problem) in
            json.member("model", model)
            json.member("max_tokens", mostTokens)
            let system = messages.filter { $0.role == .system }.flatMap(\.parts).compactMap { part in
                if case .text(let text) = part { text } else { nil }
            }
            if !system.isEmpty { json.member("system", system.joined(separator: "\n\n")) }
            try json.member("messages") { (json) throws(Problem) in
                try json.array { (json) throws(Problem) in try writeTurns(to: &json) }
            }
            if !tools.isEmpty { try writeTools(to: &json) }
            for (field, value) in sampling.settings(first: [.temperature, .topP]) {
                if let name = field.anthropicName { json.member(name, value) }
            }
            if !sampling.stop.isEmpty { json.member("stop_sequences", sampling.stop) }
            if let thinkingTokens {
                json.member("thinking") { json in
                    json.object {
                        $0.member("type", "enabled")
                        $0.member("budget_tokens", thinkingTokens)
                    }
                }
            }
            json.member("stream", streams)
        }
        return json.bytes
    }

    /// Messages of the same side that follow each other become one; results of tools belong to the user's side.
    private func writeTurns(to json: inout JSONWriter) throws(Problem) {
        var turns: [(isAssistant: Bool, parts: [Message.Part])] = []
        for message in messages where message.role != .system {
            let isAssistant = message.role == .assistant
            if let last = turns.last, last.isAssistant == isAssistant {
                turns[turns.count - 1].parts += message.parts
            } else {
                turns.append((isAssistant, message.parts))
            }
        }
        for turn in turns {
            // Results must come before what the user says to them.
            let results = turn.parts.filter { if case .toolResult = $0 { true } else { false } }
            let others = turn.parts.filter { if case .toolResult = $0 { false } else { true } }
            try json.object { (json) throws(Problem) in
                json.member("role", turn.isAssistant ? "assistant" : "user")
                try json.member("content") { (json) throws(Problem) in
                    try json.array { (json) throws(Problem) in
                        let parts = results + others
                        for (index, part) in parts.enumerated() {
                            let next = index + 1 < parts.count ? parts[index + 1] : nil
                            try Self.write(part, before: next, to: &json)
                        }
                    }
                }
            }
        }
    }

    private static func write(
        _ part: Message.Part, before next: Message.Part?, to json: inout JSONWriter
    ) throws(Problem) {
        switch part {
        case .text(let text):
            // An empty block is refused.
            guard !text.isEmpty else { return }
            json.object {
                $0.member("type", "text")
                $0.member("text", text)
            }
        case .reasoning(let text):
            // A thought is taken back only with the signature that came with it.
            guard case .other(AnthropicAnswer.signaturePart, let signature) = next else { return }
            let value = try JSONText(signature, .string, what: "the signature of a thinking block")
            json.object { json in
                json.member("type", "thinking")
                json.member("thinking", text)
                json.key("signature")
                value.write(to: &json)
            }
        case .toolCall(let call):
            let input = try JSONText(
                call.arguments.isEmpty ? "{}" : call.arguments, .object, what: "the arguments of a call to \(call.name)"
            )
            json.object { json in
                json.member("type", "tool_use")
                json.member("id", call.id)
                json.member("name", call.name)
                json.key("input")
                input.write(to: &json)
            }
        case .toolResult(let result):
            json.object {
                $0.member("type", "tool_result")
                $0.member("tool_use_id", result.callID)
                $0.member("content", result.content)
                if result.isError { $0.member("is_error", true) }
            }
        case .other(AnthropicAnswer.signaturePart, _): break
        case .other(AnthropicAnswer.hiddenPart, let text):
            let block = try JSONText(text, .object, what: "a redacted thinking block")
            block.write(to: &json)
        case .attachment(let file):
            let kind = file.mediaType.isEmpty ? "unknown type" : String(file.mediaType.prefix(40))
            throw Problem(.unsupported, "", "attachments (\(kind)) are not supported; only text can be sent")
        case .other(let type, _):
            throw Problem(
                .unsupported, "", "message parts of type \(type.prefix(40)) are not supported; only text can be sent")
        }
    }

    private func writeTools(to json: inout JSONWriter) throws(Problem) {
        try json.member("tools") { (json) throws(Problem) in
            try json.array { (json) throws(Problem) in
                for tool in tools {
                    let schema = try JSONText(
                        tool.parameters.isEmpty ? #"{"type":"object","properties":{}}"# : tool.parameters, .object,
                        what: "the schema of the tool \(tool.name)")
                    json.object { json in
                        json.member("name", tool.name)
                        if !tool.description.isEmpty { json.member("description", tool.description) }
                        json.key("input_schema")
                        schema.write(to: &json)
                    }
                }
            }
        }
    }
}
