internal import JSON
internal import LanguageModels
internal import Traces

extension InspectSpans {
    /// One document for each span, the whole sample's first.
    var documents: [[UInt8]] {
        guard !items.isEmpty else { return [] }
        return [rootDocument] + items.indices.map { document($0) }
    }

    private func span(_ place: Int?) -> String {
        SpanDigits.of(Digest.of(place.map { "\($0) " + items[$0].key } ?? "sample", seed: Digest.of(trace)))
    }

    private var rootDocument: [UInt8] {
        let node = sample.node
        let error = node["error"].flatMap { $0.isNull ? nil : $0 }
        let problem = error.map { sample.messages.text($0["message"]) ?? $0.text ?? "error" }
        let document = SpanRecord(
            trace: trace, span: span(nil), parent: nil,
            name: "\(sample.head.run.name): sample \(InspectRows.id(node))",
            start: items.map(\.start).min() ?? 0, end: items.map(\.end).max() ?? 0,
            status: problem.map { .error($0) } ?? .ok)
        return document.bytes { attributes in
            attributes.add("gen_ai.operation.name", "invoke_agent")
            attributes.add("gen_ai.conversation.id", trace)
            attributes.add("gen_ai.request.model", sample.head.run.model)
            attributes.add("input.value", sample.question)
            attributes.add(
                "output.value", InspectRows.completion(node["output"]).map { sample.messages.resolve($0) })
            attributes.add("orrery.eval.task", sample.head.run.task)
            attributes.add("orrery.eval.sample", InspectRows.id(node))
            attributes.add("orrery.eval.epoch", node["epoch"]?.whole)
            attributes.add("orrery.eval.target", node["target"]?.texts.joined(separator: " | "))
        }
    }

    private func document(_ place: Int) -> [UInt8] {
        let item = items[place]
        let document = SpanRecord(
            trace: trace, span: span(place), parent: span(item.parent), name: item.name,
            start: item.start, end: item.end, status: item.problem.map { .error($0) } ?? .ok)
        return document.bytes { attributes in
            switch item.payload {
            case .group: attributes.add("openinference.span.kind", item.kind.name.uppercased())
            case .model(let event): addModel(event, to: &attributes)
            case .tool(let event): addTool(event, to: &attributes)
            case .score(let event): addScore(event, to: &attributes)
            case .other(let event):
                attributes.add("openinference.span.kind", item.kind == .chain ? "CHAIN" : nil)
                attributes.add("input.value", sample.messages.text(event["cmd"] ?? event["file"] ?? event["input"]))
                attributes.add("output.value", sample.messages.text(event["output"] ?? event["result"]))
            case .turn(let input, let answer):
                attributes.add("gen_ai.operation.name", "chat")
                attributes.add("gen_ai.request.model", item.name)
                attributes.add("gen_ai.conversation.id", trace)
                attributes.add("gen_ai.input.messages", MessageText.messages(input))
                attributes.add("gen_ai.output.messages", MessageText.messages([answer]))
                attributes.add("orrery.eval.times", "not recorded")
            }
            if item.problem != nil { attributes.add("error.type", "error") }
        }
    }

    private func addModel(_ event: JSONNode, to attributes: inout SpanRecord) {
        let name = event["model"]?.text ?? ""
        let output = event["output"]
        attributes.add("gen_ai.operation.name", "chat")
        attributes.add(
            "gen_ai.provider.name", name.contains("/") ? name.split(separator: "/").first.map(String.init) : nil)
        attributes.add("gen_ai.request.model", name)
        attributes.add("gen_ai.response.model", output?["model"]?.text)
        attributes.add("gen_ai.conversation.id", trace)
        for key in ["temperature", "top_p", "frequency_penalty", "presence_penalty"] {
            attributes.add("gen_ai.request.\(key)", event["config"]?.member(named: key)?.double)
        }
        for key in ["max_tokens", "seed", "top_k"] {
            attributes.add("gen_ai.request.\(key)", event["config"]?.member(named: key)?.whole)
        }
        attributes.add("gen_ai.input.messages", MessageText.messages(sample.messages.input(of: event)))
        if let tools = event["tools"], tools.count > 0 {
            attributes.add("gen_ai.tool.definitions", JSONValue.compact(tools))
        }
        let choices = output?["choices"]?.elements.map { $0 } ?? []
        let answers = choices.compactMap { $0["message"].map { sample.messages.message($0) } }
        if !answers.isEmpty { attributes.add("gen_ai.output.messages", MessageText.messages(answers)) }
        attributes.add("gen_ai.response.finish_reasons", choices.compactMap { $0["stop_reason"]?.text })
        if let node = output?["usage"], node.kind == .object {
            let usage = InspectUsage.usage(node)
            attributes.add("gen_ai.usage.input_tokens", usage.input)
            attributes.add("gen_ai.usage.output_tokens", usage.output)
            if usage.cacheRead > 0 { attributes.add("gen_ai.usage.cache_read.input_tokens", usage.cacheRead) }
            if usage.cacheWrite > 0 { attributes.add("gen_ai.usage.cache_creation.input_tokens", usage.cacheWrite) }
            if usage.reasoning > 0 { attributes.add("gen_ai.usage.reasoning.output_tokens", usage.reasoning) }
            attributes.add("gen_ai.usage.cost", node["total_cost"]?.double)
        }
        attributes.add("orrery.inspect.retries", event["retries"]?.whole)
    }

    private func addTool(_ event: JSONNode, to attributes: inout SpanRecord) {
        attributes.add("gen_ai.operation.name", "execute_tool")
        attributes.add("gen_ai.tool.name", event["function"]?.text)
        attributes.add("gen_ai.tool.call.id", event["id"]?.text)
        attributes.add("gen_ai.tool.call.arguments", sample.messages.text(event["arguments"]))
        let result = event["result"].map { node in
            node.kind == .array ? InspectMessages.text(node) : sample.messages.text(node) ?? ""
        }
        let error = sample.messages.text(event["error"]?["message"])
        attributes.add("gen_ai.tool.call.result", (result ?? "").isEmpty ? error ?? result : result)
    }

    private func addScore(_ event: JSONNode, to attributes: inout SpanRecord) {
        let score = event["score"]
        attributes.add("openinference.span.kind", "EVALUATOR")
        attributes.add("gen_ai.evaluation.name", event["scorer"]?.text)
        attributes.add("gen_ai.evaluation.score.value", score?["value"].flatMap { InspectValue.number($0) })
        attributes.add("gen_ai.evaluation.score.label", score?["value"]?.text)
        attributes.add("gen_ai.evaluation.explanation", sample.messages.text(score?["explanation"]))
        attributes.add("input.value", sample.messages.text(score?["answer"]))
        let why = sample.messages.text(score?["explanation"])
        attributes.add("output.value", [score?["value"]?.text, why].compactMap { $0 }.joined(separator: ": "))
    }
}
