internal import JSON
internal import LanguageModels
internal import Traces

/// The trace of a sample whose line holds no spans: one for each of its steps, with what the conversation tells of it.
struct OrreryLogSpans {
    private let record: EvalSampleRecord
    private let run: EvalRun
    /// 16 bytes as hexadecimal digits: those that the record names, else some that its place in the run gives.
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

    /// Returns OTLP/JSON documents, the root's first; empty if there are no steps.
    func documents() -> [[UInt8]] {
        let steps = record.steps.isEmpty ? conversation : record.steps
        guard !steps.isEmpty else { return [] }
        // The file does not tell when a sample was asked: the run's beginning stands for it, and its place in the log.
        let start = max(0, min(run.start ?? 0, 1 << 62)) + Int64(min(record.row.index, 1 << 40)) * 1000
        var time = start
        var places = Places()
        let assistants = record.messages.indices.filter { record.messages[$0].role == .assistant }
        let models = steps.count { $0.kind == .model }
        var below: [[UInt8]] = []
        for (number, step) in steps.enumerated() {
            let end = time + Self.nanoseconds(step.seconds)
            let document = document(
                number + 1, Self.name(step), step.kind == .model ? 3 : 1, time, end, step.problem)
            switch step.kind {
            case .model:
                // If there are as many calls as generations, they match one to one; otherwise the last call gets the
                // whole conversation.
                let isTold = models == assistants.count || places.model + 1 == models
                let answer =
                    models == assistants.count ? assistants[places.model] : isTold ? assistants.last : nil
                below.append(document.bytes { model(&$0, step, answer, isTold) })
                places.model += 1
            case .tool:
                let exchange = exchange(places.tool)
                below.append(
                    document.bytes { attributes in
                        attributes.add("gen_ai.operation.name", "execute_tool")
                        attributes.add("gen_ai.tool.name", step.name)
                        attributes.add("gen_ai.tool.call.id", exchange.call?.id)
                        attributes.add("gen_ai.tool.call.arguments", exchange.call?.arguments)
                        attributes.add("gen_ai.tool.call.result", exchange.result?.content)
                    })
                places.tool += 1
            default:
                below.append(
                    document.bytes { attributes in
                        attributes.add("openinference.span.kind", Self.word(step.kind))
                        if step.kind == .retrieval { attributes.add("input.value", record.row.input) }
                    })
            }
            time = end
        }
        time = max(time, start + Self.nanoseconds(record.row.seconds))
        let problem = record.row.outcome == .error ? record.row.problem ?? "the sample ended in an error" : nil
        let root = document(0, "\(run.name): \(record.row.id)", 1, start, time, problem).bytes { attributes in
            attributes.add("openinference.span.kind", "CHAIN")
            attributes.add("input.value", record.input)
            attributes.add("output.value", record.answer)
            attributes.add("orrery.eval.task", run.task)
            attributes.add("orrery.eval.sample", record.row.id)
            attributes.add("orrery.eval.epoch", record.row.epoch)
            attributes.add("orrery.eval.targets", record.targets)
        }
        return [root] + below
    }

    private struct Places {
        var model = 0
        var tool = 0
    }

    /// What a log without steps must have done: one call of the model.
    private var conversation: [EvalStep] {
        guard record.messages.contains(where: { $0.role == .assistant }) || record.row.outcome == .error else {
            return []
        }
        let problem = record.row.outcome == .error ? record.row.problem ?? "the sample ended in an error" : nil
        return [EvalStep(kind: .model, name: run.model, seconds: record.row.seconds, problem: problem)]
    }

    private func document(
        _ number: Int, _ name: String, _ kind: Int, _ start: Int64, _ end: Int64, _ problem: String?
    ) -> SpanRecord {
        func span(_ number: Int) -> String { SpanDigits.of(Digest.of("\(trace) \(number)", seed: 5)) }
        return SpanRecord(
            trace: trace, span: span(number), parent: number == 0 ? nil : span(0), name: name,
            start: start, end: end, status: problem.map { .error($0) } ?? .ok)
    }

    private func model(
        _ attributes: inout SpanRecord, _ step: EvalStep, _ answer: Int?, _ isTold: Bool
    ) {
        attributes.add("gen_ai.operation.name", "chat")
        attributes.add("gen_ai.request.model", step.name)
        attributes.add("gen_ai.conversation.id", trace)
        if isTold {
            let asked = Array(record.messages[..<(answer ?? record.messages.count)])
            attributes.add("gen_ai.input.messages", MessageText.messages(asked))
        }
        if let answer { attributes.add("gen_ai.output.messages", MessageText.messages([record.messages[answer]])) }
        attributes.add("orrery.eval.times", "not recorded")
        if step.problem != nil { attributes.add("error.type", "error") }
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
