internal import Kernels

/// Looks at every vector: exact, and the truth that other indexes are measured by.
///
/// ```swift
/// let truth = FlatIndex(rows)
/// let nearest = try truth.search(query, VectorRequest(k: 10))
/// ```
public final class FlatIndex: VectorIndex, @unchecked Sendable {  // nothing of its own changes
    public static let kind = "flat"

    /// Vectors of the index.
    public let rows: VectorRows

    public init(_ rows: VectorRows) { self.rows = rows }

    /// Reports progress and builds nothing: every row of ``rows`` is searched.
    public func add(slots: Range<Int>, threads: Int = 1, progress: (Int) -> Bool = { _ in true }) throws(SegmentError) {
        _ = progress(slots.count)
    }

    /// Does nothing: searches skip removed rows.
    public func repair(removed slots: [Int]) throws(SegmentError) {}
    /// Writes nothing: the index has only its rows.
    public func save(to store: inout some SegmentStore) throws(SegmentError) {}

    /// Returns the exact nearest vectors. O(vectors · dimension), or of the allowed ones.
    public func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        let prepared = UnsafeMutablePointer<Float>.allocate(capacity: rows.dimension)
        defer { prepared.deallocate() }
        try rows.prepare(query, into: prepared)
        return scan(prepared, k: request.k, allowed: request.allowed)
    }

    /// Returns the exact nearest vectors of each of several queries, one after the other in memory: `[count,
    /// dimension]`.
    ///
    /// From eight queries on, and where no slots are excluded one by one, all are multiplied with blocks of rows at
    /// once and only what may be among the nearest is computed again; the answers are the same to the bit.
    public func search(
        _ queries: UnsafePointer<Float>, count: Int, _ request: VectorRequest
    ) throws(SegmentError) -> [[Neighbor]] {
        let dimension = rows.dimension
        let prepared = UnsafeMutablePointer<Float>.allocate(capacity: max(count, 1) * dimension)
        defer { prepared.deallocate() }
        for query in 0..<count {
            try rows.prepare(queries + query * dimension, into: prepared + query * dimension)
        }
        let few = request.allowed.map { $0.count * 4 < rows.count } ?? false
        guard count >= 8, request.k <= 1024, rows.liveCount > 4 * request.k, !few else {
            return (0..<count).map { scan(prepared + $0 * dimension, k: request.k, allowed: request.allowed) }
        }
        var all: [[Neighbor]] = []
        for first in stride(from: 0, to: count, by: BatchedScan.mostQueries) {
            let some = min(BatchedScan.mostQueries, count - first)
            let batch = BatchedScan(rows, prepared + first * dimension, count: some, request)
            if let found = batch.neighbors() {
                all += found
            } else {
                all += (first..<first + some).map {
                    scan(prepared + $0 * dimension, k: request.k, allowed: request.allowed)
                }
            }
        }
        return all
    }

    /// Rows of a block: their distances stay in the first-level cache.
    private static let block = 1024

    /// Returns the nearest of all rows to a prepared query.
    func scan(_ query: UnsafePointer<Float>, k: Int, allowed: SlotSet?) -> [Neighbor] {
        guard k > 0, rows.count > 0 else { return [] }
        if let allowed { return scan(query, k: k, only: allowed) }
        var top = TopNeighbors(k: min(k, rows.count))
        let labels = rows.labels
        let removed = rows.removed
        let anyRemoved = removed.count > 0
        let distances = UnsafeMutablePointer<Float>.allocate(capacity: Self.block)
        let positions = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.block + 1)
        defer {
            distances.deallocate()
            positions.deallocate()
        }
        for first in stride(from: 0, to: rows.count, by: Self.block) {
            let count = min(Self.block, rows.count - first)
            rows.distances(to: query, from: first, count: count, into: distances)
            let near = NearPositions.find(in: distances, count: count, below: top.bound.nextUp, into: positions)
            for position in UnsafeBufferPointer(start: positions, count: near) {
                let slot = first + Int(position)
                if anyRemoved, removed.contains(slot) { continue }
                top.insert(labels[slot], distances[Int(position)])
            }
        }
        return top.sorted
    }

    /// Returns the nearest of the allowed rows.
    private func scan(_ query: UnsafePointer<Float>, k: Int, only allowed: SlotSet) -> [Neighbor] {
        let slots = UnsafeMutablePointer<UInt32>.allocate(capacity: Self.block)
        let distances = UnsafeMutablePointer<Float>.allocate(capacity: Self.block)
        defer {
            slots.deallocate()
            distances.deallocate()
        }
        var top = TopNeighbors(k: min(k, rows.count))
        let labels = rows.labels
        let removed = rows.removed
        let last = rows.count
        var count = 0
        func take() {
            rows.distances(to: query, slots: slots, count: count, into: distances)
            for at in 0..<count where distances[at] <= top.bound { top.insert(labels[Int(slots[at])], distances[at]) }
            count = 0
        }
        allowed.forEach { slot in
            guard slot < last, !removed.contains(slot) else { return }
            slots[count] = UInt32(slot)
            count += 1
            if count == Self.block { take() }
        }
        if count > 0 { take() }
        return top.sorted
    }
}

extension FlatIndex: VectorIndexKind {
    package static var effort: SearchEffort { .exact }

    package static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> FlatIndex {
        FlatIndex(rows)
    }

    package static func open(from store: some SegmentStore) throws(SegmentError) -> FlatIndex {
        FlatIndex(try VectorRows(from: store))
    }
}
