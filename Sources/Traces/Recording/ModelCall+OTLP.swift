internal import JSON
internal import LanguageModels

extension ModelCall {
    /// The call as one OTLP/JSON document with the attributes of OpenTelemetry's conventions for generative AI: what the
    /// importer reads is what any other program could have sent.
    ///
    /// - Parameters:
    ///   - trace: 16 bytes as hexadecimal digits; calls of one conversation share it.
    ///   - span: 8 bytes as hexadecimal digits.
    func otlp(trace: String, span: String, conversation: String) -> [UInt8] {
        var json = JSONWriter()
        json.object { json in
            json.member("resourceSpans") { json in
                json.array { json in
                    json.object { json in
                        json.member("resource") { json in
                            json.object { json in
                                json.member("attributes") { json in
                                    json.array { Self.attribute("service.name", "orrery", &$0) }
                                }
                            }
                        }
                        json.member("scopeSpans") { json in
                            json.array { json in
                                json.object { json in
                                    json.member("spans") { json in
                                        json.array { writeSpan(trace, span, conversation, to: &$0) }
                                    }
                                }
                            }
                        }
                    }
                }
            }
        }
        return json.bytes
    }

    private func writeSpan(_ trace: String, _ span: String, _ conversation: String, to json: inout JSONWriter) {
        json.object { json in
            json.member("traceId", trace)
            json.member("spanId", span)
            json.member("name", "chat \(model)" + (request.input.caption.map { ": " + $0 } ?? ""))
            json.member("kind", 3)
            json.member("startTimeUnixNano", String(start))
            json.member("endTimeUnixNano", String(end))
            json.member("attributes") { json in json.array { writeAttributes(conversation, to: &$0) } }
            json.member("status") { json in
                json.object { json in
                    switch outcome {
                    case .success: json.member("code", 1)
                    case .failure(let error):
                        json.member("code", 2)
                        json.member("message", error.sentence)
                    }
                }
            }
        }
    }

    private func writeAttributes(_ conversation: String, to json: inout JSONWriter) {
        Self.attribute("gen_ai.operation.name", "chat", &json)
        Self.attribute("gen_ai.provider.name", provider, &json)
        Self.attribute("gen_ai.request.model", model, &json)
        Self.attribute("gen_ai.conversation.id", conversation, &json)
        let sampling = request.sampling
        for (name, value) in [
            ("gen_ai.request.temperature", sampling.temperature), ("gen_ai.request.top_p", sampling.topP),
            ("gen_ai.request.frequency_penalty", sampling.frequencyPenalty),
            ("gen_ai.request.presence_penalty", sampling.presencePenalty),
        ] {
            if let value { Self.attribute(name, value, &json) }
        }
        for (name, value) in [
            ("gen_ai.request.top_k", sampling.topK), ("gen_ai.request.max_tokens", sampling.maximumTokens),
            ("gen_ai.request.seed", sampling.seed.flatMap { Int(exactly: $0) }),
        ] {
            if let value { Self.attribute(name, value, &json) }
        }
        switch request.input {
        case .messages(let messages, let tools):
            Self.attribute("gen_ai.input.messages", OTLPText.messages(messages), &json)
            if !tools.isEmpty { Self.attribute("gen_ai.tool.definitions", OTLPText.definitions(tools), &json) }
        case .text(let text):
            Self.attribute("gen_ai.input.messages", OTLPText.messages([Message(.user, [.text(text)])]), &json)
        case .tokens(let ids):
            let text = "\(ids.count) tokens: " + ids.map(String.init).joined(separator: " ")
            Self.attribute("gen_ai.input.messages", OTLPText.messages([Message(.user, [.text(text)])]), &json)
        }
        switch outcome {
        case .success(let response):
            Self.attribute("gen_ai.response.model", response.model, &json)
            Self.attribute("gen_ai.response.finish_reasons", response.finish.name, &json)
            Self.attribute("gen_ai.output.messages", OTLPText.messages([response.message]), &json)
            if let usage = response.usage {
                Self.attribute("gen_ai.usage.input_tokens", usage.input, &json)
                Self.attribute("gen_ai.usage.output_tokens", usage.output, &json)
                if usage.cacheRead > 0 {
                    Self.attribute("gen_ai.usage.cache_read.input_tokens", usage.cacheRead, &json)
                }
            }
        case .failure(let error): Self.attribute("error.type", "\(error.kind)", &json)
        }
    }

    private static func attribute(_ key: String, _ value: String, _ json: inout JSONWriter) {
        attribute(key, &json) { $0.member("stringValue", value) }
    }

    private static func attribute(_ key: String, _ value: Int, _ json: inout JSONWriter) {
        attribute(key, &json) { $0.member("intValue", String(value)) }
    }

    private static func attribute(_ key: String, _ value: Double, _ json: inout JSONWriter) {
        attribute(key, &json) { $0.member("doubleValue", value) }
    }

    private static func attribute(_ key: String, _ json: inout JSONWriter, _ value: (inout JSONWriter) -> Void) {
        json.object { json in
            json.member("key", key)
            json.member("value") { json in json.object { value(&$0) } }
        }
    }
}

/// The JSON texts that the conventions put into attributes.
private enum OTLPText {
    static func messages(_ messages: [Message]) -> String {
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

    /// Text that is JSON as it is, and any other as a string.
    private static func copy(_ text: String, to json: inout JSONWriter) {
        if let document = try? JSONDocument(parsing: text) {
            document.withRoot { json.copy($0) }
        } else {
            json.string(text)
        }
    }
}

extension ModelRequest.Input {
    /// How what was asked begins, on one line; nil where nothing was said.
    fileprivate var caption: String? {
        let text: String
        switch self {
        case .tokens: return nil
        case .text(let given): text = given
        case .messages(let messages, _):
            let parts = messages.last { $0.role == .user }?.parts ?? []
            text = parts.compactMap { if case .text(let text) = $0 { text } else { nil } }.joined(separator: " ")
        }
        let line = text.prefix(60).split(whereSeparator: \.isNewline).joined(separator: " ")
        return line.isEmpty ? nil : line
    }
}
