public import System

/// Finds documents that another system recorded among the corpora of a workspace.
public struct CorpusMatcher: PassageMatching {
    private let retriever: Retriever
    private let corpora: [Corpus]

    /// - Parameter corpus: The only one that is looked at; `nil` looks at all.
    public init(_ retriever: Retriever, corpus: Corpus? = nil) throws {
        self.retriever = retriever
        corpora = try corpus.map { [$0] } ?? retriever.store.corpora()
    }

    public func match(
        id: String?, source: String?, text: String?
    ) throws(Problem) -> (chunk: ChunkContent, by: Passage.Match)? {
        for corpus in corpora {
            do {
                let snapshot = try retriever.source(of: corpus)
                if let id, let found = try chunk(of: id, text, in: snapshot) { return (found, .id) }
                if let source, let found = try chunk(from: source, text, of: corpus, in: snapshot) {
                    return (found, .source)
                }
                if let text, let found = try chunk(saying: text, in: snapshot) { return (found, .text) }
            } catch { throw Problem(error, in: corpus.name) }
        }
        return nil
    }

    /// Returns the chunk of a document, by its id, that contains the recorded text, or the first chunk of the document.
    private func chunk(
        of document: String, _ text: String?, in source: CorpusSnapshot
    ) throws(Problem) -> ChunkContent? {
        let chunks = try source.chunks(source.chunks(ofDocument: document))
        return chunks.first { chunk in text.map { Self.says(chunk.text, $0) } ?? false } ?? chunks.first
    }

    /// Of a document by the end of its path.
    private func chunk(
        from path: String, _ text: String?, of corpus: Corpus, in source: CorpusSnapshot
    ) throws -> ChunkContent? {
        let name = path.split(separator: "/").last.map(String.init) ?? path
        for candidate in [path, name] {
            if let found = try chunk(of: candidate, text, in: source) { return found }
        }
        return nil
    }

    /// Returns the chunk that holds the recorded text, or that the recorded text holds: looked for by its words.
    private func chunk(saying text: String, in source: CorpusSnapshot) throws(Problem) -> ChunkContent? {
        guard source.isLexical, text.utf8.count >= 24 else { return nil }
        let words = text.split(whereSeparator: \.isWhitespace).prefix(24).joined(separator: " ")
        let request = LexicalRequest(query: words, k: 5, phrases: .ignored)
        let hits = try source.searchLexically(request, isCancelled: { false }).hits
        return try source.chunks(hits.map(\.chunk)).first { Self.says($0.text, text) }
    }

    private static func says(_ chunk: String, _ recorded: String) -> Bool {
        let (one, other) = (flattened(chunk), flattened(recorded))
        guard !one.isEmpty, !other.isEmpty else { return false }
        return one.contains(other) || one.utf8.count >= 24 && other.contains(one)
            || other.utf8.count >= 80 && one.contains(other.prefix(80))
    }

    private static func flattened(_ text: String) -> String {
        text.split(whereSeparator: \.isWhitespace).joined(separator: " ")
    }
}
