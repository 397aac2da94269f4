internal import LanguageModels
public import System
public import Traces

/// Reads a retrieval from a recorded trace, in Orrery's stages: documents retrieved, reordered, and cut, documents in
/// the prompt, and documents used by the answer.
///
/// ```swift
/// let reader = ForeignRetrieval(store)
/// let record = try reader.record(ofTrace: 12, span: 37, matching: corpus)
/// record?.stages.map(\.name)      // ["vectorstore", "rerank", "in the prompt"]
/// ```
/// Only recorded data is reported; the notes list what is missing.
public struct ForeignRetrieval: Sendable {
    private let store: TraceStore

    public init(_ store: TraceStore) { self.store = store }

    /// Returns the retrieval that a span belongs to, or the first of the trace.
    ///
    /// - Parameter matcher: Finds recorded documents among the chunks of a corpus; `nil` leaves them unmatched.
    /// - Returns: `nil` if the trace recorded no retrieval there.
    public func record(
        ofTrace id: Int64, span: Int? = nil, matching matcher: (any PassageMatching)? = nil
    ) throws -> RetrievalRecord? {
        guard let trace = try store.trace(id), let episode = RetrievalEpisode(of: span, in: trace) else { return nil }
        var assembly = RecordAssembly(
            origin: .trace(
                id: trace.summary.externalID,
                span: (episode.searches.first ?? episode.rerankers.first)?.externalID ?? ""))
        let texts = try contents(around: episode, in: trace)
        for search in episode.searches {
            assembly.add(search: search, try store.retrieval(of: search), texts: texts)
        }
        for reranker in episode.rerankers {
            assembly.add(reranker: reranker, try store.retrieval(of: reranker), texts: texts)
        }
        let context = try context(behind: episode, in: trace)
        if let context { assembly.add(context: context.span, context.found) }
        if let matcher { try assembly.match(with: matcher) }
        if context != nil {
            if let reader = episode.reader { assembly.add(answer: try answerText(of: reader, in: trace), by: reader) }
        } else if let reader = episode.reader {
            let prompt = try promptText(of: reader, in: trace)
            let answer = try answerText(of: reader, in: trace)
            assembly.add(prompt: prompt, answer: answer, by: reader)
        } else {
            assembly.notes.append(
                "No model call follows the search, so no prompt with these documents is recorded.")
        }
        return assembly.finished
    }

    /// Returns the ordinals of the spans of a trace with which its retrievals begin, in their order.
    public func retrievals(ofTrace id: Int64) throws -> [Int] {
        try store.spans(of: id).filter { $0.kind == .retrieval }.map(\.ordinal)
    }

    // MARK: Texts that the search itself did not record

    /// Texts of documents by id, from the tool call that the search served: some instrumentations record ids alone.
    private func contents(around episode: RetrievalEpisode, in trace: Trace) throws -> [String: String] {
        var texts: [String: String] = [:]
        let parents = Set((episode.searches + episode.rerankers).compactMap(\.parent))
        for parent in parents where trace.spans.indices.contains(parent) && trace.spans[parent].kind == .tool {
            for document in try store.retrieval(of: trace.spans[parent])?.documents ?? [] {
                if let id = document.id, let text = document.text { texts[id] = text }
            }
        }
        return texts
    }

    /// Returns the context that a run of our own built of what its searches found.
    private func context(
        behind episode: RetrievalEpisode, in trace: Trace
    ) throws -> (span: Span, found: RecordedRetrieval)? {
        guard let first = episode.searches.first ?? episode.rerankers.first, let parent = first.parent else {
            return nil
        }
        for span in trace.spans where span.parent == parent && span.kind == .chain && span.start >= first.start {
            if let found = try store.retrieval(of: span), found.stage == Stage.Kind.context.rawValue {
                return (span, found)
            }
        }
        return nil
    }

    private func promptText(of call: Span, in trace: Trace) throws -> String {
        let replay = Replay(trace)
        guard let step = replay.step(of: call.ordinal), replay[step].ordinal == call.ordinal else { return "" }
        return try texts(replay.context(at: step).messages)
    }

    private func answerText(of call: Span, in trace: Trace) throws -> String {
        try texts(trace.messages.filter { $0.span == call.ordinal && $0.role == .assistant })
    }

    private func texts(_ entries: some Collection<MessageEntry>) throws -> String {
        var texts: [String] = []
        for message in try store.messages(entries) {
            for part in message?.parts ?? [] {
                switch part {
                case .text(let text): texts.append(text)
                case .toolResult(let result): texts.append(result.content)
                default: break
                }
            }
        }
        return texts.joined(separator: "\n")
    }
}

/// Finds recorded documents among what a workspace holds.
public protocol PassageMatching: Sendable {
    /// Returns the chunk of a recorded document, and how it was matched; `nil` if no chunk matches.
    ///
    /// An id counts before a source, a source before the text.
    func match(
        id: String?, source: String?, text: String?
    ) throws(Problem) -> (chunk: ChunkContent, by: Passage.Match)?
}
