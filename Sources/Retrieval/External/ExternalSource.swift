internal import SearchIndexes
public import System

/// A collection of a server as pipelines search it: vectors there, texts from what was pushed, no words.
///
/// ```swift
/// let source = try ExternalSource(server, collection: "manuals", embedder: embedder)
/// let record = try PipelineRun(definition, over: source)("what torque do the dome bolts need?")
/// ```
/// Nothing of the server is changed, and nothing of the workspace is read.
public struct ExternalSource: RetrievalSource {
    public let corpus: String
    /// Number of rows when the source was opened.
    public let chunkCount: Int
    public let collection: VectorCollection

    private let server: any VectorServer
    private let embedder: any Embedder

    /// - Parameter embedder: Embedder that created the vectors.
    /// - Throws: `Problem` if the collection does not exist, or the embedder has another dimension or
    ///   is known to be a different one.
    public init(
        _ server: any VectorServer, collection name: String, embedder: any Embedder
    ) throws(Problem) {
        guard let found = try server.described(name) else {
            let others = try server.collections().prefix(8).map(\.name)
            throw Problem(
                .unknown, server.name, "unknown collection \"\(name)\"",
                remedy: others.isEmpty
                    ? "Create one with corpus push." : "Available collections: \(others.joined(separator: ", ")).")
        }
        guard found.dimension == embedder.dimension, found.origin == nil || found.origin?.digest == embedder.digest
        else {
            throw Problem(
                .invalid, server.name,
                "the \(found.dimension)-dimensional vectors in \(name) come from "
                    + "\(found.origin?.embedder ?? "another embedder"), not from \(embedder.name)",
                remedy: "Embed queries with the embedder of the vectors.")
        }
        self.server = server
        self.embedder = embedder
        collection = found
        corpus = "\(name) at \(server.name)"
        chunkCount = try server.count(found)
    }

    // MARK: Chunks

    public func chunks(_ ids: [Int64]) throws(Problem) -> [ChunkContent] {
        try server.rows(ids, in: collection, withVectors: false).map(\.content)
    }

    public func chunks(ofDocument document: String) throws(Problem) -> [Int64] {
        try server.labels(ofDocument: document, in: collection)
    }

    public func metadata(ofChunk chunk: Int64) throws(Problem) -> [Stage.Parameter] {
        guard let row = try server.rows([chunk], in: collection, withVectors: false).first else { return [] }
        return [Stage.Parameter("doc.id", row.document), Stage.Parameter("doc.title", row.title)].filter {
            !$0.value.isEmpty
        }
    }

    // MARK: Words

    public var isLexical: Bool { false }

    public func searchLexically(
        _ request: LexicalRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        throw Problem(.invalid, corpus, "a vector server cannot search by words", remedy: "Disable [lexical].")
    }

    public func explainLexically(_ chunk: Int64, _ request: LexicalRequest) throws(Problem) -> LexicalFinding {
        LexicalFinding(score: 0, terms: [])
    }

    // MARK: Vectors

    public var spaces: [DenseSpace] {
        [
            DenseSpace(
                name: collection.origin?.embedder ?? embedder.name, dimension: collection.dimension,
                metric: collection.metric, index: "hnsw", count: chunkCount)
        ]
    }

    public func embed(
        _ texts: [String], as role: EmbeddingRole, space: String?, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [[Float]] {
        try check(space)
        return try embedder.vectors(of: texts, as: role, isCancelled: isCancelled)
    }

    public func searchDensely(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        try search(request, isExact: false, isCancelled)
    }

    public func searchExactly(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        try search(request, isExact: true, isCancelled)
    }

    private func search(
        _ request: DenseRequest, isExact: Bool, _ isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits {
        try check(request.space)
        if let filter = request.filter { throw unfiltered(filter.expression) }
        if isCancelled() { throw .cancelled(corpus) }
        let found = try server.search(
            collection, request.vector, k: min(request.k, chunkCount), effort: request.effort, isExact: isExact,
            isCancelled: isCancelled)
        var parameters = [
            Stage.Parameter("server", server.name), Stage.Parameter("metric", collection.metric.rawValue),
        ]
        if isExact { parameters.append(Stage.Parameter("search", "exact")) }
        if !isExact, let effort = request.effort { parameters.append(Stage.Parameter("ef", "\(effort)")) }
        return ChunkHits(
            found.map { ChunkHit(chunk: $0.label, score: collection.metric.score($0.distance)) }, parameters: parameters
        )
    }

    public func vectors(of ids: [Int64], space: String?) throws(Problem) -> [[Float]?] {
        try check(space)
        let rows = try server.rows(ids, in: collection, withVectors: true)
        let vectors = Dictionary(rows.map { ($0.label, $0.vector) }) { one, _ in one }
        return ids.map { vectors[$0] }
    }

    private func check(_ space: String?) throws(Problem) {
        guard self.space(space) == nil else { return }
        throw Problem(
            .missing, corpus, "no vectors from \(space ?? "")",
            remedy: "Available embedders: \(spaces.map(\.name).joined(separator: ", ")).")
    }

    // MARK: Filters

    public func resolve(filter expression: String) throws(Problem) -> ChunkFilter {
        throw unfiltered(expression)
    }

    public func exclusions(
        of chunk: Int64, by expression: String
    ) throws(Problem) -> [FilterExclusion] {
        throw unfiltered(expression)
    }

    private func unfiltered(_ expression: String) -> Problem {
        Problem(
            .invalid, corpus, "the filter \(expression) needs metadata, which is not pushed to servers",
            remedy: "Remove the filter, or search the corpus in the workspace.")
    }
}
