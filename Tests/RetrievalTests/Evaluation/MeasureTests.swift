import Retrieval
import Testing

@Suite("Measures")
struct MeasureTests {
    @Test(
        "measures have their usual names",
        arguments: [
            ("nDCG@10", Measure.nDCG(at: 10)), ("ndcg@10", .nDCG(at: 10)), ("MRR@10", .reciprocalRank(at: 10)),
            ("RR", .reciprocalRank()), ("recall@100", .recall(at: 100)), ("R@5", .recall(at: 5)),
            ("P(rel=2)@5", Measure(.precision, at: 5, minimumGrade: 2)), ("MAP", .averagePrecision()),
            ("success@1", .success(at: 1)), ("nDCG-exp@3", Measure(.exponentialNDCG, at: 3)),
        ])
    func names(name: String, measure: Measure) {
        #expect(Measure(name) == measure)
        #expect(Measure(measure.name) == measure)
    }

    @Test(
        "unknown measures are nil", arguments: ["", "@", "nDCG@0", "nDCG@x", "P", "bleu@4", "P(rel=x)@5", "P(2)@5"])
    func unknown(name: String) { #expect(Measure(name) == nil) }

    @Test("measures of a small ranking match hand calculations")
    func byHand() {
        // Grades 3, -, 2 of the judged 3, 2, 1.
        let ranking = GradedRanking(["a", "x", "b"], judged: ["a": 3, "b": 2, "c": 1, "d": 0])
        let ideal = 3 + 2 / 1.584_962_500_721_156 + 0.5
        #expect(abs(ranking.value(of: .nDCG(at: 10)) - 4 / ideal) < 1e-12)
        #expect(abs(ranking.value(of: Measure(.exponentialNDCG)) - 8.5 / (7 + 3 / 1.584_962_500_721_156 + 0.5)) < 1e-12)
        #expect(ranking.value(of: .reciprocalRank()) == 1)
        #expect(ranking.value(of: Measure(.reciprocalRank, at: 2, minimumGrade: 4)) == 0)
        #expect(abs(ranking.value(of: .recall(at: 3)) - 2.0 / 3) < 1e-12)
        #expect(ranking.value(of: .precision(at: 5)) == 0.4)
        #expect(abs(ranking.value(of: .averagePrecision()) - (1 + 2.0 / 3) / 3) < 1e-12)
        #expect(ranking.value(of: .success(at: 1)) == 1)
    }

    @Test("measures are 0 if nothing is relevant or found", arguments: Measure.usual)
    func nothing(measure: Measure) {
        #expect(GradedRanking(["a"], judged: [:]).value(of: measure) == 0)
        #expect(GradedRanking([], judged: ["a": 1]).value(of: measure) == 0)
    }
}
