import Interpretability
import Models
import System
import Testing
import Tokenizers

/// How a text ends, and how it goes on with a token of one's own.
struct RunEndTests {
    @Test("a token that ends the text is the last one, until another is chosen for it")
    func endToken() throws {
        let model = try LiveModels.mini()
        let prompt = model.tokens(of: "Once upon a time")
        let plain = try model.run(prompt, RunOptions(endTokens: []))
        for _ in 0..<4 { _ = try plain.step() }
        let end = plain.snapshot.tokens[prompt.count + 2]
        let first = try #require(plain.snapshot.tokens[prompt.count...].firstIndex(of: end))

        let run = try model.run(prompt, RunOptions(endTokens: [end]))
        while try run.step() != nil {}
        #expect(run.snapshot.finish == .endToken && run.snapshot.tokens == Array(plain.snapshot.tokens[...first]))
        #expect(run.snapshot.readCount == first + 1)
        #expect(try run.step() == nil)
        try run.append(end == 9 ? 10 : 9)
        #expect(run.snapshot.finish == nil && run.snapshot.readCount == first + 2)
        #expect(try run.step() != nil)
    }

    @Test("a full context ends it, and takes no token more")
    func contextFull() throws {
        let model = try InspectedModel(
            path: LiveModels.root + "/sample-data/models/orrery-mini",
            options: InspectedModel.Options(contextLength: 9))
        let run = try model.run([1, 20, 30, 40, 50], RunOptions(endTokens: []))
        var count = 0
        while try run.step() != nil { count += 1 }
        #expect(count == 4 && run.snapshot.finish == .contextFull && run.snapshot.tokens.count == 9)
        let error = #expect(throws: Problem.self) { try run.append(3) }
        #expect(error?.sentence == "orrery-mini: the context of 9 tokens is full. Start again with a shorter text.")
        #expect(throws: Problem.self) { try model.run([TokenID](repeating: 5, count: 9)) }
    }

    @Test("a token of one's own is scored and read like a drawn one")
    func append() throws {
        let model = try LiveModels.mini()
        let prompt = model.tokens(of: "Once upon a time")
        let drawn = try model.run(prompt, RunOptions(endTokens: []))
        for _ in 0..<3 { _ = try drawn.step() }
        let chosen = try model.run(prompt, RunOptions(endTokens: []))
        for token in drawn.snapshot.tokens[prompt.count...] { try chosen.append(token) }
        #expect(chosen.snapshot.records == drawn.snapshot.records)
        let error = #expect(throws: Problem.self) { try chosen.append(100_000) }
        #expect(error?.what == "token 100000 is not in the vocabulary")
    }
}
