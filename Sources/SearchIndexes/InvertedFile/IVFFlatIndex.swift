/// Whole vectors in lists around centers: a search looks into the lists whose centers are nearest.
///
/// Lists are learned from the vectors that are there when the first are added, and again where there are four times as
/// many. `effort` is the number of lists that a search looks into.
///
/// ```swift
/// let index = IVFFlatIndex(rows)
/// try index.add(slots: 0..<rows.count, threads: 2) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, effort: 16))
/// ```
public final class IVFFlatIndex: VectorIndex {
    public static let kind = "ivf"
    public var rows: VectorRows { file.rows }
    /// Lists that a search looks into where it does not say how many.
    public static let defaultProbes = 16
    let file: InvertedFile

    /// - Parameters:
    ///   - lists: How many; `nil` takes 2^round(log₂(4 √n)) for n vectors.
    ///   - seed: Of the choices in training.
    public init(_ rows: VectorRows, lists: Int? = nil, seed: UInt64 = 1234) {
        file = InvertedFile(rows, InvertedFile.Choices(lists: lists, seed: seed), isCoded: false)
    }

    /// Reads what ``save(to:)`` wrote.
    ///
    /// - Throws: `SegmentError` where segments are missing, damaged, or do not fit the vectors.
    public init(_ rows: VectorRows, from store: some SegmentStore) throws(SegmentError) {
        file = try InvertedFile(rows, from: store, part: Self.kind, isCoded: false)
    }

    /// Number of lists; 0 before the first vectors are added.
    public var listCount: Int { file.listCount }

    /// Vectors in each list.
    public var listSizes: [Int] { file.listSizes }

    /// Learns the lists again and fills them: for vectors that have changed their ways.
    public func rebuild(threads: Int, progress: (Int) -> Bool = { _ in true }) throws(SegmentError) {
        try file.train(threads: threads)
        try add(slots: 0..<rows.count, threads: threads, progress: progress)
    }

    public func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        try file.add(slots: slots, threads: threads, progress: progress)
    }

    public func repair(removed slots: [Int]) throws(SegmentError) { file.repair(removed: slots) }

    public func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        try file.search(query, request, probes: request.effort ?? Self.defaultProbes, reranked: 0)
    }

    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        try file.save(to: &store, part: Self.kind)
    }
}

extension IVFFlatIndex: VectorIndexKind {
    package static var parameters: [IndexParameter] { [.lists] }
    package static var effort: SearchEffort { .lists }
    /// An inverted file: a filtered search reads more lists.
    public var costModel: FilterPlanner.Target { .lists(listCount) }
    /// Returns ``defaultProbes``, the number of lists to search.
    public func defaultEffort(k: Int) -> Int? { Self.defaultProbes }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> IVFFlatIndex {
        IVFFlatIndex(rows, lists: values[integer: "lists"])
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> IVFFlatIndex {
        try IVFFlatIndex(VectorRows(from: store), from: store)
    }
}

extension IndexParameter {
    /// Number of inverted lists.
    static let lists = IndexParameter("lists", help: "number of lists (default: 4 times the square root of the count)")
    /// Number of subquantizers.
    static let parts = IndexParameter("parts", help: "bytes per code (default: one per 8 dimensions)")
}
