internal import JSON
internal import LanguageModels
internal import System

/// A request as OpenAI's interface wants it: a chat completion of messages, a completion of text.
struct OpenAIRequest {
    let model: String
    let request: ModelRequest
    let dialect: OpenAIDialect
    let streams: Bool

    var isChat: Bool { if case .messages = request.input { true } else { false } }
    var path: String { isChat ? "/chat/completions" : "/completions" }

    /// The body.
    ///
    /// - Throws: what cannot be asked of such an endpoint.
    func body() throws(Problem) -> [UInt8] {
        var json = JSONWriter()
        try json.object { (json) throws(Problem) in
            json.member("model", model)
            switch request.input {
            case .messages(let messages, let tools):
                try json.member("messages") { (json) throws(Problem) in
                    try json.array { (json) throws(Problem) in
                        for message in messages { try Self.write(message, to: &json) }
                    }
                }
                if !tools.isEmpty { try Self.write(tools, to: &json) }
            case .text(let text): json.member("prompt", text)
            case .tokens: throw Problem(.invalid, "", "only local models accept token IDs")
            }
            writeSampling(to: &json)
            writeAlternatives(to: &json)
            try writeTemplateVariables(to: &json)
            json.member("stream", streams)
            if streams, dialect.takesStreamOptions {
                json.member("stream_options") { $0.object { $0.member("include_usage", true) } }
            }
        }
        return json.bytes
    }

    private func writeSampling(to json: inout JSONWriter) {
        let sampling = request.sampling
        // OpenAI refuses its servers' extensions, such as min_p, with a sentence; llama.cpp and vLLM accept them.
        for (field, value) in sampling.settings(first: [.temperature, .topP]) {
            for name in field.openAINames { json.member(name, value) }
        }
        if !sampling.bias.isEmpty {
            json.member("logit_bias") { json in
                json.object { json in
                    for (id, value) in sampling.bias.sorted(by: { $0.key < $1.key }) { json.member(String(id), value) }
                }
            }
        }
        if !sampling.stop.isEmpty { json.member("stop", sampling.stop) }
        // Servers read it as a signed number.
        if let seed = sampling.seed { json.member("seed", Int64(seed & UInt64(Int64.max))) }
        if let count = sampling.maximumTokens {
            json.member(isChat ? dialect.tokenLimit.rawValue : OpenAIDialect.TokenLimit.old.rawValue, count)
        }
    }

    private func writeAlternatives(to json: inout JSONWriter) {
        guard request.alternatives > 0 else { return }
        if isChat, let most = dialect.chatAlternatives {
            json.member("logprobs", true)
            json.member("top_logprobs", min(request.alternatives, most))
        } else if !isChat, let most = dialect.textAlternatives {
            json.member("logprobs", min(request.alternatives, most))
        }
    }

    private func writeTemplateVariables(to json: inout JSONWriter) throws(Problem) {
        guard !request.templateVariables.isEmpty else { return }
        try json.member("chat_template_kwargs") { (json) throws(Problem) in
            try json.object { (json) throws(Problem) in
                for (name, text) in request.templateVariables.sorted(by: { $0.key < $1.key }) {
                    json.key(name)
                    try JSONText(text, what: "the template variable \(name)").write(to: &json)
                }
            }
        }
    }
}

extension OpenAIRequest {
    private static func write(_ tools: [ToolDefinition], to json: inout JSONWriter) throws(Problem) {
        try json.member("tools") { (json) throws(Problem) in
            try json.array { (json) throws(Problem) in
                for tool in tools {
                    let schema = try JSONText(
                        tool.parameters.isEmpty ? #"{"type":"object","properties":{}}"# : tool.parameters, .object,
                        what: "the schema of the tool \(tool.name)")
                    json.object { json in
                        json.member("type", "function")
                        json.member("function") { json in
                            json.object { json in
                                json.member("name", tool.name)
                                if !tool.description.isEmpty { json.member("description", tool.description) }
                                json.key("parameters")
                                schema.write(to: &json)
                            }
                        }
                    }
                }
            }
        }
    }

    /// Writes one message, or several: every result of a tool is one of its own, and comes first.
    ///
    /// Reasoning is left away: these endpoints do not take it back.
    private static func write(_ message: Message, to json: inout JSONWriter) throws(Problem) {
        var texts: [String] = []
        var calls: [ToolCall] = []
        var hasResults = false
        for part in message.parts {
            switch part {
            case .text(let text): texts.append(text)
            case .reasoning: break
            case .toolCall(let call): calls.append(call)
            case .toolResult(let result):
                hasResults = true
                json.object { json in
                    json.member("role", "tool")
                    json.member("tool_call_id", result.callID)
                    json.member("content", result.content)
                }
            case .attachment(let file):
                throw Problem(.unsupported, "", "attachments (\(kind(file))) are not supported; only text can be sent")
            case .other(let type, _):
                throw Problem(
                    .unsupported, "",
                    "message parts of type \(type.prefix(40)) are not supported; only text can be sent")
            }
        }
        if texts.isEmpty, calls.isEmpty, hasResults { return }
        json.object { json in
            json.member("role", message.role.name)
            if message.role == .tool { json.member("tool_call_id", "") }
            if texts.count > 1 {
                json.objects("content", of: texts) { text, json in
                    json.member("type", "text")
                    json.member("text", text)
                }
            } else if let text = texts.first {
                json.member("content", text)
            } else if calls.isEmpty {
                json.member("content", "")
            } else {
                json.key("content")
                json.null()
            }
            guard !calls.isEmpty else { return }
            json.objects("tool_calls", of: calls) { call, json in
                json.member("id", call.id)
                json.member("type", "function")
                json.member("function") { json in
                    json.object {
                        $0.member("name", call.name)
                        $0.member("arguments", call.arguments)
                    }
                }
            }
        }
    }

    /// What an attachment is, without its name.
    private static func kind(_ file: Attachment) -> String {
        file.mediaType.isEmpty ? "unknown type" : String(file.mediaType.prefix(40))
    }
}
