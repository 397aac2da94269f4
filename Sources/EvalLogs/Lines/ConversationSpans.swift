internal import JSON
internal import LanguageModels
internal import Traces

/// Spans for logs that record only the prompt and the generation, without steps: one model call.
enum ConversationSpans {
    /// Adds the step and the trace ID that a record's messages imply.
    static func complete(_ record: inout EvalSampleRecord, of run: EvalRun) {
        guard record.messages.contains(where: { $0.role == .assistant }) || record.row.outcome == .error else { return }
        let problem = record.row.outcome == .error ? record.row.problem ?? "error" : nil
        record.steps = [EvalStep(kind: .model, name: run.model, seconds: record.row.seconds, problem: problem)]
        record.failingStep = record.row.failingStep(among: record.steps)
        record.trace = trace(record.row, run)
    }

    private static func trace(_ row: EvalRow, _ run: EvalRun) -> String {
        let name = [run.format, run.key, row.id, "\(row.epoch)", "\(row.index)"].joined(separator: "\u{1F}")
        return SpanDigits.of(Digest.of(name, seed: 3)) + SpanDigits.of(Digest.of(name, seed: 4))
    }

    /// Returns the spans of a record, the root first; empty if it has no steps.
    static func spans(_ record: EvalSampleRecord, of run: EvalRun) -> [SpanRecord] {
        guard !record.steps.isEmpty else { return [] }
        let trace = trace(record.row, run)
        // These logs do not record when a sample started: assume the start of the run, in the order of the log.
        let start = max(0, min(run.start ?? 0, 1 << 62)) + Int64(min(record.row.index, 1 << 40)) * 1000
        let length = Int64(exactly: (min(max(record.row.seconds ?? 0, 0), 1e6) * 1e9).rounded()) ?? 0
        let problem = record.steps.first?.problem
        let rootID = SpanDigits.of(Digest.of(trace, seed: 5))
        func span(_ id: String, _ parent: String?, _ name: String) -> SpanRecord {
            SpanRecord(
                trace: trace, span: id, parent: parent, name: name, start: start, end: start + length,
                status: .init(error: problem))
        }
        let answers = record.messages.lastIndex { $0.role == .assistant }
        var call = span(SpanDigits.of(Digest.of(trace, seed: 6)), rootID, "chat \(run.model)")
        call.add("gen_ai.operation.name", "chat")
        call.add("gen_ai.request.model", run.model)
        call.add("gen_ai.conversation.id", trace)
        call.add(
            "gen_ai.input.messages",
            Message.json(Array(record.messages[..<(answers ?? record.messages.count)]), as: .openTelemetry))
        if let answers {
            call.add("gen_ai.output.messages", Message.json([record.messages[answers]], as: .openTelemetry))
        }
        call.add("gen_ai.usage.cost", record.row.cost)
        call.add("orrery.eval.times", "not recorded")
        if problem != nil { call.add("error.type", "error") }
        var root = span(rootID, nil, "\(run.name): sample \(record.row.id)")
        root.add("gen_ai.operation.name", "invoke_agent")
        root.add("gen_ai.conversation.id", trace)
        root.add("input.value", record.input)
        root.add("output.value", record.answer)
        root.add("orrery.eval.task", run.task)
        root.add("orrery.eval.sample", record.row.id)
        return [root, call]
    }
}
