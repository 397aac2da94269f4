import Glibc
import Interpretability
import Models
import Testing

@Suite("Entropy of heads while a text is read")
struct StreamedEntropyTests {
    @Test("is the mean of that of each row of the pattern")
    func entropy() throws {
        let model = try LiveModels.mini()
        let tokens = model.tokens(of: LiveModels.text)
        let run = try model.run(tokens)
        try run.read()
        let scores = run.snapshot.attention.scores
        for (layer, pattern) in try LiveModels.patterns(model, tokens).enumerated() {
            for head in 0..<pattern.shape[0] {
                let first = head * tokens.count * tokens.count
                let sum = pattern.values[first..<first + tokens.count * tokens.count].reduce(0.0) { sum, weight in
                    weight > 0 ? sum - Double(weight) * log(Double(weight)) : sum
                }
                let found = try #require(scores.score(.entropy, layer: layer, head: head))
                #expect(abs(Double(found) - sum / Double(tokens.count)) < 1e-4)
            }
        }
    }
}
