internal import JSON
internal import LanguageModels
internal import Traces

/// Spans for logs that record only the prompt and the generation, without steps: one model call.
enum ConversationSpans {
    /// Fills in what follows from a record's messages: its step, and its trace's name.
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

    static func documents(_ record: EvalSampleRecord, of run: EvalRun) -> [[UInt8]] {
        guard !record.steps.isEmpty else { return [] }
        let trace = trace(record.row, run)
        // No log of these tells when a sample was asked: the run's beginning stands for it, and its place in the log.
        let start = max(0, min(run.start ?? 0, 1 << 62)) + Int64(min(record.row.index, 1 << 40)) * 1000
        let length = Int64(exactly: (min(max(record.row.seconds ?? 0, 0), 1e6) * 1e9).rounded()) ?? 0
        let problem = record.steps.first?.problem
        let root = SpanDigits.of(Digest.of(trace, seed: 5))
        func document(_ span: String, _ parent: String?, _ name: String) -> SpanRecord {
            SpanRecord(
                trace: trace, span: span, parent: parent, name: name, start: start, end: start + length,
                status: problem.map { .error($0) } ?? .ok)
        }
        let answers = record.messages.lastIndex { $0.role == .assistant }
        let call = document(SpanDigits.of(Digest.of(trace, seed: 6)), root, "chat \(run.model)").bytes {
            attributes in
            attributes.add("gen_ai.operation.name", "chat")
            attributes.add("gen_ai.request.model", run.model)
            attributes.add("gen_ai.conversation.id", trace)
            attributes.add(
                "gen_ai.input.messages",
                MessageText.messages(Array(record.messages[..<(answers ?? record.messages.count)])))
            if let answers {
                attributes.add("gen_ai.output.messages", MessageText.messages([record.messages[answers]]))
            }
            attributes.add("gen_ai.usage.cost", record.row.cost)
            attributes.add("orrery.eval.times", "not recorded")
            if problem != nil { attributes.add("error.type", "error") }
        }
        let whole = document(root, nil, "\(run.name): sample \(record.row.id)").bytes { attributes in
            attributes.add("gen_ai.operation.name", "invoke_agent")
            attributes.add("gen_ai.conversation.id", trace)
            attributes.add("input.value", record.input)
            attributes.add("output.value", record.answer)
            attributes.add("orrery.eval.task", run.task)
            attributes.add("orrery.eval.sample", record.row.id)
        }
        return [whole, call]
    }
}
