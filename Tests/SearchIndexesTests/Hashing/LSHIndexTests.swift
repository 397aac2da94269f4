import SearchIndexes
import Testing

@Suite("Locality-sensitive hashing")
struct LSHIndexTests {
    @Test("more buckets and more tables find more", arguments: Metric.allCases)
    func effort(metric: Metric) throws {
        let data = SeededVectors(3_000, dimension: 24, metric: metric)
        let rows = try data.rows()
        let few = try LSHIndex(rows, tables: 2)
        let many = try LSHIndex(rows, tables: 16)
        for index in [few, many] { try index.add(slots: 0..<3_000, threads: 1) { _ in true } }
        let narrow = try data.recall(few, VectorRequest(k: 10, effort: 1))
        let wide = try data.recall(few, VectorRequest(k: 10, effort: 32))
        let both = try data.recall(many, VectorRequest(k: 10, effort: 32))
        #expect(narrow < wide && wide <= both)
        #expect(both >= 0.95)
    }

    @Test("parameters out of range are refused", arguments: [(0, 4), (257, 4), (4, 0), (4, 33)])
    func refused(tables: Int, directions: Int) throws {
        let rows = try VectorRows(dimension: 8, metric: .l2)
        #expect(throws: SegmentError.self) { try LSHIndex(rows, tables: tables, directions: directions) }
    }
}
