import SearchIndexes
import Testing

@Suite("A graph of vectors with many duplicates")
struct HNSWTwinTests {
    /// How the copies of each vector are spread over the rows.
    enum Spread: CaseIterable {
        case inTurn, inBlocks, halfIsOne

        func which(_ row: Int, of count: Int, _ different: Int) -> Int {
            switch self {
            case .inTurn: row % different
            case .inBlocks: row * different / count
            case .halfIsOne: row < count / 2 ? 0 : row % different
            }
        }
    }

    @Test("a walk finds as many vectors at the same distances as a scan", arguments: Spread.allCases, [8, 60, 1])
    func recall(spread: Spread, different: Int) throws {
        for metric in [Metric.l2, .cosine] {
            var vectors = GraphVectors(dimension: 24)
            let pool = vectors.next(different)
            let count = different * 36
            let rows = try VectorRows(dimension: 24, metric: metric)
            for row in 0..<count { try rows.append(pool[spread.which(row, of: count, different)], label: Int64(row)) }
            let index = try HNSWIndex(rows, parameters: HNSWParameters(m: 16, efConstruction: 100))
            try index.add(slots: 0..<count)
            let queries = pool + vectors.next(40)
            #expect(try recallByDistance(index, queries) >= 0.99, "\(metric)")
        }
    }

    private func recallByDistance(_ index: HNSWIndex, _ queries: [[Float]]) throws -> Double {
        let flat = FlatIndex(index.rows)
        var (hits, all) = (0, 0)
        for query in queries {
            let truth = try flat.search(query, VectorRequest(k: 10))
            let farthest = try #require(truth.last).distance
            let found = try index.search(query, VectorRequest(k: 10, effort: 64))
            hits += found.filter { $0.distance <= farthest + 1e-5 }.count
            all += truth.count
        }
        return Double(hits) / Double(all)
    }
}
