/// An immutable index in memory.
///
/// The value opens its index itself and never exposes it, so no caller can add or remove vectors while another thread
/// searches. To change an index, open it with ``VectorIndexKind/open(from:)``, save it, and create a new value.
package struct SearchableIndex: Sendable {
    private let index: any VectorIndexKind
    /// The vectors of the index.
    package let rows: SearchableRows

    /// Opens a saved index with its vectors.
    ///
    /// - Throws: `SegmentError` if a segment is missing or corrupt.
    package init(_ kind: any VectorIndexKind.Type, from store: some SegmentStore) throws(SegmentError) {
        index = try kind.open(from: store)
        rows = SearchableRows(index.rows)
    }

    /// Kind of the index.
    package var kind: any VectorIndexKind.Type { type(of: index) }

    /// Returns the `request.k` nearest vectors, nearest first.
    ///
    /// - Parameter query: Vector to compare with, `[dimension]`.
    package func search(
        _ query: UnsafePointer<Float>, _ request: VectorRequest
    ) throws(SegmentError) -> [Neighbor] {
        try index.search(query, request)
    }

    /// Returns the nearest allowed vectors, found with the strategy that the planner chooses.
    package func search(
        _ query: UnsafePointer<Float>, _ request: VectorRequest, planner: FilterPlanner
    ) throws(SegmentError) -> FilteredResult {
        try planner.search(index, query, request)
    }

    /// Returns the `request.k` nearest vectors by comparing every allowed vector.
    package func searchExactly(
        _ query: UnsafePointer<Float>, _ request: VectorRequest
    ) throws(SegmentError) -> [Neighbor] {
        try FlatIndex(index.rows).search(query, request)
    }

    /// Returns the effort of a search that does not specify one; `nil` if searches have no effort.
    package func defaultEffort(k: Int) -> Int? { index.defaultEffort(k: k) }
}

/// A read-only view of the vectors of an index.
package struct SearchableRows: Sendable {
    private let rows: VectorRows

    fileprivate init(_ rows: VectorRows) { self.rows = rows }

    /// Number of elements of a vector.
    package var dimension: Int { rows.dimension }
    /// Metric of the distances.
    package var metric: Metric { rows.metric }
    /// Number of slots in use, including those of removed vectors.
    package var count: Int { rows.count }
    /// Number of vectors, excluding removed ones.
    package var liveCount: Int { rows.liveCount }
    /// Slots whose vectors were removed.
    package var removed: SlotSet { rows.removed }
    /// Labels of the slots, including those of removed vectors.
    package var labels: [Int64] { rows.labels }

    /// Returns the row in a slot: `[dimension]`. The pointer is valid as long as this value.
    package func row(_ slot: Int) -> UnsafePointer<Float> { rows.row(slot) }

    /// Returns the slot of the vector with a label; `nil` if there is no such vector.
    package func slot(of label: Int64) -> Int? { rows.slot(of: label) }

    /// Writes a query in the form that distances require: scaled to length 1 for the cosine metric.
    ///
    /// - Parameters:
    ///   - query: Query, `[dimension]`.
    ///   - prepared: Output, `[dimension]`.
    package func prepare(
        _ query: UnsafePointer<Float>, into prepared: UnsafeMutablePointer<Float>
    ) throws(SegmentError) {
        try rows.prepare(query, into: prepared)
    }

    /// Writes the distances between a prepared query and the rows in slots.
    ///
    /// - Parameters:
    ///   - query: Query from ``prepare(_:into:)``, `[dimension]`.
    ///   - slots: Slots, `[count]`.
    ///   - distances: Output, `[count]`.
    package func distances(
        to query: UnsafePointer<Float>, slots: UnsafePointer<UInt32>, count: Int,
        into distances: UnsafeMutablePointer<Float>
    ) {
        rows.distances(to: query, slots: slots, count: count, into: distances)
    }
}
