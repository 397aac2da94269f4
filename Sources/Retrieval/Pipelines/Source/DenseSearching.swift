public import SearchIndexes
public import System

/// Finds chunks by their vectors.
public protocol DenseSearching: Sendable {
    /// Available vector spaces, the default first; empty if nothing is embedded.
    var spaces: [DenseSpace] { get }

    /// One vector for each text, by the embedder of a space.
    ///
    /// - Parameter space: Name of the vector space; `nil` uses the first.
    /// - Throws: `Problem`, for example if there is no such space.
    func embed(
        _ texts: [String], as role: EmbeddingRole, space: String?, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> [[Float]]

    /// About the `request.k` nearest chunks, by the index of the space.
    func searchDensely(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits

    /// The `request.k` nearest chunks, every vector compared.
    func searchExactly(
        _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits

    /// Returns the exact rank of a chunk among all chunks that the request allows; `nil` if it has no vector
    /// in the space, or the filter excludes it.
    func placeExactly(
        of chunk: Int64, _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkPlace?

    /// Returns the vectors of chunks in a space, in the order of `ids`; `nil` for those that have none.
    func vectors(of ids: [Int64], space: String?) throws(Problem) -> [[Float]?]
}

/// An embedding of a corpus, and the index over it.
public struct DenseSpace: Hashable, Sendable {
    /// Name of the embedder, such as `all-MiniLM-L6-v2`.
    public var name: String
    public var dimension: Int
    public var metric: Metric
    /// The index that is searched: `hnsw`, `flat`, `ivf`, ...
    public var index: String
    /// Number of chunks with a vector in the space.
    public var count: Int
    /// Pipeline key that raises the effort of the index; `nil` if the index compares every vector.
    public let effortKey: String?
    /// Whether the index ranks vectors by compressed codes, so that rescoring more candidates can improve recall.
    public let isCompressed: Bool

    /// Creates the description of a space.
    ///
    /// - Parameter table: Kinds of index. An index that the table does not contain is assumed to be a graph.
    public init(
        name: String, dimension: Int, metric: Metric, index: String, count: Int,
        among table: VectorIndexTable = .standard
    ) {
        let kind = table[index]
        effortKey = (kind?.effort ?? .candidates).key
        isCompressed = kind?.isCompressed ?? false
        self.name = name
        self.dimension = dimension
        self.metric = metric
        self.index = index
        self.count = count
    }
}

/// A question to a vector index.
public struct DenseRequest: Sendable {
    /// Nil takes the first of ``DenseSearching/spaces``.
    public var space: String?
    public var vector: [Float]
    public var k: Int
    /// Search effort: number of candidates (graphs) or lists (inverted files) (default: set by the index).
    public var effort: Int?
    /// Candidates that are ranked again by full vectors, for indexes of codes. `nil` takes the index's own.
    public var reranked: Int?
    public var filter: ChunkFilter?

    public init(
        space: String? = nil, vector: [Float], k: Int, effort: Int? = nil, reranked: Int? = nil,
        filter: ChunkFilter? = nil
    ) {
        self.space = space
        self.vector = vector
        self.k = k
        self.effort = effort
        self.reranked = reranked
        self.filter = filter
    }
}

extension DenseSearching {
    /// Returns the space with a name; `nil` if there is no such space.
    public func space(_ name: String?) -> DenseSpace? {
        guard let name, !name.isEmpty else { return spaces.first }
        return spaces.first { $0.name == name }
    }

    /// By exact searches that look deeper and deeper.
    public func placeExactly(
        of chunk: Int64, _ request: DenseRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkPlace? {
        var deeper = request
        deeper.k = max(request.k, 256)
        while true {
            let hits = try searchExactly(deeper, isCancelled: isCancelled).hits
            if let index = hits.firstIndex(where: { $0.chunk == chunk }) {
                return ChunkPlace(rank: index + 1, score: hits[index].score)
            }
            if hits.count < deeper.k { return nil }
            deeper.k = deeper.k.multipliedReportingOverflow(by: 8).partialValue
            if deeper.k <= 0 { return nil }
        }
    }
}
