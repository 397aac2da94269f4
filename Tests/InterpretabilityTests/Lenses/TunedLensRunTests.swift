import Interpretability
import System
import Testing
import Tokenizers

@Suite("Tuned lens, learned while a model reads")
struct TunedLensRunTests {
    private let sequences: [[TokenID]] = [[1, 2, 3, 4, 5, 6], [], [7, 3, 9, 1], [2, 2, 8, 10, 0]]

    @Test("brings every point nearer to the end, and reports its progress")
    func train() throws {
        let model = try TransformerLensGolden.small().model("llama", as: Float.self)
        var (shares, divergences): ([Double], [Double]) = ([], [])
        let lens = try TunedLensRun.train(
            model, over: sequences, steps: 100, tokens: 20,
            progress: { share, divergence in
                shares.append(share)
                divergences.append(divergence)
            })
        #expect(lens.points == [.pre(layer: 0), .pre(layer: 1)] && lens.width == model.width)
        #expect(shares.count == 100 && shares.last == 1)
        #expect(try #require(divergences.last) < 0.9 * divergences[0], "\(divergences[0]) to \(divergences[99])")
    }

    @Test("stops when canceled, and needs a text")
    func ends() throws {
        let model = try TransformerLensGolden.small().model("llama", as: Float.self)
        let error = #expect(throws: Problem.self) {
            try TunedLensRun.train(model, over: sequences, steps: 2, tokens: 20, isCancelled: { true })
        }
        #expect(error?.kind == .cancelled)
        let empty = #expect(throws: Problem.self) {
            try TunedLensRun.train(model, over: [[]], steps: 2, tokens: 20)
        }
        #expect(empty?.sentence == "tuned lens: no training text. Use a longer text.")
    }
}
