/// A code of a few bytes for each vector, all of them scanned; the best are ranked again by their vectors.
///
/// ```swift
/// let index = try PQIndex(rows, parts: 16)
/// try index.add(slots: 0..<rows.count, threads: 2) { _ in true }
/// let nearest = try index.search(query, VectorRequest(k: 10, reranked: 200))
/// ```
public final class PQIndex: VectorIndex {
    public static let kind = "pq"
    public var rows: VectorRows { file.rows }
    /// Candidates that are ranked again where a search does not say how many.
    public static let defaultReranked = 100
    let file: InvertedFile

    /// - Parameters:
    ///   - parts: Bytes of a code; `nil` takes one for 8 dimensions.
    ///   - seed: Of the choices in training.
    /// - Throws: `SegmentError` for more parts than dimensions.
    public init(_ rows: VectorRows, parts: Int? = nil, seed: UInt64 = 1234) throws(SegmentError) {
        let parts = parts ?? max(1, rows.dimension / 8)
        try ProductQuantizer.check(dimension: rows.dimension, parts: parts)
        file = InvertedFile(rows, InvertedFile.Choices(parts: parts, isSingle: true, seed: seed), isCoded: true)
    }

    /// Reads what ``save(to:)`` wrote.
    ///
    /// - Throws: `SegmentError` where segments are missing, damaged, or do not fit the vectors.
    public init(_ rows: VectorRows, from store: some SegmentStore) throws(SegmentError) {
        file = try InvertedFile(rows, from: store, part: Self.kind, isCoded: true)
        guard file.choices.isSingle else {
            throw SegmentError(Self.kind, problem: "the segments belong to an inverted file")
        }
    }

    /// Bytes of a code.
    public var parts: Int { file.choices.parts }

    /// Learns the codes again: for vectors that have changed their ways.
    public func rebuild(threads: Int, progress: (Int) -> Bool = { _ in true }) throws(SegmentError) {
        try file.train(threads: threads)
        try add(slots: 0..<rows.count, threads: threads, progress: progress)
    }

    public func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        try file.add(slots: slots, threads: threads, progress: progress)
    }

    public func repair(removed slots: [Int]) throws(SegmentError) { file.repair(removed: slots) }

    public func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        try file.search(query, request, probes: 1, reranked: request.reranked ?? Self.defaultReranked)
    }

    public func save(to store: inout some SegmentStore) throws(SegmentError) {
        try file.save(to: &store, part: Self.kind)
    }
}

extension PQIndex: VectorIndexKind {
    package static var parameters: [IndexParameter] { [.parts] }
    package static var effort: SearchEffort { .ignored }
    package static var isCompressed: Bool { true }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> PQIndex {
        try PQIndex(rows, parts: values[integer: "parts"])
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> PQIndex {
        try PQIndex(VectorRows(from: store), from: store)
    }
}
