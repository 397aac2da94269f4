internal import Evals
internal import LanguageModels
internal import Retrieval
internal import Traces

/// A search that a pipeline of this workspace made for somebody else, such as a sample of an evaluation: it can be made
/// again, and then tells every stage.
struct OwnSearch: Hashable, Sendable {
    var corpus: String
    var pipeline: String
    /// Documents that the sample asked for and that were not found: what one wants to know about first.
    var missing: [String]

    /// nil where the trace does not say that it was a pipeline of our own.
    ///
    /// - Parameter span: the search; nil takes the first of the trace.
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

extension RetrievalEngine {
    /// What it takes to make a search again, to ask about a passage: its corpus and its pipeline, as they are now.
    ///
    /// - Throws: where the corpus or the pipeline is gone.
    func again(_ search: OwnSearch, asking target: Retriever.Target) throws -> AgainBox {
        guard let corpus = try corpora().first(where: { $0.name == search.corpus }) else {
            throw CorpusGone(name: search.corpus)
        }
        return AgainBox(
            corpus: try self.corpus(corpus.id), choice: try pipeline(named: search.pipeline), target: target)
    }
}

/// A corpus that a recorded search names and that is gone.
struct CorpusGone: Error, CustomStringConvertible {
    var name: String
    var description: String { "corpus \(name) no longer exists: only the recorded search is available." }
}

package struct AgainBox: Sendable { let corpus: CorpusBox, choice: PipelineChoice, target: Retriever.Target }
