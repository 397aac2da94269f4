internal import JSON
package import LanguageModels

extension ModelCall {
    /// Returns the call as a span with the attributes of OpenTelemetry's conventions for generative AI, and attributes
    /// under `orrery.` for everything else.
    ///
    /// - Parameters:
    ///   - span: 8 bytes as hexadecimal digits.
    ///   - trace: 16 bytes as hexadecimal digits.
    ///   - conversation: Identifier of the run (default: the trace).
    ///   - pieces: Messages whose texts together are the prompt, where that is a text: calls whose prompts begin alike
    ///     share their beginnings then.
    package func span(
        _ id: String, below parent: String? = nil, inTrace trace: String, conversation: String? = nil,
        pieces: [Message]? = nil
    ) -> SpanRecord {
        var status = SpanRecord.Status.ok
        if case .failure(let error) = outcome { status = .error(error.sentence) }
        var span = SpanRecord(
            trace: trace, span: id, parent: parent,
            name: "chat \(model)" + (request.input.caption.map { ": " + $0 } ?? ""),
            start: start, end: end, status: status)
        span.add("gen_ai.operation.name", request.input.operation)
        span.add("gen_ai.provider.name", provider)
        span.add("gen_ai.request.model", model)
        span.add("gen_ai.conversation.id", conversation ?? trace)
        for setting in RecordedSetting.settings(of: self) { span.add(setting.name, setting.value(self)) }
        addInput(pieces, to: &span)
        addOutcome(to: &span)
        return span
    }

    private func addInput(_ pieces: [Message]?, to span: inout SpanRecord) {
        switch request.input {
        case .messages(let messages, let tools):
            span.add("gen_ai.input.messages", Message.json(messages, as: .openTelemetry))
            if !tools.isEmpty { span.add("gen_ai.tool.definitions", ToolDefinition.json(tools)) }
        case .text(let text):
            span.add("orrery.prompt.form", "text")
            let messages = pieces ?? [Message(.user, [.text(text)])]
            span.add("gen_ai.input.messages", Message.json(messages, as: .openTelemetry))
        case .tokens(let ids):
            span.add("orrery.prompt.form", "tokens")
            span.add("orrery.prompt.ids", ids.map { Int32(truncatingIfNeeded: $0) }.json())
            if request.generatedTokens > 0 { span.add("orrery.prompt.answered", request.generatedTokens) }
            let told = prompt.map(\.text).joined()
            let text = told.isEmpty ? "\(ids.count) tokens: " + ids.map(String.init).joined(separator: " ") : told
            span.add("gen_ai.input.messages", Message.json([Message(.user, [.text(text)])], as: .openTelemetry))
        }
        if !prompt.isEmpty { span.add("orrery.prompt.tokens", RecordedTokens.text(of: prompt)) }
    }

    private func addOutcome(to span: inout SpanRecord) {
        switch outcome {
        case .success(let response):
            span.add("gen_ai.response.model", response.model)
            span.add("gen_ai.response.finish_reasons", response.finish.name)
            span.add("gen_ai.output.messages", Message.json([response.message], as: .openTelemetry))
            if let usage = response.usage {
                span.add("gen_ai.usage.input_tokens", usage.input)
                span.add("gen_ai.usage.output_tokens", usage.output)
                if usage.cacheRead > 0 { span.add("gen_ai.usage.cache_read.input_tokens", usage.cacheRead) }
            }
            span.add("orrery.response.seconds_to_first_token", response.secondsToFirstToken)
        case .failure(let error): span.add("error.type", "\(error.kind)")
        }
        if answered.contains(where: { $0.id != nil || $0.logProbability != nil }) {
            span.add("orrery.answer.steps", RecordedTokens.text(of: answered))
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
