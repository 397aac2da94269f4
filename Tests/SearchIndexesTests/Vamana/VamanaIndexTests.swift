import SearchIndexes
import Testing

@Suite("A Vamana graph in memory")
struct VamanaIndexTests {
    static let settings = VamanaSettings(degree: 24, complexity: 50)

    static func index(_ vectors: [[Float]], metric: Metric = .l2, threads: Int = 1) throws -> VamanaIndex {
        let index = try VamanaIndex(GraphVectors.rows(vectors, metric: metric), settings)
        try index.add(slots: 0..<vectors.count, threads: threads) { _ in true }
        return index
    }

    @Test("the nearest vectors are found")
    func example() throws {
        let index = try Self.index((0..<500).map { [Float($0), 1] })
        let found = try index.search([41.2, 1], VectorRequest(k: 3))
        #expect(found.map(\.label) == [41, 42, 40])
    }

    @Test("recall is high with few candidates, in every metric", arguments: Metric.allCases, [1, 2])
    func recall(metric: Metric, threads: Int) throws {
        var vectors = GraphVectors(dimension: 24)
        let index = try Self.index(vectors.next(3000), metric: metric, threads: threads)
        let queries = vectors.next(60)
        #expect(try GraphVectors.recall(index, queries, effort: 20) > 0.95)
        #expect(try GraphVectors.recall(index, queries, effort: 60) > 0.99)
    }

    @Test("a node has at most its degree of links, without duplicates or loops")
    func links() throws {
        var vectors = GraphVectors(dimension: 12)
        let index = try Self.index(vectors.next(1500), threads: 2)
        for slot in 0..<1500 {
            let links = index.neighbors(of: slot)
            #expect(!links.isEmpty && links.count <= 24)
            #expect(Set(links).count == links.count && !links.contains(UInt32(slot)))
        }
    }

    @Test("one thread builds the same graph each time")
    func deterministic() throws {
        var vectors = GraphVectors(dimension: 12)
        let base = vectors.next(800)
        let (one, two) = try (Self.index(base), Self.index(base))
        #expect((0..<800).allSatisfy { one.neighbors(of: $0) == two.neighbors(of: $0) })
    }

    @Test("vectors added later are found as well as the first ones")
    func later() throws {
        var vectors = GraphVectors(dimension: 16)
        let index = try Self.index(vectors.next(1500))
        for (at, vector) in vectors.next(900).enumerated() { try index.rows.append(vector, label: Int64(5000 + at)) }
        for start in stride(from: 1500, to: 2400, by: 300) {
            try index.add(slots: start..<start + 300, threads: 1) { _ in true }
        }
        #expect(try GraphVectors.recall(index, vectors.next(60), effort: 60) > 0.99)
    }

    @Test("removed vectors are never found; after a repair no links lead to them, and the others are found")
    func removal() throws {
        var vectors = GraphVectors(dimension: 16)
        let index = try Self.index(vectors.next(2000))
        let gone = (0..<2000).filter { $0 % 3 == 0 }
        for slot in gone { index.rows.remove(Int64(slot)) }
        let queries = vectors.next(60)
        #expect(try GraphVectors.recall(index, queries, effort: 60) > 0.98)
        try index.repair(removed: gone)
        let left = Set(gone.map(UInt32.init))
        for slot in 0..<2000 {
            #expect(left.isDisjoint(with: index.neighbors(of: slot)))
            #expect(slot % 3 == 0 ? index.neighbors(of: slot).isEmpty : !index.neighbors(of: slot).isEmpty)
        }
        #expect(try GraphVectors.recall(index, queries, effort: 60) > 0.98)
        try index.repair(removed: gone)
        for slot in 0..<2000 { index.rows.remove(Int64(slot)) }
        try index.repair(removed: Array(0..<2000))
        #expect(index.entry == nil)
        #expect(try index.search(queries[0], VectorRequest(k: 5)).isEmpty)
    }

    @Test("few, equal, and unusual vectors are found", arguments: [1, 2, 3, 70, 700])
    func borders(count: Int) throws {
        let equal = try Self.index((0..<count).map { _ in [1, 2, 3] })
        let found = try equal.search([1, 2, 3], VectorRequest(k: 1000))
        #expect(found.count == count)
        #expect(found.first == Neighbor(label: 0, distance: 0))
        #expect(try equal.search([1, 2, 3], VectorRequest(k: 0)).isEmpty)
        #expect(throws: SegmentError.self) { try equal.search([.nan, 0, 0], VectorRequest(k: 1)) }
        let cosine = try Self.index((0..<count).map { [Float($0) + 1, 1] }, metric: .cosine)
        #expect(throws: SegmentError.self) { try cosine.search([0, 0], VectorRequest(k: 1)) }
        #expect(try VamanaIndex(VectorRows(dimension: 2, metric: .l2)).search([0, 0], VectorRequest(k: 1)).isEmpty)
    }

    @Test("building can be stopped and restarted")
    func ended() throws {
        var vectors = GraphVectors(dimension: 8)
        let index = try VamanaIndex(GraphVectors.rows(vectors.next(1200)), Self.settings)
        var seen: [Int] = []
        try index.add(slots: 0..<1200, threads: 1) {
            seen.append($0)
            return $0 < 100
        }
        #expect(seen.count > 1 && seen == seen.sorted() && seen[seen.count - 1] < 1200)
        try index.add(slots: 0..<1200, threads: 1) { _ in true }
        #expect(try GraphVectors.recall(index, vectors.next(40), effort: 60) > 0.99)
    }
}
