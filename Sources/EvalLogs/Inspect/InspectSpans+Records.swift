internal import JSON
internal import LanguageModels
internal import Traces

extension InspectSpans {
    /// One span for the sample, followed by one for each item; empty without items.
    var records: [SpanRecord] {
        guard !items.isEmpty else { return [] }
        return [root] + items.indices.map { record($0) }
    }

    private func span(_ place: Int?) -> String {
        SpanDigits.of(Digest.of(place.map { "\($0) " + items[$0].key } ?? "sample", seed: Digest.of(trace)))
    }

    private var root: SpanRecord {
        let node = sample.node
        let error = node["error"].flatMap { $0.isNull ? nil : $0 }
        let problem = error.map { sample.messages.text($0["message"]) ?? $0.text ?? "error" }
        var record = SpanRecord(
            trace: trace, span: span(nil), parent: nil,
            name: "\(sample.head.run.name): sample \(InspectRows.id(node))",
            start: items.map(\.start).min() ?? 0, end: items.map(\.end).max() ?? 0,
            status: problem.map { .error($0) } ?? .ok)
        record.add("gen_ai.operation.name", "invoke_agent")
        record.add("gen_ai.conversation.id", trace)
        record.add("gen_ai.request.model", sample.head.run.model)
        record.add("input.value", sample.question)
        record.add(
            "output.value", InspectRows.completion(node["output"]).map { sample.messages.resolve($0) })
        record.add("orrery.eval.task", sample.head.run.task)
        record.add("orrery.eval.sample", InspectRows.id(node))
        record.add("orrery.eval.epoch", node["epoch"]?.whole)
        record.add("orrery.eval.target", node["target"]?.texts.joined(separator: " | "))
        return record
    }

    private func record(_ place: Int) -> SpanRecord {
        let item = items[place]
        var record = SpanRecord(
            trace: trace, span: span(place), parent: span(item.parent), name: item.name,
            start: item.start, end: item.end, status: item.problem.map { .error($0) } ?? .ok)
        switch item.payload {
        case .group: record.add("openinference.span.kind", item.kind.name.uppercased())
        case .model(let event): addModel(event, to: &record)
        case .tool(let event): addTool(event, to: &record)
        case .score(let event): addScore(event, to: &record)
        case .other(let event):
            record.add("openinference.span.kind", item.kind == .chain ? "CHAIN" : nil)
            record.add("input.value", sample.messages.text(event["cmd"] ?? event["file"] ?? event["input"]))
            record.add("output.value", sample.messages.text(event["output"] ?? event["result"]))
        case .turn(let input, let answer):
            record.add("gen_ai.operation.name", "chat")
            record.add("gen_ai.request.model", item.name)
            record.add("gen_ai.conversation.id", trace)
            record.add("gen_ai.input.messages", Message.json(input, as: .openTelemetry))
            record.add("gen_ai.output.messages", Message.json([answer], as: .openTelemetry))
            record.add("orrery.eval.times", "not recorded")
        }
        if item.problem != nil { record.add("error.type", "error") }
        return record
    }

    private func addModel(_ event: JSONNode, to record: inout SpanRecord) {
        let name = event["model"]?.text ?? ""
        let output = event["output"]
        record.add("gen_ai.operation.name", "chat")
        record.add(
            "gen_ai.provider.name", name.contains("/") ? name.split(separator: "/").first.map(String.init) : nil)
        record.add("gen_ai.request.model", name)
        record.add("gen_ai.response.model", output?["model"]?.text)
        record.add("gen_ai.conversation.id", trace)
        for key in ["temperature", "top_p", "frequency_penalty", "presence_penalty"] {
            record.add("gen_ai.request.\(key)", event["config"]?.member(named: key)?.double)
        }
        for key in ["max_tokens", "seed", "top_k"] {
            record.add("gen_ai.request.\(key)", event["config"]?.member(named: key)?.whole)
        }
        record.add("gen_ai.input.messages", Message.json(sample.messages.input(of: event), as: .openTelemetry))
        if let tools = event["tools"], tools.count > 0 {
            record.add("gen_ai.tool.definitions", JSONValue.compact(tools))
        }
        let choices = output?["choices"]?.elements.map { $0 } ?? []
        let answers = choices.compactMap { $0["message"].map { sample.messages.message($0) } }
        if !answers.isEmpty { record.add("gen_ai.output.messages", Message.json(answers, as: .openTelemetry)) }
        record.add("gen_ai.response.finish_reasons", choices.compactMap { $0["stop_reason"]?.text })
        if let node = output?["usage"], node.kind == .object {
            let usage = InspectUsage.usage(node)
            record.add("gen_ai.usage.input_tokens", usage.input)
            record.add("gen_ai.usage.output_tokens", usage.output)
            if usage.cacheRead > 0 { record.add("gen_ai.usage.cache_read.input_tokens", usage.cacheRead) }
            if usage.cacheWrite > 0 { record.add("gen_ai.usage.cache_creation.input_tokens", usage.cacheWrite) }
            if usage.reasoning > 0 { record.add("gen_ai.usage.reasoning.output_tokens", usage.reasoning) }
            record.add("gen_ai.usage.cost", node["total_cost"]?.double)
        }
        record.add("orrery.inspect.retries", event["retries"]?.whole)
    }

    private func addTool(_ event: JSONNode, to record: inout SpanRecord) {
        record.add("gen_ai.operation.name", "execute_tool")
        record.add("gen_ai.tool.name", event["function"]?.text)
        record.add("gen_ai.tool.call.id", event["id"]?.text)
        record.add("gen_ai.tool.call.arguments", sample.messages.text(event["arguments"]))
        let result = event["result"].map { node in
            node.kind == .array ? InspectMessages.text(node) : sample.messages.text(node) ?? ""
        }
        let error = sample.messages.text(event["error"]?["message"])
        record.add("gen_ai.tool.call.result", (result ?? "").isEmpty ? error ?? result : result)
    }

    private func addScore(_ event: JSONNode, to record: inout SpanRecord) {
        let score = event["score"]
        record.add("openinference.span.kind", "EVALUATOR")
        record.add("gen_ai.evaluation.name", event["scorer"]?.text)
        record.add("gen_ai.evaluation.score.value", score?["value"].flatMap { InspectValue.number($0) })
        record.add("gen_ai.evaluation.score.label", score?["value"]?.text)
        record.add("gen_ai.evaluation.explanation", sample.messages.text(score?["explanation"]))
        record.add("input.value", sample.messages.text(score?["answer"]))
        let why = sample.messages.text(score?["explanation"])
        record.add("output.value", [score?["value"]?.text, why].compactMap { $0 }.joined(separator: ": "))
    }
}
