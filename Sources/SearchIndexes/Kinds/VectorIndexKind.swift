/// A vector index that programs can build, open, and search by name.
///
/// A conforming type declares everything that depends on the kind of index. To add an index, implement it in one file and
/// list it in ``VectorIndexTable/standard``; `FlatIndex` is the smallest example.
package protocol VectorIndexKind: VectorIndex {
    /// Parameters for building the index, in the order of help and errors.
    static var parameters: [IndexParameter] { get }

    /// Unit of ``VectorRequest/effort`` for the index.
    static var effort: SearchEffort { get }

    /// Whether the index ranks vectors by compressed codes, so that rescoring more candidates can improve recall.
    static var isCompressed: Bool { get }

    /// Whether ``VectorIndex/save(to:)`` also writes the vectors. If not, the owner of the index must save its rows.
    static var savesRows: Bool { get }

    /// Returns an empty index over `rows`. ``VectorIndex/add(slots:threads:progress:)`` then adds the vectors.
    ///
    /// - Parameter values: Parameter values, already checked against ``parameters``.
    static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> Self

    /// Opens a saved index with its vectors, in memory.
    ///
    /// - Throws: `SegmentError` if a segment is missing or corrupt.
    static func open(from store: some SegmentStore) throws(SegmentError) -> Self

    /// Opens a saved index whose searches read nodes from the store; `nil` if the index can only be searched in memory.
    ///
    /// - Throws: `SegmentError` if a segment is missing or corrupt.
    static func openStored(from store: some SegmentStore) throws(SegmentError) -> (any StoredIndex)?
}

extension VectorIndexKind {
    package static var parameters: [IndexParameter] { [] }
    package static var isCompressed: Bool { false }
    package static var savesRows: Bool { false }
    package static func openStored(from store: some SegmentStore) throws(SegmentError) -> (any StoredIndex)? { nil }
}

/// The unit of ``VectorRequest/effort`` for a kind of index.
package enum SearchEffort: Hashable, Sendable {
    /// The search compares every vector and is exact.
    case exact
    /// The search compares the code of every vector, and the effort has no effect.
    case ignored
    /// Number of candidates that a graph search holds.
    case candidates
    /// Number of inverted lists to search, or of buckets per hash table.
    case lists

    /// Pipeline key for the effort: `ef` or `nprobe`; `nil` if the search is exact.
    package var key: String? {
        switch self {
        case .exact: nil
        case .ignored, .candidates: "ef"
        case .lists: "nprobe"
        }
    }
}

/// A kind of index that can adopt the graph in another program's index file instead of building one.
package protocol GraphImporting: VectorIndexKind {
    /// Returns an index over `rows` with the links of an imported graph.
    ///
    /// - Parameter graph: Graph with one node per row.
    static func build(
        _ rows: VectorRows, adopting graph: ImportedGraph, _ values: IndexValues
    ) throws(SegmentError) -> Self
}

/// A snapshot of a saved index that is searched in its store instead of in memory.
package protocol StoredIndex: Sendable {
    /// Metric of the distances.
    var metric: Metric { get }
    /// Number of elements of a vector.
    var dimension: Int { get }
    /// Number of slots in use, including those of removed vectors.
    var count: Int { get }
    /// Number of vectors, excluding removed ones.
    var liveCount: Int { get }
    /// Slots whose vectors were removed.
    var removed: SlotSet { get }
    /// Labels of the slots, including those of removed vectors.
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
