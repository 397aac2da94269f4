internal import JSON
internal import LanguageModels
internal import Traces

/// The trace of a sample whose line holds no spans: one span per step, with the details that the conversation has.
struct OrreryLogSpans {
    private let record: EvalSampleRecord
    private let run: EvalRun
    /// 16 bytes as hexadecimal digits: the record's own, or a digest of the run and the sample.
    let trace: String

    init(_ record: EvalSampleRecord, of run: EvalRun) {
        (self.record, self.run) = (record, run)
        let name = ["orrery log", run.key, run.name, record.row.id, "\(record.row.epoch)"].joined(separator: "\u{1F}")
        let told = record.trace.flatMap { trace in
            trace.utf8.count == 32 && trace.utf8.allSatisfy { (0x30...0x39).contains($0) || (0x61...0x66).contains($0) }
                ? trace : nil
        }
        trace = told ?? SpanDigits.of(Digest.of(name, seed: 3)) + SpanDigits.of(Digest.of(name, seed: 4))
    }

    /// The spans, the root first; empty if there are no steps.
    var spans: [SpanRecord] {
        let steps = record.steps.isEmpty ? conversation : record.steps
        guard !steps.isEmpty else { return [] }
        // The log does not record when a sample started: assume the start of the run, in the order of the log.
        let start = max(0, min(run.start ?? 0, 1 << 62)) + Int64(min(record.row.index, 1 << 40)) * 1000
        var time = start
        var places = Places()
        let assistants = record.messages.indices.filter { record.messages[$0].role == .assistant }
        let models = steps.count { $0.kind == .model }
        var below: [SpanRecord] = []
        for (number, step) in steps.enumerated() {
            let end = time + Self.nanoseconds(step.seconds)
            var span = span(number + 1, Self.name(step), time, end, step.problem)
            switch step.kind {
            case .model:
                // If there are as many calls as generations, they match one to one; otherwise the last call gets the
                // whole conversation.
                let isTold = models == assistants.count || places.model + 1 == models
                let answer =
                    models == assistants.count ? assistants[places.model] : isTold ? assistants.last : nil
                addModel(&span, step, answer, isTold)
                places.model += 1
            case .tool:
                let exchange = exchange(places.tool)
                span.add("gen_ai.operation.name", "execute_tool")
                span.add("gen_ai.tool.name", step.name)
                span.add("gen_ai.tool.call.id", exchange.call?.id)
                span.add("gen_ai.tool.call.arguments", exchange.call?.arguments)
                span.add("gen_ai.tool.call.result", exchange.result?.content)
                places.tool += 1
            default:
                span.add("openinference.span.kind", Self.word(step.kind))
                if step.kind == .retrieval { span.add("input.value", record.row.input) }
            }
            below.append(span)
            time = end
        }
        time = max(time, start + Self.nanoseconds(record.row.seconds))
        let problem = record.row.outcome == .error ? record.row.problem ?? "the sample ended in an error" : nil
        var root = span(0, "\(run.name): \(record.row.id)", start, time, problem)
        root.add("openinference.span.kind", "CHAIN")
        root.add("input.value", record.input)
        root.add("output.value", record.answer)
        root.add("orrery.eval.task", run.task)
        root.add("orrery.eval.sample", record.row.id)
        root.add("orrery.eval.epoch", record.row.epoch)
        root.add("orrery.eval.targets", record.targets)
        return [root] + below
    }

    private struct Places {
        var model = 0
        var tool = 0
    }

    /// Steps of a log that records none: one model call.
    private var conversation: [EvalStep] {
        guard record.messages.contains(where: { $0.role == .assistant }) || record.row.outcome == .error else {
            return []
        }
        let problem = record.row.outcome == .error ? record.row.problem ?? "the sample ended in an error" : nil
        return [EvalStep(kind: .model, name: run.model, seconds: record.row.seconds, problem: problem)]
    }

    private func span(
        _ number: Int, _ name: String, _ start: Int64, _ end: Int64, _ problem: String?
    ) -> SpanRecord {
        func id(_ number: Int) -> String { SpanDigits.of(Digest.of("\(trace) \(number)", seed: 5)) }
        return SpanRecord(
            trace: trace, span: id(number), parent: number == 0 ? nil : id(0), name: name,
            start: start, end: end, status: .init(error: problem))
    }

    private func addModel(_ span: inout SpanRecord, _ step: EvalStep, _ answer: Int?, _ isTold: Bool) {
        span.add("gen_ai.operation.name", "chat")
        span.add("gen_ai.request.model", step.name)
        span.add("gen_ai.conversation.id", trace)
        if isTold {
            let asked = Array(record.messages[..<(answer ?? record.messages.count)])
            span.add("gen_ai.input.messages", Message.json(asked, as: .openTelemetry))
        }
        if let answer {
            span.add("gen_ai.output.messages", Message.json([record.messages[answer]], as: .openTelemetry))
        }
        span.add("orrery.eval.times", "not recorded")
        if step.problem != nil { span.add("error.type", "error") }
    }

    /// The call of a tool with this number in the conversation, and what came back.
    private func exchange(_ number: Int) -> (call: ToolCall?, result: ToolResult?) {
        let parts = record.messages.flatMap(\.parts)
        let calls = parts.compactMap { if case .toolCall(let call) = $0 { call } else { nil } }
        guard calls.indices.contains(number) else { return (nil, nil) }
        let result = parts.lazy.compactMap { if case .toolResult(let result) = $0 { result } else { nil } }
            .first { $0.callID == calls[number].id }
        return (calls[number], result)
    }

    private static func nanoseconds(_ seconds: Double?) -> Int64 {
        guard let seconds, seconds > 0 else { return 0 }
        return Int64(min(seconds, 1e6) * 1e9)
    }

    private static func name(_ step: EvalStep) -> String {
        switch step.kind {
        case .model: "chat \(step.name)"
        case .tool: "execute_tool \(step.name)"
        default: step.name
        }
    }

    /// OpenInference's word for a kind.
    private static func word(_ kind: SpanKind) -> String {
        switch kind {
        case .retrieval: "RETRIEVER"
        case .evaluator: "EVALUATOR"
        case .reranker: "RERANKER"
        case .embedding: "EMBEDDING"
        case .guardrail: "GUARDRAIL"
        case .agent: "AGENT"
        default: "CHAIN"
        }
    }
}
