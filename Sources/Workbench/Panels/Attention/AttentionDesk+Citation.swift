internal import LanguageModels
internal import ModelLab
internal import Retrieval
internal import System
internal import Traces
internal import Workspace

extension AttentionDesk {
    /// Maximum number of calls of a trace to search for a passage.
    private static let mostCalls = 64

    /// Returns the recorded call whose prompt contains a passage, with its answer. The range is the passage, and the
    /// cursor is on the first token that cites it.
    func order(of citation: CitedPassage) throws -> AttentionOrder {
        let retriever = Retriever(workspace, resources: PipelineResources(of: workspace))
        let traces = TraceStore(workspace)
        guard let trace = try traces.trace(citation.trace) else {
            throw Problem.gone("the answer's run")
        }
        let record = try ForeignRetrieval(traces).record(
            ofTrace: citation.trace, span: citation.span, matching: CorpusMatcher(retriever))
        let place = Self.place(of: citation, in: record)
        guard let text = try place.flatMap({ record?[$0].text }) ?? Self.chunkText(of: citation, retriever.store) else {
            throw Problem.gone("the passage text")
        }
        let passage = text.trimmed
        let calls = try trace.spans.lazy.filter { $0.kind == .model }.prefix(Self.mostCalls).map {
            try RecordedCall(trace: citation.trace, span: $0.ordinal, in: traces)
        }
        // Several prompts may contain the passage, such as that of a reranker. Use the call that produced the answer.
        let holding = calls.filter { Self.prompt(of: $0).contains(passage) }
        let answer = record?.answer
        guard let call = holding.first(where: { $0.answer.trimmed == answer?.text.trimmed }) ?? holding.last else {
            throw Problem(
                .missing, "",
                "No prompt in this run contains \(place.flatMap { record?[$0].label } ?? "the passage") verbatim",
                remedy: "Press R to enter the passage's token range.")
        }
        let cited = answer?.citations.first { $0.passage == place }?.range.lowerBound
        let lead = answer.flatMap { Array(call.answer.utf8).firstRange(of: Array($0.text.utf8))?.lowerBound }
        var order = try order(
            model: call.specification ?? call.model, call.prompt, call.steps, call.document,
            at: cited.map { (lead ?? 0) + $0 })
        order.passage = passage
        return order
    }

    private static func place(of citation: CitedPassage, in record: RetrievalRecord?) -> PassageID? {
        guard let record else { return nil }
        switch citation.passage {
        case .chunk(let chunk): return record.passages.firstIndex { $0.chunk == chunk }.map(PassageID.init)
        case .place(let place): return record.passages.indices.contains(place) ? PassageID(place) : nil
        }
    }

    private static func chunkText(of citation: CitedPassage, _ store: CorpusStore) throws -> String? {
        guard case .chunk(let id) = citation.passage, let chunk = try store.chunk(id) else { return nil }
        return try store.text(of: chunk)
    }

    private static func prompt(of call: RecordedCall) -> String {
        call.prompt.isEmpty ? text(of: call.document.input) : call.prompt.map(\.text).joined()
    }
}
