internal import JSON
package import LanguageModels

extension ModelCall {
    /// The call as one OTLP/JSON document with the attributes of OpenTelemetry's conventions for generative AI, and
    /// under `orrery.` what they have no word for.
    ///
    /// - Parameters:
    ///   - span: Where it stands; name, times and status are the call's.
    ///   - pieces: Messages whose texts together are the prompt, where that is a text: calls whose prompts begin alike
    ///     share their beginnings then.
    package func otlp(_ place: OTLPSpanPlace, conversation: String, pieces: [Message]? = nil) -> [UInt8] {
        let status: OTLPSpanDocument.Status =
            switch outcome {
            case .success: .ok
            case .failure(let error): .error(error.sentence)
            }
        let document = OTLPSpanDocument(
            trace: place.trace, span: place.span, parent: place.parent,
            name: "chat \(model)" + (request.input.caption.map { ": " + $0 } ?? ""), kind: 3, start: start, end: end,
            status: status)
        return document.bytes { attributes in
            attributes.add("gen_ai.operation.name", request.input.operation)
            attributes.add("gen_ai.provider.name", provider)
            attributes.add("gen_ai.request.model", model)
            attributes.add("gen_ai.conversation.id", conversation)
            attributes.add("orrery.model.specification", specification)
            addSampling(to: &attributes)
            addInput(pieces, to: &attributes)
            addOutcome(to: &attributes)
        }
    }

    /// Order of the attributes in recordings so far, so that equal calls have equal bytes.
    private static let firstFields: [SamplingField] = [
        .temperature, .topP, .frequencyPenalty, .presencePenalty, .minP, .typicalP, .repetitionPenalty,
    ]

    private func addSampling(to attributes: inout OTLPAttributeWriter) {
        let sampling = request.sampling
        for (field, value) in sampling.settings(first: Self.firstFields) {
            switch value {
            case .number(let number): attributes.add(field.spanAttribute, number)
            case .count(let count): attributes.add(field.spanAttribute, count)
            }
        }
        attributes.add("gen_ai.request.max_tokens", sampling.maximumTokens)
        // Seeds beyond the integers of OTLP are written as text.
        if let seed = sampling.seed {
            if let small = Int(exactly: seed) {
                attributes.add("gen_ai.request.seed", small)
            } else {
                attributes.add("gen_ai.request.seed", String(seed))
            }
        }
        attributes.add("gen_ai.request.stop_sequences", sampling.stop)
        if !sampling.bias.isEmpty {
            let bias = Dictionary(uniqueKeysWithValues: sampling.bias.map { (String($0.key), $0.value) })
            attributes.add("orrery.sampling.bias", bias.json())
        }
        if request.alternatives > 0 { attributes.add("orrery.request.alternatives", request.alternatives) }
        if !request.templateVariables.isEmpty {
            attributes.add("orrery.template.variables", request.templateVariables.json())
        }
    }

    private func addInput(_ pieces: [Message]?, to attributes: inout OTLPAttributeWriter) {
        switch request.input {
        case .messages(let messages, let tools):
            attributes.add("gen_ai.input.messages", OTLPText.messages(messages))
            if !tools.isEmpty { attributes.add("gen_ai.tool.definitions", OTLPText.definitions(tools)) }
        case .text(let text):
            attributes.add("orrery.prompt.form", "text")
            let messages = pieces ?? [Message(.user, [.text(text)])]
            attributes.add("gen_ai.input.messages", OTLPText.messages(messages))
        case .tokens(let ids):
            attributes.add("orrery.prompt.form", "tokens")
            attributes.add("orrery.prompt.ids", ids.map { Int32(truncatingIfNeeded: $0) }.json())
            if request.generatedTokens > 0 { attributes.add("orrery.prompt.answered", request.generatedTokens) }
            let told = prompt.map(\.text).joined()
            let text = told.isEmpty ? "\(ids.count) tokens: " + ids.map(String.init).joined(separator: " ") : told
            attributes.add("gen_ai.input.messages", OTLPText.messages([Message(.user, [.text(text)])]))
        }
        if !prompt.isEmpty { attributes.add("orrery.prompt.tokens", RecordedTokens.text(of: prompt)) }
    }

    private func addOutcome(to attributes: inout OTLPAttributeWriter) {
        switch outcome {
        case .success(let response):
            attributes.add("gen_ai.response.model", response.model)
            attributes.add("gen_ai.response.finish_reasons", response.finish.name)
            attributes.add("gen_ai.output.messages", OTLPText.messages([response.message]))
            if let usage = response.usage {
                attributes.add("gen_ai.usage.input_tokens", usage.input)
                attributes.add("gen_ai.usage.output_tokens", usage.output)
                if usage.cacheRead > 0 { attributes.add("gen_ai.usage.cache_read.input_tokens", usage.cacheRead) }
            }
            attributes.add("orrery.response.seconds_to_first_token", response.secondsToFirstToken)
        case .failure(let error): attributes.add("error.type", "\(error.kind)")
        }
        if answered.contains(where: { $0.id != nil || $0.logProbability != nil }) {
            attributes.add("orrery.answer.steps", RecordedTokens.text(of: answered))
        }
    }
}

/// Where a span stands.
package struct OTLPSpanPlace {
    /// 16 bytes as hexadecimal digits; spans of one run share it.
    package var trace: String
    /// 8 bytes as hexadecimal digits.
    package var span: String
    package var parent: String?

    package init(trace: String, span: String, parent: String? = nil) {
        self.trace = trace
        self.span = span
        self.parent = parent
    }
}

/// The JSON texts that the conventions put into attributes.
package enum OTLPText {
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
    /// The word of the conventions for what is asked of the model.
    fileprivate var operation: String { if case .messages = self { "chat" } else { "text_completion" } }

    /// Start of the request on one line; `nil` if it is empty.
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
