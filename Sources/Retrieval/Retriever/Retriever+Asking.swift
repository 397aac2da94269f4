internal import SearchIndexes
internal import System
internal import Traces
public import Workspace

extension Retriever {
    /// The models that a run may call.
    public enum Models: Hashable, Sendable {
        case all
        /// Models that find passages; nothing is answered.
        case allButAnswer
        /// No models: stages that need one, and stages that depend on them, are pending.
        case none
    }

    /// Runs a pipeline and records it as a trace, unless `keepingTrace` is false or the workspace is read-only.
    ///
    /// Neither option changes the results: a stage that runs gives the same result with any `models`.
    public func ask(
        _ query: String, _ pipeline: NamedPipeline, of corpus: Corpus, models: Models = .all,
        keepingTrace: Bool = true, until cancellation: Cancellation? = nil
    ) throws -> RetrievalRecord {
        var pipeline = pipeline
        if models == .allButAnswer { pipeline.definition = try pipeline.definition.withoutAnswer() }
        var run = try run(pipeline, over: corpus)
        run.leavesModelsOut = models == .none
        let traced = try run.traced(query, isCancelled: { cancellation?.isCancelled ?? false })
        var record = traced.record
        if keepingTrace, store.workspace.access == .readWrite {
            // What was found is worth more than its trace.
            do throws(Problem) {
                record.trace = try RetrievalTraceRecorder(store.workspace).record(traced)
                // An answer that was known from before was not asked for again.
                record.tracesAnswer = traced.calls.all.contains { $0.stage == "answer" }
            } catch {
                record.notes.append("The trace was not saved: \(error.sentence)")
            }
        }
        return record
    }

    /// Targets of an explanation.
    public enum Target: Hashable, Sendable {
        case chunk(Int64)
        /// A document, by the id that its owner gives it.
        case document(String)
    }

    /// Explains why a target was found or not.
    ///
    /// - Parameter isThorough: False is much faster, but skips remedies and whatever needs a model.
    public func explain(
        _ target: Target, _ record: RetrievalRecord, _ pipeline: NamedPipeline, of corpus: Corpus,
        isThorough: Bool = true, until cancellation: Cancellation? = nil
    ) throws -> Explanation {
        var run = try run(pipeline, over: corpus)
        run.leavesModelsOut = !isThorough
        let explainer = Explainer(run)
        let isCancelled: @Sendable () -> Bool = { cancellation?.isCancelled ?? false }
        return switch target {
        case .chunk(let chunk):
            try explainer.explain(
                chunk: chunk, in: record, triesRemedies: isThorough, isCancelled: isCancelled)
        case .document(let name):
            try explainer.explain(
                document: name, in: record, triesRemedies: isThorough, isCancelled: isCancelled)
        }
    }

    /// Compares the results of a dense stage with exact search.
    ///
    /// - Parameter stage: The first dense stage where none is named.
    public func truth(
        of record: RetrievalRecord, stage name: String? = nil, _ pipeline: NamedPipeline, of corpus: Corpus,
        until cancellation: Cancellation? = nil
    ) throws -> SearchTruth {
        let dense = pipeline.definition.dense
        guard let stage = name.map({ name in dense.first { $0.name == name } }) ?? dense.first,
            let shown = record.stages.first(where: { $0.name == stage.name })
        else { throw Problem(.unknown, pipeline.name, "unknown dense stage") }
        let source = try source(of: corpus)
        let isCancelled: @Sendable () -> Bool = { cancellation?.isCancelled ?? false }
        let vectors = try source.embed([record.query], as: .query, space: stage.space, isCancelled: isCancelled)
        let filter = pipeline.definition.filter.isEmpty ? nil : try source.resolve(filter: pipeline.definition.filter)
        let begun = Clock.nanoseconds(.wall)
        let exact = try source.searchExactly(
            DenseRequest(space: stage.space, vector: vectors.first ?? [], k: stage.k, filter: filter),
            isCancelled: isCancelled)
        let seconds = Double(Clock.nanoseconds(.wall) - begun) / 1e9
        let found = Set(shown.entries.filter(\.verdict.isKept).compactMap { record[$0.passage].chunk })
        let missed = exact.hits.enumerated().filter { !found.contains($0.element.chunk) }
        let names = try source.chunks(missed.map(\.element.chunk))
        return SearchTruth(
            stage: stage.name, k: exact.hits.count, found: exact.hits.count - missed.count,
            missed: missed.map { index, hit in
                SearchTruth.Missed(
                    chunk: hit.chunk, label: names.first { $0.id == hit.chunk }?.label ?? "chunk \(hit.chunk)",
                    rank: index + 1)
            }, seconds: seconds)
    }
}

/// A comparison of an index with exact search, for one query.
public struct SearchTruth: Hashable, Sendable {
    public var stage: String
    /// Number of exact results: the k of the stage, or all vectors if there are fewer.
    public var k: Int
    /// Found by both.
    public var found: Int
    /// Chunks among the first k of exact search that the index missed, best first.
    public var missed: [Missed]
    /// Duration of the exact search.
    public var seconds: Double

    public struct Missed: Hashable, Sendable {
        public var chunk: Int64
        public var label: String
        /// Its rank in the exact search, from 1.
        public var rank: Int
    }

    public var recall: Double { k == 0 ? 1 : Double(found) / Double(k) }
}

extension Retriever {
    /// Returns the retrieval that a trace of another system recorded, its documents matched with the corpora of the
    /// workspace.
    ///
    /// - Parameters:
    ///   - trace: Its number, or the beginning of its id.
    ///   - span: The ordinal of a span; `nil` takes the first retrieval.
    public func recorded(inTrace trace: String, span: Int? = nil) throws -> RetrievalRecord {
        let traces = TraceStore(store.workspace)
        let found = try traces.find(trace)
        guard
            let record = try ForeignRetrieval(traces).record(
                ofTrace: found.id, span: span, matching: CorpusMatcher(self))
        else {
            throw Problem(
                .missing, found.name,
                span == nil
                    ? "no retrieval was recorded" : "no retrieval was recorded at or around span \(span ?? 0)")
        }
        return record
    }
}
