internal import Evals
internal import LanguageModels
internal import Retrieval
internal import Traces

/// A search by a pipeline of this workspace, such as for a sample of an evaluation. It can be repeated to explain
/// every stage.
struct OwnSearch: Hashable, Sendable {
    var corpus: String
    var pipeline: String
    /// Documents that the sample expected and that were not found; the first candidates for an explanation.
    var missing: [String]

    /// Creates a search from a trace; `nil` if the trace does not record a pipeline of this workspace.
    ///
    /// - Parameter span: Ordinal of the search's span (default: the first search of the trace).
    init?(trace id: Int64, span ordinal: Int?, in store: TraceStore) throws {
        let spans = try store.spans(of: id)
        let named = ordinal.flatMap { spans.indices.contains($0) ? spans[$0] : nil }
        let search = named?.kind == .retrieval ? named : spans.first { $0.kind == .retrieval }
        guard let search, let told = Self.words(of: try store.details(of: search)) else { return nil }
        (corpus, pipeline) = told
        missing = []
        guard let root = spans.first(where: { $0.parent == nil }) else { return }
        for attribute in try store.details(of: root).attributes
        where attribute.name.hasPrefix("orrery.eval.score.") && attribute.name.hasSuffix(".explanation") {
            missing += RankingScorer.missing(in: attribute.value).filter { !missing.contains($0) }
        }
    }

    private static func words(of details: SpanDetails) -> (corpus: String, pipeline: String)? {
        func word(_ name: String) -> String? { details.attributes.first { $0.name == name }?.value }
        guard let corpus = word("orrery.corpus"), let pipeline = word("orrery.pipeline.name") else { return nil }
        return (corpus, pipeline)
    }
}

/// A search read from a trace.
struct RecordedSearch: Sendable {
    var record: RetrievalRecord
    /// The span or trace.
    var place: Reference
    /// The search if a pipeline of this workspace made it, so that it can be repeated.
    var own: OwnSearch?
}

extension Reference {
    /// Ordinal of a span reference's span; `nil` for the whole trace.
    var span: Int? { path.count > 1 ? Int(clamping: path[1]) : nil }
}
