import SearchIndexes
import Testing

@Suite("A hierarchy of navigable small worlds")
struct HNSWIndexTests {
    @Test("the nearest vectors are found")
    func example() throws {
        let index = try HNSWIndex(GraphVectors.rows((0..<500).map { [Float($0), 1] }))
        try index.add(slots: 0..<500)
        let found = try index.search([41.2, 1], VectorRequest(k: 3))
        #expect(found.map(\.label) == [41, 42, 40])
        #expect(found[0].distance == (41.2 - 41) * (Float(41.2) - 41))
    }

    @Test("recall is high in every metric, guided by codes or vectors", arguments: Metric.allCases, [true, false])
    func recall(metric: Metric, codes: Bool) throws {
        var vectors = GraphVectors(dimension: 24)
        let rows = try GraphVectors.rows(vectors.next(3000), metric: metric)
        let index = try HNSWIndex(rows, parameters: HNSWParameters(m: 12, efConstruction: 80, codes: codes))
        try index.add(slots: 0..<3000)
        let queries = vectors.next(60)
        #expect(try GraphVectors.recall(index, queries, effort: 20) > 0.9)
        #expect(try GraphVectors.recall(index, queries, effort: 120) > 0.99)
    }

    @Test("one thread builds the same graph each time; two threads build an equally good one")
    func threads() throws {
        var vectors = GraphVectors(dimension: 16)
        let base = vectors.next(3000)
        let queries = vectors.next(50)
        let indexes = try (0..<3).map { at in
            let index = try HNSWIndex(GraphVectors.rows(base), parameters: HNSWParameters(m: 8, efConstruction: 60))
            try index.add(slots: 0..<3000, threads: at == 2 ? 2 : 1)
            return index
        }
        let answers = try indexes.map { index in
            try queries.map { try index.search($0, VectorRequest(k: 10, effort: 12)) }
        }
        #expect(answers[0] == answers[1])
        #expect(try GraphVectors.recall(indexes[2], queries, effort: 80) > 0.98)
        let links = indexes[2]
        for slot in 0..<UInt32(3000) {
            for level in 0...links.level(of: slot) {
                let list = UnsafeBufferPointer(
                    start: links.links(of: slot, level: level), count: links.linkWidth(level)
                ).prefix { $0 != .max }
                #expect(Set(list).count == list.count && !list.contains(slot), "no link twice, none to itself")
            }
        }
    }

    @Test("vectors are added singly and in batches, and adding can be stopped")
    func growth() throws {
        var vectors = GraphVectors(dimension: 10)
        let rows = try GraphVectors.rows(vectors.next(2000))
        let index = try HNSWIndex(rows, parameters: HNSWParameters(m: 8, efConstruction: 60))
        for slot in 0..<40 { try index.add(slots: slot..<slot + 1) }
        try index.add(slots: 0..<2000, threads: 1) { $0 < 600 }
        #expect(index.count > 600 && index.count < 2000)
        try index.add(slots: 0..<2000)
        #expect(index.count == 2000)
        #expect(try GraphVectors.recall(index, vectors.next(50), effort: 80) > 0.98)
        let error = #expect(throws: SegmentError.self) {
            _ = try rows.append([Float](repeating: 0, count: 10), label: 5000)
            _ = try rows.append([Float](repeating: 0, count: 10), label: 5001)
            try index.add(slots: 2001..<2002)
        }
        #expect(error?.sentence == "hnsw: slots 2000 to 2000 are not in the graph yet. Add them first.")
    }

    @Test("removed vectors are never found, before and after repair; the others stay findable")
    func removal() throws {
        var vectors = GraphVectors(dimension: 16)
        let rows = try GraphVectors.rows(vectors.next(3000))
        let index = try HNSWIndex(rows, parameters: HNSWParameters(m: 8, efConstruction: 60))
        try index.add(slots: 0..<3000)
        let queries = vectors.next(60)
        let before = try GraphVectors.recall(index, queries, effort: 40)
        var gone: [Int] = []
        for label in 0..<3000 as Range<Int64> where label % 10 < 3 { gone.append(try #require(rows.remove(label))) }
        for query in queries {
            let found = try index.search(query, VectorRequest(k: 10, effort: 40))
            #expect(found.count == 10 && found.allSatisfy { $0.label % 10 >= 3 })
        }
        try index.repair(removed: gone)
        for slot in 0..<UInt32(3000) {
            for level in 0...index.level(of: slot) {
                let list = UnsafeBufferPointer(
                    start: index.links(of: slot, level: level), count: index.linkWidth(level)
                ).prefix { $0 != .max }
                #expect(list.allSatisfy { !rows.removed.contains(Int($0)) })
            }
        }
        #expect(try GraphVectors.recall(index, queries, effort: 40) > before - 0.01)
        let left = (0..<3000).filter { $0 % 10 >= 3 }
        let reached = try left.filter { slot in
            try index.search(rows.row(slot), VectorRequest(k: 1, effort: 40)).first?.distance == 0
        }
        #expect(reached.count >= left.count * 995 / 1000)
    }

    @Test("a vector can be replaced under its label, and all vectors can be removed")
    func update() throws {
        let rows = try GraphVectors.rows((0..<200).map { [Float($0), 0] })
        let index = try HNSWIndex(rows)
        try index.add(slots: 0..<200)
        let old = try #require(rows.slot(of: 50))
        try rows.append([1000, 0], label: 50)
        try index.add(slots: 200..<201)
        try index.repair(removed: [old])
        #expect(try index.search([999, 0], VectorRequest(k: 1)).map(\.label) == [50])
        #expect(try index.search([50, 0], VectorRequest(k: 2)).map(\.label) == [49, 51])
        try index.repair(removed: (0..<200).compactMap { rows.remove(Int64($0)) })
        #expect(try index.search([50, 0], VectorRequest(k: 2)).isEmpty)
        try rows.append([7, 7], label: 1)
        try index.add(slots: 0..<rows.count)
        #expect(try index.search([0, 0], VectorRequest(k: 2)).map(\.label) == [1])
    }

    @Test("only allowed vectors are found, and all of them if needed")
    func allowed() throws {
        var vectors = GraphVectors(dimension: 8)
        let rows = try GraphVectors.rows(vectors.next(1500))
        let index = try HNSWIndex(rows, parameters: HNSWParameters(m: 8, efConstruction: 60))
        try index.add(slots: 0..<1500)
        for kept in [2, 10, 100, 700] {
            var allowed = SlotSet()
            for slot in stride(from: 0, to: 1500, by: kept) { allowed.insert(slot) }
            let queries = vectors.next(10)
            #expect(try GraphVectors.recall(index, queries, effort: 60, allowed: allowed) > 0.95, "1 of \(kept)")
        }
    }

    @Test("an empty graph has no results, and invalid parameters are refused")
    func edges() throws {
        let rows = try VectorRows(dimension: 3, metric: .cosine)
        let index = try HNSWIndex(rows)
        #expect(try index.search([1, 2, 3], VectorRequest(k: 4)).isEmpty)
        try rows.append([1, 2, 3], label: 4)
        try index.add(slots: 0..<1)
        #expect(try index.search([1, 2, 3], VectorRequest(k: 4)).map(\.label) == [4])
        #expect(try index.search([1, 2, 3], VectorRequest(k: 0)).isEmpty)
        #expect(throws: SegmentError.self) { try index.search([0, 0, 0], VectorRequest(k: 1)) }
        let error = #expect(throws: SegmentError.self) { try HNSWIndex(rows, parameters: HNSWParameters(m: 1)) }
        #expect(error?.sentence == "hnsw: 1 links per node are out of range. Use 2 to 128.")
    }
}
