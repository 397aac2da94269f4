import Retrieval
import Testing

@Suite("Displayed scores")
struct ScoreFigureTests {
    @Test("a score has the digits of its stage, whatever its size")
    func digits() {
        #expect(ScoreFigure.text(6.447, .lexical) == "6.45")
        #expect(ScoreFigure.text(0.987, .lexical) == "0.99")
        #expect(ScoreFigure.text(0.8125, .dense) == "0.813")
        #expect(ScoreFigure.text(2.0 / 61, .fused) == "0.0328")
        #expect(ScoreFigure.text(-1.0006, .reranked) == "-1.001")
        #expect(ScoreFigure.text(-0.0001, .dense) == "0.000")
    }

    @Test("parts are rounded so that the displayed digits add up to the displayed score")
    func parts() {
        // Rounded separately, the parts would be 2.11 + 2.11 + 2.11 = 6.33, next to a score of 6.34.
        #expect(ScoreFigure.parts([2.1149, 2.1136, 2.1133], of: 6.3418, .lexical) == ["2.12", "2.11", "2.11"])
        #expect(ScoreFigure.parts([], of: 0, .lexical) == [])
    }

    @Test("any parts add up, and none is more than one digit off")
    func addUp() {
        var random = SystemRandomNumberGenerator()
        for _ in 0..<2_000 {
            let kind = Stage.Kind.allCases.randomElement(using: &random) ?? .lexical
            let values = (0..<Int.random(in: 1...9, using: &random)).map { _ in
                Double.random(in: -1...9, using: &random)
            }
            let score = values.reduce(0, +)
            let scale = (0..<ScoreFigure.digits(kind)).reduce(1.0) { scale, _ in scale * 10 }
            func digits(_ text: String) -> Int { Int(((Double(text) ?? .nan) * scale).rounded()) }
            let shown = ScoreFigure.parts(values, of: score, kind)
            #expect(shown.map(digits).reduce(0, +) == digits(ScoreFigure.text(score, kind)))
            for (text, value) in zip(shown, values) {
                #expect(abs((Double(text) ?? .nan) - value) <= 1 / scale + 1e-9, "\(text) for \(value)")
            }
        }
    }

    @Test("parts of another score are rounded separately")
    func strangers() {
        #expect(ScoreFigure.parts([1, 2], of: 9, .lexical) == ["1.00", "2.00"])
        #expect(ScoreFigure.parts([.infinity], of: .infinity, .lexical) == ["inf"])
    }
}
