import SearchIndexes
import Testing

@Suite("Exact search")
struct FlatIndexTests {
    @Test("the nearest vectors are found")
    func example() throws {
        let rows = try GraphVectors.rows([[0, 0], [1, 0], [0, 3]])
        let found = try FlatIndex(rows).search([0.9, 0], VectorRequest(k: 2))
        #expect(found.map(\.label) == [1, 0])
    }

    private func naive(_ rows: VectorRows, _ query: [Float], k: Int, allowed: SlotSet?) -> [(Int64, Double)] {
        let norm = query.reduce(0.0) { $0 + Double($1) * Double($1) }.squareRoot()
        let all = (0..<rows.count).compactMap { slot -> (Int64, Double)? in
            if rows.removed.contains(slot) || allowed?.contains(slot) == false { return nil }
            var sum = 0.0
            for (column, number) in query.enumerated() {
                let (x, y) = (Double(number), Double(rows.row(slot)[column]))
                sum += rows.metric == .l2 ? (x - y) * (x - y) : -x * y
            }
            return (rows.labels[slot], rows.metric == .cosine ? 1 + sum / norm : sum)
        }
        return Array(all.sorted { $0.1 < $1.1 }.prefix(k))
    }

    @Test("results match float64, for single queries and batches", arguments: Metric.allCases, [3, 17, 64])
    func agrees(metric: Metric, dimension: Int) throws {
        var vectors = GraphVectors(dimension: dimension)
        let rows = try GraphVectors.rows(vectors.next(1700), metric: metric)
        for label in stride(from: Int64(0), to: 1700, by: 7) { rows.remove(label) }
        var half = SlotSet()
        for slot in 0..<1700 where slot % 2 == 0 { half.insert(slot) }
        var tenth = SlotSet()
        for slot in 0..<1700 where slot % 10 == 0 { tenth.insert(slot) }
        let queries = vectors.next(140)
        let flat = FlatIndex(rows)
        for allowed in [nil, half, tenth] {
            let request = VectorRequest(k: 12, allowed: allowed)
            let batch = try flat.search(queries.flatMap { $0 }, count: queries.count, request)
            for (at, (query, together)) in zip(queries, batch).enumerated() {
                let alone = try flat.search(query, request)
                #expect(alone == together, "the same to the bit")
                guard at % 20 == 0 else { continue }
                let expected = naive(rows, query, k: 12, allowed: allowed)
                #expect(zip(alone, expected).allSatisfy { abs(Double($0.distance) - $1.1) < 1e-4 })
                #expect(alone.count == 12 && alone == alone.sorted())
            }
        }
    }

    @Test("search is exact even if rounding of a product hides the nearest vector")
    func cancellation() throws {
        // Ten thousand from the origin, a hundredth from each other: |q|² − 2 q·x + |x|² has no digits left.
        let vectors = (0..<400).map { at -> [Float] in [10_000 + Float(at % 50) * 0.01, 10_000, Float(at)] }
        let flat = FlatIndex(try GraphVectors.rows(vectors))
        let queries = (0..<20).flatMap { at -> [Float] in [10_000 + Float(at) * 0.01, 10_000, Float(at * 3)] }
        let batch = try flat.search(queries, count: 20, VectorRequest(k: 3))
        for at in 0..<20 {
            #expect(try flat.search(Array(queries[at * 3..<at * 3 + 3]), VectorRequest(k: 3)) == batch[at])
        }
    }

    @Test("equally near vectors are in the order of their labels")
    func ties() throws {
        let rows = try VectorRows(dimension: 1, metric: .l2)
        for label in [9, 3, 7, 1, 5] as [Int64] { try rows.append([1], label: label) }
        #expect(try FlatIndex(rows).search([0], VectorRequest(k: 3)).map(\.label) == [1, 3, 5])
        for label in 10..<2000 as Range<Int64> { try rows.append([1], label: label) }
        let batch = try FlatIndex(rows).search([Float](repeating: 0, count: 9), count: 9, VectorRequest(k: 3))
        #expect(batch.allSatisfy { $0.map(\.label) == [1, 3, 5] })
    }

    @Test("an empty index has no results")
    func empty() throws {
        let rows = try VectorRows(dimension: 2, metric: .l2)
        #expect(try FlatIndex(rows).search([0, 0], VectorRequest(k: 5)).isEmpty)
        try rows.append([1, 1], label: 1)
        #expect(try FlatIndex(rows).search([0, 0], VectorRequest(k: 0)).isEmpty)
        #expect(try FlatIndex(rows).search([0, 0], VectorRequest(k: 5, allowed: SlotSet())).isEmpty)
        #expect(throws: SegmentError.self) { try FlatIndex(rows).search([.nan, 0], VectorRequest(k: 5)) }
        rows.remove(1)
        #expect(try FlatIndex(rows).search([0, 0], VectorRequest(k: 5)).isEmpty)
    }
}
