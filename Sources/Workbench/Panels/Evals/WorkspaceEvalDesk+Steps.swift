internal import EvalLogs
internal import Evals
internal import LanguageModels
internal import ModelLab
internal import Providers
internal import Traces

extension WorkspaceEvalDesk {
    func panels(showing step: EvalStep?, of trace: EvalTrace, span: Int?) throws -> Set<String>? {
        guard let step, let span else { return [TracePage.about.identifier] }
        var panels: Set = [TracePage.about.identifier]
        switch step.kind {
        case .retrieval: panels.insert(RetrievalPage.about.identifier)
        case .model:
            let call = try RecordedCall(trace: trace.trace, span: span, in: TraceStore(workspace))
            if !call.prompt.isEmpty || call.steps.count > 1 { panels.insert(TokenPage.about.identifier) }
            if try isLocal(call) { panels.insert(AttentionPage.about.identifier) }
        default: break
        }
        return panels
    }

    /// Returns whether the model runs in this process, so its activations can be inspected.
    private func isLocal(_ call: RecordedCall) throws -> Bool {
        let word = call.specification ?? call.model
        return try ModelHouse(workspace).registry.entries().contains {
            ($0.name == word || $0.specification == word) && $0.file != nil
        }
    }

    func steps(of log: any EvalLog, sample: Int) throws -> SampleSteps {
        let record = try log.sample(sample)
        // A read-only workspace stores no trace: use the steps recorded in the sample.
        guard !record.steps.isEmpty, let kept = try? traces.trace(of: sample, in: log),
            let reader = try SampleStepReader(TraceStore(workspace), trace: kept.summary.id)
        else { return SampleSteps(record, model: log.run.model) }
        return SampleSteps(
            trace: kept.summary.id, steps: try reader.steps(record.steps, ordinals: kept.steps))
    }
}

/// Reads the steps of a sample out of its trace, each with what it was given and what it gave.
struct SampleStepReader {
    var store: TraceStore
    var replay: Replay

    init?(_ store: TraceStore, trace id: Int64) throws {
        guard let trace = try store.trace(id) else { return nil }
        self.store = store
        replay = Replay(trace)
    }

    /// - Parameter ordinals: Ordinals of the steps' spans; `nil` for a step without a span.
    func steps(_ steps: [EvalStep], ordinals: [Int?]) throws -> [SampleSteps.Step] {
        try zip(steps, ordinals).prefix(SampleSteps.most).map { step, ordinal in
            var read = SampleSteps.Step(
                kind: step.kind, name: step.name, seconds: step.seconds, problem: step.problem, span: ordinal)
            if let ordinal, replay.trace.spans.indices.contains(ordinal) {
                read.parts = try parts(of: replay.trace.spans[ordinal])
            }
            return read
        }
    }

    private func parts(of span: Span) throws -> [SampleSteps.Part] {
        guard span.kind == .model else {
            let details = try store.details(of: span)
            return [("input", details.input), ("output", details.output)].compactMap { title, text in
                text.map { SampleSteps.Part(title, $0) }
            }
        }
        let context = replay.step(of: span.ordinal).map { replay.context(at: $0) }
        // What it had read at an earlier step stands there.
        let new = context.map { Array($0.messages[$0.known...]) } ?? []
        let read = try store.messages(new).compactMap(\.self).filter { $0.role != .assistant }
        let answers = replay.messages(of: span.ordinal).filter { $0.role == .assistant }
        let said = try store.messages(answers).compactMap(\.self)
        return read.map { SampleSteps.Part($0.role.name, Self.text(of: $0)) }
            + said.map { SampleSteps.Part("answer", Self.text(of: $0)) }
    }

    private static func text(of message: Message) -> String {
        message.parts.map { part in
            switch part {
            case .text(let text), .reasoning(let text): text
            case .toolCall(let call): "call \(call.name) \(call.arguments)"
            case .toolResult(let result): result.content
            case .attachment(let file): "(\(file.mediaType))"
            case .other(_, let json): ToolText.definition(json).map { "tool \($0.name)  \($0.purpose)" } ?? json
            }
        }.joined(separator: "\n")
    }
}
