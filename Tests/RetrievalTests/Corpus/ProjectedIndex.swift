import SearchIndexes
import Synchronization

/// Compares random projections of all vectors, then ranks the best candidates by their full vectors.
///
/// No module of the program contains this index: adding it to a table is enough to use it everywhere.
final class ProjectedIndex: VectorIndexKind {
    static let kind = "projected"
    static let part = "projected"
    static var parameters: [IndexParameter] {
        [IndexParameter("width", 1...64, default: 8, help: "dimensions of the projection")]
    }
    static var effort: SearchEffort { .candidates }
    static var isCompressed: Bool { true }

    let rows: VectorRows
    let width: Int
    private let projections = Mutex<[Float]>([])

    init(_ rows: VectorRows, width: Int) {
        (self.rows, self.width) = (rows, width)
    }

    static func build(_ rows: VectorRows, _ values: IndexValues) throws(SegmentError) -> ProjectedIndex {
        ProjectedIndex(rows, width: values[integer: "width"] ?? 8)
    }

    static func open(from store: some SegmentStore) throws(SegmentError) -> ProjectedIndex {
        let width = Int(try store.bytes(of: SegmentKey(part))[0])
        let index = ProjectedIndex(try VectorRows(from: store), width: width)
        try index.add(slots: 0..<index.rows.count, threads: 1) { _ in true }
        return index
    }

    func defaultEffort(k: Int) -> Int? { 4 * k }

    func add(slots: Range<Int>, threads: Int, progress: (Int) -> Bool) throws(SegmentError) {
        let added = slots.flatMap { project(rows.row($0)) }
        projections.withLock { $0 += added }
        _ = progress(slots.count)
    }

    func repair(removed slots: [Int]) throws(SegmentError) {}

    func search(_ query: UnsafePointer<Float>, _ request: VectorRequest) throws(SegmentError) -> [Neighbor] {
        let projected = project(query)
        let known = projections.withLock { $0 }
        let near = (0..<rows.count)
            .filter { !rows.removed.contains($0) && request.allowed?.contains($0) != false }
            .map { slot in
                (slot: slot, product: (0..<width).reduce(Float(0)) { $0 + projected[$1] * known[slot * width + $1] })
            }
            .sorted { $0.product > $1.product }
            .prefix(max(request.k, request.effort ?? 4 * request.k))
        var allowed = SlotSet(capacity: rows.count)
        for candidate in near { allowed.insert(candidate.slot) }
        return try FlatIndex(rows).search(query, VectorRequest(k: request.k, allowed: allowed))
    }

    func save(to store: inout some SegmentStore) throws(SegmentError) {
        try store.put(SegmentKey(Self.part), [UInt8(width)])
    }

    /// Returns the projection of a vector on random sign vectors, which are drawn from a hash: `[width]`.
    private func project(_ vector: UnsafePointer<Float>) -> [Float] {
        (0..<width).map { row in
            (0..<rows.dimension).reduce(Float(0)) { sum, column in
                let hash = UInt64(row * rows.dimension + column + 1) &* 0x9E37_79B9_7F4A_7C15
                return sum + (hash >> 63 == 0 ? vector[column] : -vector[column])
            }
        }
    }
}
