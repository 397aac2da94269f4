import Retrieval
import Testing

@Suite("Two pipelines over the same questions")
struct PipelineComparisonTests {
    @Test("stand side by side, the greatest loss first")
    func losses() throws {
        var source = ToySource()
        source.items = [
            .init(1, "dome bolts", nearness: 0.1), .init(2, "mirror cell", nearness: 0.9),
            .init(3, "slit door", nearness: 0.5),
        ]
        let words = PipelineRun(try PipelineDefinition("[dense]\nenabled = false"), over: source, resources: .toys)
        let vectors = PipelineRun(try PipelineDefinition("[lexical]\nenabled = false"), over: source, resources: .toys)
        let gold = ["a": "doc-1", "b": "doc-2", "c": "doc-3"]
        let questions = [("a", "bolts"), ("b", "mirror"), ("c", "slit"), ("d", "door")].map {
            PipelineComparison.Question(id: $0.0, text: $0.1)
        }
        let comparison = try PipelineComparison(before: words, after: vectors, questions: questions) {
            question, record in
            guard let wanted = gold[question.id] else { return nil }
            let rank = record.documents().firstIndex { $0.document == wanted }
            return rank.map { 1 / Double($0 + 1) } ?? 0
        }
        #expect(comparison.rows.map(\.question.id) == ["a", "c", "b", "d"])
        #expect(comparison.rows.map(\.difference) == [1.0 / 3 - 1, -0.5, 0, nil])
        #expect(comparison.values.before == [1, 1, 1])
        #expect(comparison.rows[0].afterRecord.ranking().count == 3)
        #expect(comparison.rows[0].afterRecord.ranking(deep: 1).count == 1)
    }
}
