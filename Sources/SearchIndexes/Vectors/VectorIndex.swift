/// Something that finds the nearest of many vectors.
///
/// The vectors are in ``rows``, which several indexes may share; an index stores only its own data. Adding
/// goes through ``VectorRows/append(_:label:)`` first, then through the index.
public protocol VectorIndex: AnyObject, Sendable {
    /// Name in files and commands, such as `hnsw`.
    static var kind: String { get }

    var rows: VectorRows { get }

    /// Brings vectors into the index: slots that it does not know yet, in the order of `slots`.
    ///
    /// - Parameters:
    ///   - threads: How many may work at once.
    ///   - progress: Called now and then with how many are done; false ends the work, what was done stays.
    func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError)

    /// Repairs the index after vectors were removed from ``rows``.
    func repair(removed slots: [Int]) throws(SegmentError)

    /// Returns the `request.k` nearest vectors, nearest first, removed ones never.
    func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor]

    /// Writes what changed since the index was read or written last.
    func save(to store: inout some SegmentStore) throws(SegmentError)

    /// How the costs of filtered searches are estimated.
    var costs: FilterPlanner.Target { get }

    /// Returns the effort of a search that does not specify one; `nil` if searches have no effort.
    func defaultEffort(k: Int) -> Int?
}

extension VectorIndex {
    /// Costs of a filtered search: those of comparing every vector.
    public var costs: FilterPlanner.Target { .scan }

    /// Returns `nil`: searches have no effort.
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
