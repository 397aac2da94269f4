package import LanguageModels

extension RunStart {
    /// The span of the whole run; without an end while it is running.
    func otlp(trace: String, span: String, _ ending: RunEnd?) -> [UInt8] {
        let status: OTLPSpanDocument.Status =
            switch (ending, ending?.problem) {
            case (nil, _): .unset
            case (_, nil): .ok
            case (_, let problem?): .error(problem)
            }
        let caption = question.prefix(80).split(whereSeparator: \.isNewline).joined(separator: " ")
        let document = OTLPSpanDocument(
            trace: trace, span: span, parent: nil, name: caption.isEmpty ? agent : "\(agent): \(caption)", kind: 1,
            start: start, end: ending.map { max($0.end, start) }, status: status)
        return document.bytes { attributes in
            attributes.add("gen_ai.operation.name", "invoke_agent")
            attributes.add("gen_ai.provider.name", provider)
            attributes.add("gen_ai.request.model", model)
            attributes.add("gen_ai.conversation.id", trace)
            attributes.add("gen_ai.tool.definitions", OTLPText.definitions(tools))
            attributes.add("input.value", question)
            for setting in settings { attributes.add("orrery.agent.\(setting.name)", setting.value) }
            guard let ending else { return }
            attributes.add("output.value", ending.answer)
            attributes.add("orrery.agent.outcome", ending.outcome)
            attributes.add("orrery.agent.steps", ending.steps)
            attributes.add("orrery.agent.input_tokens", ending.usage.input)
            attributes.add("orrery.agent.output_tokens", ending.usage.output)
        }
    }
}

extension ToolRun {
    /// The span of one call of a tool.
    package func otlp(_ place: OTLPSpanPlace) -> [UInt8] {
        let document = OTLPSpanDocument(
            trace: place.trace, span: place.span, parent: place.parent, name: "execute_tool \(call.name)", kind: 1,
            start: start, end: max(end, start), status: result.isError ? .error(result.content) : .ok)
        return document.bytes { attributes in
            attributes.add("gen_ai.operation.name", "execute_tool")
            attributes.add("gen_ai.tool.name", call.name)
            attributes.add("gen_ai.tool.call.id", call.id)
            attributes.add("gen_ai.tool.call.arguments", call.arguments)
            attributes.add("gen_ai.tool.call.result", result.content)
        }
    }
}
