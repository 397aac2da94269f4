/// An index that finds the nearest vectors of a query.
///
/// The vectors are in ``rows``, which several indexes can share; an index stores only its own data. To add a vector,
/// append it to the rows with ``VectorRows/append(_:label:)``, then add its slot to the index.
public protocol VectorIndex: AnyObject, Sendable {
    /// Name in files and commands, such as `hnsw`.
    static var kind: String { get }

    /// Vectors of the index.
    var rows: VectorRows { get }

    /// Adds the vectors in slots that the index does not contain.
    ///
    /// - Parameters:
    ///   - slots: Slots of ``rows``, added in order.
    ///   - threads: Maximum number of threads.
    ///   - progress: Receives the number of slots added so far. Return `false` to stop; slots already added remain.
    func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError)

    /// Repairs the index after vectors were removed from ``rows``.
    func repair(removed slots: [Int]) throws(SegmentError)

    /// Returns the `request.k` nearest vectors, nearest first, without removed ones.
    func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor]

    /// Writes the segments that have changed since the index was last read or written.
    func save(to store: inout some SegmentStore) throws(SegmentError)

    /// Structure of the index, from which ``FilterPlanner`` estimates the cost of a filtered search.
    var costModel: FilterPlanner.Target { get }

    /// Returns the effort of a search that does not specify one; `nil` if searches have no effort.
    func defaultEffort(k: Int) -> Int?
}

extension VectorIndex {
    /// Default: a filtered search compares every vector.
    public var costModel: FilterPlanner.Target { .scan }

    /// Returns `nil`, for searches without effort.
    public func defaultEffort(k: Int) -> Int? { nil }
}

/// A request to a vector index.
public struct VectorRequest: Sendable {
    /// Number of results.
    public var k: Int
    /// Search effort: number of candidates (graphs) or lists (inverted files). `nil` takes the index's
    /// own.
    public var effort: Int?
    /// Candidates that are ranked again by their full vectors, for indexes of codes. `nil` takes the index's own.
    public var reranked: Int?
    /// Only these slots may be found; `nil` allows all.
    public var allowed: SlotSet?

    public init(k: Int, effort: Int? = nil, reranked: Int? = nil, allowed: SlotSet? = nil) {
        self.k = k
        self.effort = effort
        self.reranked = reranked
        self.allowed = allowed
    }
}
