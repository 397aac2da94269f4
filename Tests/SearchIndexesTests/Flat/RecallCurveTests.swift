import SearchIndexes
import Testing

@Suite("A curve of recall")
struct RecallCurveTests {
    @Test("recall counts results as near as the true neighbors")
    func recall() {
        let exact = [Neighbor(label: 1, distance: 1), Neighbor(label: 2, distance: 2)]
        let found = [Neighbor(label: 9, distance: 2), Neighbor(label: 7, distance: 2.1)]
        #expect(RecallCurve.recall(found, exact: exact) == 0.5)
        #expect(RecallCurve.recall(exact, exact: exact) == 1)
        #expect(RecallCurve.recall([], exact: exact) == 0 && RecallCurve.recall(found, exact: []) == 1)
    }

    @Test("the rate is interpolated between points and nil beyond them")
    func rate() throws {
        let curve = RecallCurve(points: [
            .init(effort: 10, recall: 0.8, rate: 1000), .init(effort: 40, recall: 0.9, rate: 100),
        ])
        #expect(abs(try #require(curve.rate(atRecall: 0.85)) - 316.2278) < 1e-3)
        #expect(curve.rate(atRecall: 0.5) == 1000 && curve.rate(atRecall: 0.95) == nil)
    }

    @Test("a curve can be measured with any index and any clock")
    func measured() throws {
        var vectors = GraphVectors(dimension: 8)
        let index = FlatIndex(try GraphVectors.rows(vectors.next(300)))
        let queries = vectors.next(20).flatMap { $0 }
        var time = 0.0
        let curve = try RecallCurve(of: index, queries, count: 20, k: 5, efforts: [1, 2]) {
            time += 2
            return time
        }
        #expect(curve.points == [1, 2].map { .init(effort: $0, recall: 1, rate: 10) })
    }
}
