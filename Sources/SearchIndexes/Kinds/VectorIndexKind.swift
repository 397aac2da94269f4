/// A vector index that a ``VectorIndexTable`` can offer: how to describe, build, open, and search it by name.
///
/// Everything that depends on the kind of an index is declared here, next to the index. To add an index, conform it to
/// this protocol in one file and add it to a table; `FlatIndex` is the smallest example.
package protocol VectorIndexKind: VectorIndex {
    /// Parameters for building the index, in the order in which they are listed.
    static var parameters: [IndexParameter] { get }

    /// Meaning of `VectorRequest.effort` for the index.
    static var effort: SearchEffort { get }

    /// Whether the index ranks by compressed codes, so that rescoring more candidates can find more.
    static var isCompressed: Bool { get }

    /// Whether ``VectorIndex/save(to:)`` writes the vectors, too. The owner of an index saves its rows otherwise.
    static var savesRows: Bool { get }

    /// Returns an index over vectors that it does not contain yet; ``VectorIndex/add(slots:threads:progress:)`` adds
    /// them.
    static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> Self

    /// Reads an index with its vectors.
    ///
    /// - Throws: `SegmentError` if a segment is missing or corrupt.
    static func open(from store: some SegmentStore) throws(SegmentError) -> Self

    /// Reads an index whose searches fetch nodes from the store; `nil` if the index is always searched in memory.
    static func openStored(from store: some SegmentStore) throws(SegmentError) -> (any StoredIndex)?
}

extension VectorIndexKind {
    package static var parameters: [IndexParameter] { [] }
    package static var isCompressed: Bool { false }
    package static var savesRows: Bool { false }
    package static func openStored(from store: some SegmentStore) throws(SegmentError) -> (any StoredIndex)? { nil }
}

/// Meaning of `VectorRequest.effort` for a kind of index.
package enum SearchEffort: Hashable, Sendable {
    /// The search compares every vector and is exact.
    case exact
    /// The search compares the code of every vector and ignores the effort.
    case ignored
    /// Number of candidates that a walk keeps.
    case candidates
    /// Number of lists, or of buckets per table, that are searched.
    case lists

    /// Pipeline key for the effort; `nil` if the search is exact.
    package var key: String? {
        switch self {
        case .exact: nil
        case .ignored, .candidates: "ef"
        case .lists: "nprobe"
        }
    }
}

/// A kind of index that can use the graph of an index file of another program instead of building its own.
package protocol GraphImporting: VectorIndexKind {
    /// Returns an index over vectors with links that another program made.
    static func build(
        _ rows: VectorRows, adopting graph: ImportedGraph, _ values: IndexValues
    ) throws(SegmentError) -> Self
}

/// A saved index that is searched where it is stored: a picture of the index at one moment.
package protocol StoredIndex: Sendable {
    var metric: Metric { get }
    var dimension: Int { get }
    /// Slots in use, including those of removed vectors.
    var count: Int { get }
    /// Number of vectors that can be found.
    var liveCount: Int { get }
    /// Removed slots.
    var removed: SlotSet { get }
    /// The label of each slot.
    var labels: [Int64] { get }

    /// Returns the `request.k` nearest vectors, nearest first. With an effort of ``count``, the search is exact.
    func search(
        _ query: UnsafePointer<Float>, _ request: VectorRequest, in store: borrowing some SegmentStore
    ) throws(SegmentError) -> [Neighbor]

    /// Returns the vector in a slot: `[dimension]`.
    func vector(in slot: Int, of store: borrowing some SegmentStore) throws(SegmentError) -> [Float]

    /// Returns the effort of a search that does not specify one; `nil` if searches have no effort.
    func defaultEffort(k: Int) -> Int?
}
