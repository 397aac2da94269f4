package import LanguageModels

extension RunStart {
    /// Returns the span of the whole run; without an end while the run continues.
    func span(_ id: String, inTrace trace: String, _ ending: RunEnd?) -> SpanRecord {
        let caption = question.prefix(80).split(whereSeparator: \.isNewline).joined(separator: " ")
        var span = SpanRecord(
            trace: trace, span: id, name: caption.isEmpty ? agent : "\(agent): \(caption)", start: start,
            end: ending.map { max($0.end, start) }, status: ending.map { .init(error: $0.problem) } ?? .unset)
        span.add("gen_ai.operation.name", "invoke_agent")
        span.add("gen_ai.provider.name", provider)
        span.add("gen_ai.request.model", model)
        span.add("gen_ai.conversation.id", trace)
        span.add("gen_ai.tool.definitions", ToolDefinition.json(tools))
        span.add("input.value", question)
        for setting in settings { span.add("orrery.agent.\(setting.name)", setting.value) }
        guard let ending else { return span }
        span.add("output.value", ending.answer)
        span.add("orrery.agent.outcome", ending.outcome)
        span.add("orrery.agent.steps", ending.steps)
        span.add("orrery.agent.input_tokens", ending.usage.input)
        span.add("orrery.agent.output_tokens", ending.usage.output)
        return span
    }
}

extension ToolRun {
    /// Returns the span of one tool call.
    package func span(_ id: String, below parent: String?, inTrace trace: String) -> SpanRecord {
        var span = SpanRecord(
            trace: trace, span: id, parent: parent, name: "execute_tool \(call.name)", start: start,
            end: max(end, start), status: .init(error: result.isError ? result.content : nil))
        span.add("gen_ai.operation.name", "execute_tool")
        span.add("gen_ai.tool.name", call.name)
        span.add("gen_ai.tool.call.id", call.id)
        span.add("gen_ai.tool.call.arguments", call.arguments)
        span.add("gen_ai.tool.call.result", result.content)
        return span
    }
}
