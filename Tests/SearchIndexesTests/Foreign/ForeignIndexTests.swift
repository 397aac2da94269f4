import SearchIndexes
import Testing

@Suite("Indexes of other programs")
struct ForeignIndexTests {
    @Test(
        "vectors and labels are imported",
        arguments: [
            ("flat-l2.faiss", "faiss Flat", Metric.l2, 0), ("flat-ip.faiss", "faiss Flat", .innerProduct, 0),
            ("named.faiss", "faiss Flat", .l2, 1000), ("hnsw.faiss", "faiss HNSW", .l2, 0),
            ("ivf.faiss", "faiss IVF-Flat", .l2, 0), ("l2.hnswlib", "hnswlib", .l2, 500),
        ] as [(String, String, Metric, Int64)])
    func vectors(name: String, kind: String, metric: Metric, first: Int64) throws {
        let base = try ForeignGoldens.vectors("base.fvecs")
        let index = try ForeignGoldens.index(name)
        #expect(index.kind == kind)
        #expect(index.rows.metric == metric)
        #expect(!index.isApproximate)
        #expect(index.rows.count == 60)
        for (row, vector) in base.enumerated() where index.rows.slot(of: first + Int64(row)) != nil {
            #expect(ForeignGoldens.row(index.rows, first + Int64(row)) == vector)
        }
        #expect(index.rows.liveCount == (kind == "hnswlib" ? 59 : 60))
        #expect((index.rows.slot(of: 505) == nil) == true)
    }

    @Test("mostly empty lists are imported")
    func sparse() throws {
        let index = try ForeignGoldens.index("ivf-sparse.faiss")
        #expect(index.listCount == 12)
        #expect(index.rows.count == 3)
        let base = try ForeignGoldens.vectors("base.fvecs")
        for row in 0..<3 { #expect(ForeignGoldens.row(index.rows, Int64(row)) == base[row]) }
    }

    @Test("codes are decoded to the same vectors as in faiss")
    func codes() throws {
        let index = try ForeignGoldens.index("ivf-pq.faiss")
        #expect(index.isApproximate)
        #expect(index.listCount == 4)
        for (label, vector) in try ForeignGoldens.vectors("ivf-pq.decoded.fvecs").enumerated() {
            let row = try #require(ForeignGoldens.row(index.rows, Int64(label)))
            for column in 0..<8 { #expect(abs(row[column] - vector[column]) < 1e-5) }
        }
    }

    @Test(
        "an imported graph finds the same neighbors as its own program",
        arguments: [("hnsw.faiss", 0), ("l2.hnswlib", 500)])
    func graph(name: String, first: Int64) throws {
        let imported = try ForeignGoldens.index(name)
        let graph = try #require(imported.graph)
        #expect(graph.m == 4)
        let index = try HNSWIndex(imported.rows, graph: graph)
        let nearest = try ForeignGoldens.vectors("nearest.ivecs")
        for (query, wanted) in zip(try ForeignGoldens.vectors("query.fvecs"), nearest) {
            let found = try index.search(query, VectorRequest(k: 5, effort: 60)).map(\.label)
            let expected = wanted.map { Int64($0) + first }.filter { imported.rows.slot(of: $0) != nil }
            #expect(Array(found.prefix(expected.count)) == expected)
        }
    }

    @Test("a graph with links out of range is refused")
    func brokenGraph() throws {
        let imported = try ForeignGoldens.index("hnsw.faiss")
        var graph = try #require(imported.graph)
        graph.links[3] = 60
        #expect(throws: SegmentError.self) { try HNSWIndex(imported.rows, graph: graph) }
        graph = try #require(imported.graph)
        graph.levels[0] += 1
        #expect(throws: SegmentError.self) { try HNSWIndex(imported.rows, graph: graph) }
    }

    @Test("a file that is not an index is an error")
    func foreign() {
        let error = #expect(throws: SegmentError.self) { try ForeignGoldens.index("base.fvecs") }
        #expect(error?.sentence.contains("neither an hnswlib index nor a supported faiss index") == true)
    }
}
