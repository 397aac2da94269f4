import Inference
import LanguageModels
import Models
import Testing
import Tokenizers

@Suite("An answer ends")
struct EndingTests {
    /// Forces tokens in turn, by their place in the answer.
    struct Script: LogitProcessor {
        let name = "script"
        let tokens: [TokenID]
        func process(_ candidates: Candidates, after history: TokenHistory) {
            let place = history.answered.values.reduce(0, +)
            if place < tokens.count { candidates.set(tokens[place], to: 1e4) }
        }
    }

    private func play(
        _ tokens: [TokenID], stop: [String] = [], most: Int? = nil, contextLength: Int = 4096
    ) throws -> (steps: [String], answer: Answer) {
        let session = try FakeSession(contextLength: contextLength, ends: [63])
        var options = try GenerationOptions(Sampling(stop: stop, maximumTokens: most))
        options.chain = ProcessorChain([Script(tokens: tokens)])
        var steps: [String] = []
        let answer = try session.generator.generate(try session.generator.begin([0]), options) { steps.append($0.text) }
        return (steps, answer)
    }

    @Test("a generation ends at an end-of-turn token, which is a step")
    func endToken() throws {
        let (steps, answer) = try play([7, 8, 63, 9])
        #expect(steps == ["H", "I", ""])
        #expect(answer.finish == .stop && answer.text == "HI" && answer.usage.output == 3)
    }

    @Test("a generation ends before a stop text of several tokens")
    func stopText() throws {
        let (steps, answer) = try play([7, 8, 0, 1, 2, 9], stop: ["ABC"])
        #expect(steps == ["H", "I", "", "", ""])
        #expect(answer.finish == .stop && answer.text == "HI")
    }

    @Test("after as many tokens as were asked for, with what was held back")
    func maximum() throws {
        let (steps, answer) = try play([7, 0, 1, 2], stop: ["ABD"], most: 3)
        #expect(steps == ["H", "", "AB"])
        #expect(answer.finish == .length && answer.text == "HAB")
        #expect(try play([7], most: 0).answer == play([7], most: 0).answer)
        #expect(try play([7], most: 0).answer.usage.output == 0)
    }

    @Test("a generation ends when the context is full")
    func context() throws {
        let (steps, answer) = try play([7, 8, 9, 10, 11, 12], contextLength: 5)
        #expect(steps == ["H", "I", "J", "K"] && answer.finish == .length)
    }

    @Test("never within a character: its bytes come together, or as a replacement where they stay incomplete")
    func characters() throws {
        #expect(try play([7, 60, 61, 62, 8, 63]).steps == ["H", "", "", "€", "I", ""])
        #expect(try play([7, 60, 61], most: 3).steps == ["H", "", "\u{FFFD}"])
        #expect(try play([60, 61, 62, 7], stop: ["€H"]).answer.text == "")
    }

    @Test("cancellation between chunks, layers, or tokens keeps the text so far", arguments: 0..<12)
    func cancelled(after checks: Int) throws {
        let session = try FakeSession(prefillChunk: 20)
        let completion = try session.generator.begin((0..<50).map(TokenID.init))
        let options = try GenerationOptions(Sampling(seed: 1, maximumTokens: 1000))
        var asked = 0
        let answer = try session.generator.generate(
            completion, options,
            isCancelled: {
                asked += 1
                return asked > checks
            }, receive: { _ in })
        #expect(answer.finish == .cancelled)
        #expect(asked == checks + 1)
        #expect(session.pool.faults([completion.cache]) == [])
        #expect(completion.cache.pageCount == (completion.cache.length + 31) / 32)

        // It goes on as if nothing had been.
        try session.generator.generate(completion, options.with(maximumTokens: 5))
        let fresh = try session.generator.begin((0..<50).map(TokenID.init))
        try session.generator.generate(fresh, options.with(maximumTokens: completion.steps.count))
        #expect(fresh.tokens == completion.tokens)
    }

    @Test("canceled with a text held back, which it then tells apart")
    func tail() throws {
        let session = try FakeSession()
        var options = try GenerationOptions(Sampling(stop: ["ABX"]))
        options.chain = ProcessorChain([Script(tokens: [7, 0, 1])])
        var received = ""
        var count = 0
        let answer = try session.generator.generate(
            try session.generator.begin([0]), options, isCancelled: { count == 3 },
            receive: {
                received += $0.text
                count += 1
            })
        #expect(received == "H" && answer.tail == "AB" && answer.text == "HAB")
    }
}
