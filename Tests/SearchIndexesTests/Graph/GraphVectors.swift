import SearchIndexes

/// Seeded vectors in clusters, and what is nearest by a look at all of them.
struct GraphVectors {
    let dimension: Int
    private var state: UInt64

    init(dimension: Int, seed: UInt64 = 1) {
        self.dimension = dimension
        state = seed
    }

    private mutating func uniform() -> Float {
        state &+= 0x9E37_79B9_7F4A_7C15
        var bits = state
        bits = (bits ^ (bits >> 30)) &* 0xBF58_476D_1CE4_E5B9
        bits = (bits ^ (bits >> 27)) &* 0x94D0_49BB_1331_11EB
        return Float((bits ^ (bits >> 31)) >> 40) * 0x1p-23 - 1
    }

    /// Points about a dozen centers that depend on the dimension alone.
    mutating func next(_ count: Int) -> [[Float]] {
        var centers = GraphVectors(dimension: dimension, seed: 4242)
        let middle = (0..<12).map { _ in (0..<dimension).map { _ in centers.uniform() } }
        return (0..<count).map { _ in
            let center = middle[Int((uniform() + 1) * 5.99)]
            return center.map { $0 + 0.4 * uniform() }
        }
    }

    static func rows(_ vectors: [[Float]], metric: Metric = .l2, from label: Int64 = 0) throws -> VectorRows {
        let rows = try VectorRows(dimension: vectors[0].count, metric: metric)
        for (at, vector) in vectors.enumerated() { try rows.append(vector, label: label + Int64(at)) }
        return rows
    }

    /// How much of what a scan finds a search finds as well.
    static func recall(
        _ index: some VectorIndex, _ queries: [[Float]], k: Int = 10, effort: Int? = nil, allowed: SlotSet? = nil
    ) throws -> Double {
        let flat = FlatIndex(index.rows)
        var hits = 0
        var all = 0
        for query in queries {
            let truth = try flat.search(query, VectorRequest(k: k, allowed: allowed))
            let found = try index.search(query, VectorRequest(k: k, effort: effort, allowed: allowed))
            hits += Set(found.map(\.label)).intersection(truth.map(\.label)).count
            all += truth.count
        }
        return Double(hits) / Double(max(all, 1))
    }
}
