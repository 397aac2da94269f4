public import EvalLogs
internal import JSON
internal import LanguageModels
internal import Traces

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

    /// Returns OTLP/JSON documents, the root's first.
    public func documents() -> [[UInt8]] {
        var documents = [root]
        for (index, step) in solution.steps.enumerated() {
            let place = OTLPSpanPlace(trace: trace, span: span(index + 1), parent: span(0))
            switch step {
            case .model(let call):
                guard let purpose = call.purpose else {
                    documents.append(call.modelCall.otlp(place, conversation: trace))
                    continue
                }
                documents.append(evaluation(purpose, call, place))
                let below = OTLPSpanPlace(trace: trace, span: span(-1 - index), parent: place.span)
                documents.append(call.modelCall.otlp(below, conversation: trace))
            case .tool(let run): documents.append(run.otlp(place))
            case .search(let search): documents.append(search.otlp(place))
            }
        }
        return documents
    }

    private func span(_ number: Int) -> String { hexadecimal(Digest.of("\(trace) \(number)") | 1) }

    private static func times(_ step: SolutionStep) -> (start: Int64, end: Int64) {
        switch step {
        case .model(let call): (call.start, call.end)
        case .tool(let run): (run.start, run.end)
        case .search(let search): (search.start, search.end)
        }
    }

    private var root: [UInt8] {
        let document = OTLPSpanDocument(
            trace: trace, span: span(0), parent: nil, name: "\(name): \(sample.id)", kind: 1, start: start, end: end,
            status: problem.map { .error($0) } ?? .ok)
        return document.bytes { attributes in
            attributes.add("openinference.span.kind", "CHAIN")
            attributes.add("input.value", sample.request.inputText)
            if !solution.answers.isEmpty { attributes.add("output.value", solution.answer) }
            attributes.add("orrery.eval.task", task)
            attributes.add("orrery.eval.sample", sample.id)
            attributes.add("orrery.eval.epoch", epoch)
            attributes.add("orrery.eval.targets", sample.targets)
            attributes.add("orrery.eval.standard_error", solution.standardError)
            for score in scores {
                let name = "orrery.eval.score.\(score.name)"
                attributes.add(name, score.value)
                attributes.add(name + ".label", score.label)
                attributes.add(name + ".explanation", score.explanation)
                attributes.add(name + ".problem", score.problem)
            }
        }
    }

    private func evaluation(
        _ purpose: String, _ call: SolutionStep.CallRecord, _ place: OTLPSpanPlace
    ) -> [UInt8] {
        let document = OTLPSpanDocument(
            trace: place.trace, span: place.span, parent: place.parent, name: "\(purpose): \(call.model)", kind: 1,
            start: call.start, end: max(call.start, call.end), status: call.problem.map { .error($0) } ?? .ok)
        return document.bytes { attributes in
            attributes.add("openinference.span.kind", "EVALUATOR")
            attributes.add("output.value", call.response?.message.plainText)
        }
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
    func otlp(_ place: OTLPSpanPlace) -> [UInt8] {
        let caption = question.prefix(60).split(whereSeparator: \.isNewline).joined(separator: " ")
        let document = OTLPSpanDocument(
            trace: place.trace, span: place.span, parent: place.parent, name: "\(pipeline): \(caption)", kind: 1,
            start: start, end: max(start, end), status: problem.map { .error($0) } ?? .ok)
        return document.bytes { attributes in
            attributes.add("openinference.span.kind", "RETRIEVER")
            attributes.add("input.value", question)
            attributes.add("orrery.pipeline.name", pipeline)
            attributes.add("orrery.corpus", corpus)
            attributes.add("orrery.stage.kind", "retrieved")
            attributes.add("retrieval.top_k", passages.count)
            for (index, passage) in passages.enumerated() {
                let name = "retrieval.documents.\(index).document"
                attributes.add("\(name).id", passage.chunk.map { String($0) } ?? passage.document)
                attributes.add("\(name).score", passage.score)
                attributes.add("\(name).content", passage.text)
                var metadata = JSONWriter()
                metadata.object { $0.member("source", passage.document) }
                attributes.add("\(name).metadata", metadata.text)
            }
        }
    }
}
