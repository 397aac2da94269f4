public import EvalLogs
internal import JSON
internal import LanguageModels
public import Traces

/// The steps for a sample as a trace: a root span for the sample, with one span below it for each model call, tool
/// call, and search, in order.
///
/// A judge's call is below a span of its own, as an evaluation. The same run, sample, and epoch always have the same
/// ids, so that a trace is never stored twice.
public struct SampleTrace: Sendable {
    /// External id of the trace: 16 bytes as hexadecimal digits.
    public let trace: String
    private let task: String
    private let name: String
    private let sample: TaskSample
    private let epoch: Int
    private let solution: Solution
    private let scores: [EvalScore]
    private let problem: String?
    private let start: Int64
    private let end: Int64

    /// - Parameters:
    ///   - key: `EvalRun.key`.
    ///   - name: Name of the run in the trace's title (default: the task).
    ///   - problem: Reason for a missing answer; `nil` if there is one.
    ///   - start: Start in nanoseconds since 1970, as for `end`.
    public init(
        run key: String, task: String, name: String? = nil, sample: TaskSample, epoch: Int, solution: Solution,
        scores: [EvalScore],
        problem: String?, start: Int64, end: Int64
    ) {
        let identity = "eval sample \(key)\u{0}\(sample.id)\u{0}\(epoch)"
        trace = hexadecimal(Digest.of(identity)) + hexadecimal(Digest.of(identity + " trace"))
        (self.task, self.sample, self.epoch, self.solution) = (task, sample, epoch, solution)
        self.name = name ?? task
        (self.scores, self.problem) = (scores, problem)
        let times = solution.steps.map(Self.times).filter { $0.start > 0 }
        self.start = times.reduce(start) { min($0, $1.start) }
        self.end = times.reduce(max(start, end)) { max($0, $1.end) }
    }

    /// The spans, the root first.
    public var spans: [SpanRecord] {
        var spans = [root]
        for (index, step) in solution.steps.enumerated() {
            let id = span(index + 1)
            switch step {
            case .model(let call):
                guard let purpose = call.purpose else {
                    spans.append(call.modelCall.span(id, below: span(0), inTrace: trace))
                    continue
                }
                spans.append(evaluation(purpose, call, id))
                spans.append(call.modelCall.span(span(-1 - index), below: id, inTrace: trace))
            case .tool(let run): spans.append(run.span(id, below: span(0), inTrace: trace))
            case .search(let search): spans.append(search.span(id, below: span(0), inTrace: trace))
            }
        }
        return spans
    }

    private func span(_ number: Int) -> String { hexadecimal(Digest.of("\(trace) \(number)") | 1) }

    private static func times(_ step: SolutionStep) -> (start: Int64, end: Int64) {
        switch step {
        case .model(let call): (call.start, call.end)
        case .tool(let run): (run.start, run.end)
        case .search(let search): (search.start, search.end)
        }
    }

    private var root: SpanRecord {
        var root = SpanRecord(
            trace: trace, span: span(0), name: "\(name): \(sample.id)", start: start, end: end,
            status: .init(error: problem))
        root.add("openinference.span.kind", "CHAIN")
        root.add("input.value", sample.request.inputText)
        if !solution.answers.isEmpty { root.add("output.value", solution.answer) }
        root.add("orrery.eval.task", task)
        root.add("orrery.eval.sample", sample.id)
        root.add("orrery.eval.epoch", epoch)
        root.add("orrery.eval.targets", sample.targets)
        root.add("orrery.eval.standard_error", solution.standardError)
        for score in scores {
            let name = "orrery.eval.score.\(score.name)"
            root.add(name, score.value)
            root.add(name + ".label", score.label)
            root.add(name + ".explanation", score.explanation)
            root.add(name + ".problem", score.problem)
        }
        return root
    }

    private func evaluation(_ purpose: String, _ call: SolutionStep.CallRecord, _ id: String) -> SpanRecord {
        var evaluation = SpanRecord(
            trace: trace, span: id, parent: span(0), name: "\(purpose): \(call.model)", start: call.start,
            end: max(call.start, call.end), status: .init(error: call.problem))
        evaluation.add("openinference.span.kind", "EVALUATOR")
        evaluation.add("output.value", call.response?.message.plainText)
        return evaluation
    }
}

extension SolutionStep.CallRecord {
    /// The call in the form of traces; a likelihood is an answer of given tokens.
    var modelCall: ModelCall {
        let outcome: Result<ModelResponse, LanguageModelError>
        var steps = answered
        if let response {
            outcome = .success(response)
        } else if let likelihood {
            steps = likelihood.tokens.map { TokenStep(text: $0.text, id: $0.id, logProbability: $0.logProbability) }
            let message = Message(.assistant, [.text(likelihood.tokens.map(\.text).joined())])
            outcome = .success(
                ModelResponse(
                    message: message, finish: .stop, usage: likelihood.usage, model: model, secondsToFirstToken: nil,
                    seconds: Double(max(0, end &- start)) * 1e-9))
        } else {
            var sentence = problem ?? "no response"
            if sentence.hasSuffix(".") { sentence.removeLast() }
            outcome = .failure(LanguageModelError(.server, model: model, problem: sentence))
        }
        return ModelCall(
            provider: provider, model: model, request: request, start: start, end: max(start, end), outcome: outcome,
            specification: specification, answered: steps)
    }
}

extension SolutionStep.SearchRecord {
    /// Returns the span of a search, with the attributes that pipelines record.
    func span(_ id: String, below parent: String, inTrace trace: String) -> SpanRecord {
        let caption = question.prefix(60).split(whereSeparator: \.isNewline).joined(separator: " ")
        var span = SpanRecord(
            trace: trace, span: id, parent: parent, name: "\(pipeline): \(caption)", start: start,
            end: max(start, end), status: .init(error: problem))
        span.add("openinference.span.kind", "RETRIEVER")
        span.add("input.value", question)
        span.add("orrery.pipeline.name", pipeline)
        span.add("orrery.corpus", corpus)
        span.add("orrery.stage.kind", "retrieved")
        span.add("retrieval.top_k", passages.count)
        for (index, passage) in passages.enumerated() {
            span.addDocument(
                index, under: "retrieval.documents", id: passage.chunk.map { String($0) } ?? passage.document,
                score: passage.score, text: passage.text, source: passage.document)
        }
        return span
    }
}
