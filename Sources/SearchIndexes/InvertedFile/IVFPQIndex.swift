/// Codes of a few bytes in lists around centers: the smallest index, exact again where the best are ranked by vectors.
///
/// A code stands for what its list's center leaves of a vector. `effort` is the number of lists that a search looks
/// into, `reranked` how many of the best by their codes are ranked again by their vectors; 0 leaves them as they are.
///
/// ```swift
/// let index = try IVFPQIndex(rows, parts: 16)
/// try index.add(slots: 0..<rows.count, threads: 2) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, effort: 32, reranked: 100))
/// ```
public final class IVFPQIndex: VectorIndex {
    public static let kind = "ivf-pq"
    public var rows: VectorRows { file.rows }
    /// Lists that a search looks into where it does not say how many.
    public static let defaultProbes = 32
    /// Candidates that are ranked again where a search does not say how many.
    public static let defaultReranked = 100
    let file: InvertedFile

    /// - Parameters:
    ///   - lists: How many; `nil` takes 2^round(log₂(4 √n)) for n vectors.
    ///   - parts: Bytes of a code; `nil` takes one for 8 dimensions.
    ///   - seed: Of the choices in training.
    /// - Throws: `SegmentError` for more parts than dimensions.
    public init(_ rows: VectorRows, lists: Int? = nil, parts: Int? = nil, seed: UInt64 = 1234) throws(SegmentError) {
        let parts = parts ?? max(1, rows.dimension / 8)
        try ProductQuantizer.check(dimension: rows.dimension, parts: parts)
        file = InvertedFile(rows, InvertedFile.Choices(lists: lists, parts: parts, seed: seed), isCoded: true)
    }

    /// Reads what ``save(to:)`` wrote.
    ///
    /// - Throws: `SegmentError` where segments are missing, damaged, or do not fit the vectors.
    public init(_ rows: VectorRows, from store: some SegmentStore) throws(SegmentError) {
        file = try InvertedFile(rows, from: store, part: Self.kind, isCoded: true)
    }

    /// Number of lists; 0 before the first vectors are added.
    public var listCount: Int { file.listCount }

    /// Vectors in each list.
    public var listSizes: [Int] { file.listSizes }

    /// Bytes of a code.
    public var parts: Int { file.choices.parts }

    /// Learns lists and codes again and fills them: for vectors that have changed their ways.
    public func rebuild(threads: Int, progress: (Int) -> Bool = { _ in true }) throws(SegmentError) {
        try file.train(threads: threads)
        try add(slots: 0..<rows.count, threads: threads, progress: progress)
    }

    public func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        try file.add(slots: slots, threads: threads, progress: progress)
    }

    public func repair(removed slots: [Int]) throws(SegmentError) { file.repair(removed: slots) }

    public func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        try file.search(
            query, request, probes: request.effort ?? Self.defaultProbes,
            reranked: request.reranked ?? Self.defaultReranked)
    }

    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        try file.save(to: &store, part: Self.kind)
    }
}

extension IVFPQIndex: VectorIndexKind {
    package static var parameters: [IndexParameter] { [.lists, .parts] }
    package static var effort: SearchEffort { .lists }
    package static var isCompressed: Bool { true }
    /// An inverted file: a filtered search reads more lists.
    public var costModel: FilterPlanner.Target { .lists(listCount) }
    /// Returns ``defaultProbes``, the number of lists to search.
    public func defaultEffort(k: Int) -> Int? { Self.defaultProbes }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> IVFPQIndex {
        try IVFPQIndex(rows, lists: values[integer: "lists"], parts: values[integer: "parts"])
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> IVFPQIndex {
        try IVFPQIndex(VectorRows(from: store), from: store)
    }
}
