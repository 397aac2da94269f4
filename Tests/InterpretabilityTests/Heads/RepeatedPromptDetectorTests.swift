import Interpretability
import Models
import Tensors
import Testing
import Tokenizers

@Suite("Scores of a repeated prompt in which a token was drawn twice")
struct RepeatedPromptDetectorTests {
    /// 5 5 7, twice, and one head that looks at all keys alike.
    private func scores(_ definitions: [HeadScoreDefinition]) throws -> [Double] {
        let prompt = try RepeatedPrompt(tokens: [5, 5, 7, 5, 5, 7], start: 0, period: 3)
        let rows = (0..<6).flatMap { query in (0..<6).map { $0 <= query ? 1 / Double(query + 1) : 0 } }
        var scores = HeadScoreAccumulator(definitions, headCount: 1, tokens: prompt.tokens, prompt)
        try scores.add(try Tensor(rows, shape: [1, 6, 6]), firstQuery: 0)
        return definitions.map { scores.values(of: $0)[0] }
    }

    @Test("take the place one period before for means, and every place of the token for TransformerLens's detectors")
    func collision() throws {
        let found = try scores([
            HeadScoreDefinition(.duplicateToken), HeadScoreDefinition(.induction),
            HeadScoreDefinition(.duplicateToken, .product), HeadScoreDefinition(.induction, .product),
            HeadScoreDefinition(.duplicateToken, .difference),
        ])
        // Queries 3, 4, 5 see one such key each: 1/4, 1/5, 1/6.
        let mean = (1.0 / 4 + 1.0 / 5 + 1.0 / 6) / 3
        // Query 1 has one earlier place, 3 two, 4 three and 5 one; all rows together are 6.
        let shared = 1.0 / 2 + 2.0 / 4 + 3.0 / 5 + 1.0 / 6
        let missing = 1.0 / 2 + 2 * 3.0 / 4 + 3 * 4.0 / 5 + 5.0 / 6
        let distance = (6 - shared + missing) / 6
        let expected = [mean, mean, shared / 6, shared / 6, 1 - (1000 * distance).rounded() / 1000]
        for (one, other) in zip(found, expected) { #expect(abs(one - other) < 1e-12) }
    }

    @Test("are the same in any order and company of definitions")
    func order() throws {
        let all = HeadScoreDefinition.allCases
        let (forward, backward) = (try scores(all), try scores(all.reversed()))
        #expect(forward == backward.reversed())
        for (index, definition) in all.enumerated() { #expect(try scores([definition]) == [forward[index]]) }
    }
}
