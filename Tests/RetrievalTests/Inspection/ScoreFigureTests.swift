import Retrieval
import Testing

@Suite("Displayed scores")
struct ScoreFigureTests {
    @Test("a score has the digits of its stage, whatever its size")
    func digits() {
        #expect(Stage.Kind.lexical.text(6.447) == "6.45")
        #expect(Stage.Kind.lexical.text(0.987) == "0.99")
        #expect(Stage.Kind.dense.text(0.8125) == "0.813")
        #expect(Stage.Kind.fused.text(2.0 / 61) == "0.0328")
        #expect(Stage.Kind.reranked.text(-1.0006) == "-1.001")
        #expect(Stage.Kind.dense.text(-0.0001) == "0.000")
    }

    @Test("the parts of a displayed sum add up to the displayed score")
    func sum() {
        let terms = [(name: "a", value: 2.1149), (name: "b", value: 2.1136), (name: "c", value: 2.1133)]
        #expect(ScoreSum(terms, score: 6.3418, .lexical).line == "a 2.12 + b 2.11 + c 2.11 = 6.34")
    }
}
