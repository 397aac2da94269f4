import Glibc
import Inference
import LanguageModels
import Testing
import Tokenizers

@Suite("The likelihood of a given text")
struct ScoringTests {
    @Test("scores of generated text equal the probabilities during generation")
    func own() throws {
        let session = try FakeSession(prefillChunk: 7)
        let completion = try session.generator.begin([4, 5, 6])
        try session.generator.generate(
            completion, try GenerationOptions(Sampling(temperature: 0.8, seed: 2, maximumTokens: 40), alternatives: 64))
        let scores = try session.generator.score(completion.tokens, from: 3)
        #expect(scores.map(\.id) == Array(completion.answer))
        for (score, step) in zip(scores, completion.steps) {
            #expect(score.logProbability == step.logProbability && score.entropy == step.entropy)
            let rank = step.alternatives?.firstIndex { $0.id == Int(score.id) }
            #expect(score.rank == (rank ?? -2) + 1)
        }
        let sum = completion.steps.reduce(0) { $0 + ($1.logProbability ?? 0) }
        #expect(abs(scores.logLikelihood - sum) < 1e-12)
        #expect(abs((scores.perplexity ?? 0) - exp(-sum / 40)) < 1e-9)
    }

    @Test("given a prompt is the end of that of the whole, and shares pages that were read")
    func prompt() throws {
        let session = try FakeSession()
        let text = (0..<90).map { TokenID($0 * 7 % 60) }
        let whole = try session.generator.score(text)
        #expect(whole.count == 89)
        let read = try session.generator.begin(Array(text[..<70]))
        try session.generator.generate(read, GenerationOptions(.greedy).with(maximumTokens: 1))
        let before = session.decoder.passes.count
        #expect(try session.generator.score(text, from: 70, sharing: [read]) == Array(whole.suffix(20)))
        #expect(session.decoder.passes[before...].flatMap(\.self) == [20])
    }

    @Test("the score of no tokens is empty")
    func nothing() throws {
        let generator = try FakeSession().generator
        #expect(try generator.score([1]).isEmpty && generator.score([]).isEmpty)
        #expect([ScoredToken]().perplexity == nil)
        #expect(throws: (any Error).self) { try generator.score([1, 99]) }
    }
}
