import SearchIndexes

/// Vectors around some centers, drawn from a seed, with the nearest by plain words.
struct SeededVectors {
    let dimension: Int
    let metric: Metric
    let base: [[Float]]
    let queries: [[Float]]

    struct Generator: RandomNumberGenerator {
        private var state: UInt64
        init(seed: UInt64) { state = seed &* 2 &+ 1 }
        mutating func next() -> UInt64 {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            let mixed = (state ^ state >> 33) &* 0xFF51_AFD7_ED55_8CCD
            return mixed ^ mixed >> 33
        }
    }

    init(_ count: Int, dimension: Int, metric: Metric, queries: Int = 20, seed: UInt64 = 1) {
        var random = Generator(seed: seed)
        func normal() -> Float { (0..<6).reduce(-3) { sum, _ in sum + Float.random(in: 0..<1, using: &random) } }
        let centers = (0..<20).map { _ in (0..<dimension).map { _ in normal() * 2 } }
        func vector() -> [Float] {
            let center = centers[Int.random(in: 0..<20, using: &random)]
            return center.map { $0 + normal() }
        }
        self.dimension = dimension
        self.metric = metric
        base = (0..<count).map { _ in vector() }
        self.queries = (0..<queries).map { _ in vector() }
    }

    /// Returns the rows under labels from 100 on.
    func rows(_ range: Range<Int>? = nil) throws -> VectorRows {
        let rows = try VectorRows(dimension: dimension, metric: metric)
        for label in range ?? 0..<base.count { try rows.append(base[label], label: Int64(label) + 100) }
        return rows
    }

    /// The labels of the nearest rows that are there.
    func nearest(_ query: [Float], _ k: Int, in rows: VectorRows, where isAllowed: (Int) -> Bool = { _ in true })
        -> [Int64]
    {
        let length = query.reduce(0) { $0 + $1 * $1 }.squareRoot()
        var found: [Neighbor] = []
        for slot in 0..<rows.count where !rows.removed.contains(slot) && isAllowed(slot) {
            let row = rows.row(slot)
            let distance = (0..<dimension).reduce(Float(0)) { sum, column in
                switch metric {
                case .l2: sum + (query[column] - row[column]) * (query[column] - row[column])
                case .innerProduct: sum - query[column] * row[column]
                case .cosine: sum - query[column] / length * row[column]
                }
            }
            found.append(Neighbor(label: rows.labels[slot], distance: distance))
        }
        return found.sorted().prefix(k).map(\.label)
    }

    /// Which part of the true ten an index finds.
    func recall(_ index: some VectorIndex, _ request: VectorRequest) throws -> Double {
        var hits = 0
        for query in queries {
            let truth = Set(nearest(query, request.k, in: index.rows))
            hits += try index.search(query, request).filter { truth.contains($0.label) }.count
        }
        return Double(hits) / Double(queries.count * request.k)
    }
}
