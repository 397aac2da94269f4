import SearchIndexes
import Testing

@Suite("Vectors under labels")
struct VectorRowsTests {
    @Test("vectors keep their slots; a label that is used again gets a new slot")
    func slots() throws {
        let rows = try VectorRows(dimension: 2, metric: .l2)
        #expect(try rows.append([1, 2], label: 7) == 0)
        #expect(try rows.append([3, 4], label: -9) == 1)
        #expect(try rows.append([5, 6], label: 7) == 2)
        #expect(rows.count == 3 && rows.liveCount == 2)
        #expect(rows.removed.contains(0) && rows.slot(of: 7) == 2)
        #expect(rows.remove(-9) == 1)
        #expect(rows.remove(-9) == nil && rows.slot(of: -9) == nil && rows.liveCount == 1)
        #expect(rows.row(2)[0] == 5 && rows.row(2)[1] == 6)
    }

    @Test("vectors are found by label among many, some of them removed")
    func labels() throws {
        let rows = try VectorRows(dimension: 1, metric: .l2)
        for at in 0..<5000 { try rows.append([Float(at)], label: Int64(at) * 1_000_003 - 7) }
        for at in stride(from: 0, to: 5000, by: 3) { rows.remove(Int64(at) * 1_000_003 - 7) }
        for at in stride(from: 0, to: 5000, by: 6) { try rows.append([0], label: Int64(at) * 1_000_003 - 7) }
        for at in 0..<5000 {
            let slot = rows.slot(of: Int64(at) * 1_000_003 - 7)
            if at % 6 == 0 { #expect(slot ?? 0 >= 5000) } else { #expect(slot == (at % 3 == 0 ? nil : at)) }
        }
    }

    @Test("vectors for cosine similarity have length 1")
    func cosine() throws {
        let rows = try VectorRows(dimension: 2, metric: .cosine)
        try rows.append([3, 4], label: 0)
        try rows.append([3e30, 4e30], label: 1)
        for slot in 0...1 { #expect(abs(rows.row(slot)[0] - 0.6) < 1e-6 && abs(rows.row(slot)[1] - 0.8) < 1e-6) }
        let nearest = try FlatIndex(rows).search([3e-30, 4e-30], VectorRequest(k: 1))
        #expect(abs(nearest[0].distance) < 1e-6)
    }

    @Test(
        "invalid vectors are errors",
        arguments: [
            ([Float.nan, 0], "vector 5: a number is not finite. Remove the vector."),
            ([Float.infinity, 0], "vector 5: a number is not finite. Remove the vector."),
            ([Float(0), 0], "vector 5: a zero vector has no direction. Remove the vector."),
        ])
    func refused(vector: [Float], sentence: String) throws {
        let rows = try VectorRows(dimension: 2, metric: .cosine)
        let error = #expect(throws: SegmentError.self) { try rows.append(vector, label: 5) }
        #expect(error?.sentence == sentence)
        #expect(rows.count == 0)
    }

    @Test("vectors are loaded bit for bit; later saves write only new ones", arguments: Metric.allCases)
    func segments(metric: Metric) throws {
        var vectors = GraphVectors(dimension: 1000)
        let rows = try GraphVectors.rows(vectors.next(600), metric: metric, from: -3)
        rows.remove(2)
        var store = MemorySegments()
        try rows.save(to: &store)
        #expect(try store.keys(of: "vectors").count == 3)
        let first = try store.bytes(of: SegmentKey("vectors", 0))
        try store.remove(SegmentKey("vectors", 0))
        try rows.append(vectors.next(1)[0], label: 1 << 40)
        try rows.save(to: &store)
        #expect(try store.keys(of: "vectors").map(\.number) == [1, 2], "a full block is not written again")
        try store.put(SegmentKey("vectors", 0), first)
        let again = try VectorRows(from: store)
        #expect(again.count == 601 && again.metric == metric && again.labels == rows.labels)
        #expect(again.removed == rows.removed && again.slot(of: 2) == nil && again.slot(of: 1 << 40) == 600)
        for slot in 0..<601 {
            #expect((0..<1000).allSatisfy { again.row(slot)[$0] == rows.row(slot)[$0] })
        }
    }

    @Test("top neighbors match sorting, with ties by label")
    func top() {
        var top = TopNeighbors(k: 5)
        #expect(top.bound == .infinity)
        let all = (0..<60).map { Neighbor(label: Int64(59 - $0), distance: Float($0 * 7 % 11)) }
        for one in all { top.insert(one.label, one.distance) }
        #expect(top.sorted == Array(all.sorted().prefix(5)))
        #expect(top.bound == top.sorted[4].distance)
        var none = TopNeighbors(k: 0)
        none.insert(1, 1)
        #expect(none.sorted.isEmpty && none.bound == -.infinity)
    }
}
