internal import GRDB
internal import SearchIndexes
internal import System
internal import Workspace

/// The embedder that learns from a corpus itself: fitted once, kept with the space.
enum HashedSpace {
    /// The part of a space's segments that holds the embedder.
    static let part = "hashed"
    /// Maximum number of chunks to learn from.
    static let mostTexts = 200_000

    /// Learns from the chunks of a corpus, spread evenly over it where there are many.
    static func fit(
        _ store: CorpusStore, corpus: Int64, dimension: Int, isCancelled: () -> Bool,
        progress: (EmbedProgress) throws -> Void
    ) throws -> HashedEmbedder {
        let needs = EmbeddingNeeds(store.workspace, corpus: corpus)
        let all = try needs.pending { _ in false }
        let step = max(1, (all.count + mostTexts - 1) / mostTexts)
        let some = stride(from: 0, to: all.count, by: step).map { all[$0] }
        var fit = HashedEmbedderFit(dimension: dimension)
        for start in stride(from: 0, to: some.count, by: 512) {
            if isCancelled() { throw CancellationError() }
            fit.add(try needs.needs(some[start..<min(some.count, start + 512)]).map(\.text))
            try progress(EmbedProgress(phase: .learning, done: min(some.count, start + 512), total: some.count))
        }
        do throws(Problem) {
            return try fit.finish(isCancelled: isCancelled)
        } catch {
            if isCancelled() { throw CancellationError() }
            throw error
        }
    }

    /// Returns the embedder stored with a space; `nil` if the space has no embedder of its own.
    static func embedder(_ workspace: Workspace, space: Int64) throws -> HashedEmbedder? {
        let segments = try LiveSegments(workspace, index: space)
        guard try !segments.keys(of: part).isEmpty else { return nil }
        return try HashedEmbedder(from: segments)
    }
}
