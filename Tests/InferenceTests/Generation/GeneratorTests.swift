import Inference
import LanguageModels
import Models
import Testing
import Tokenizers

@Suite("Generation")
struct GeneratorTests {
    @Test("goes on from a prompt, token by token, and says what it thought of each")
    func example() throws {
        let session = try FakeSession()
        let completion = try session.generator.begin([1, 2, 3])
        var steps: [TokenStep] = []
        let options = try GenerationOptions(Sampling(temperature: 0, maximumTokens: 5), alternatives: 3)
        let answer = try session.generator.generate(completion, options) { steps.append($0) }
        #expect(answer.finish == .length)
        #expect(answer.usage == Usage(input: 3, output: 5))
        #expect(answer.text == steps.map(\.text).joined())
        #expect(completion.steps == steps && steps.count == 5)
        #expect(completion.answer.map(Int.init) == steps.map(\.id))
        for step in steps {
            #expect(step.alternatives?.count == 3)
            #expect(step.alternatives?.first?.id == step.id)
            #expect(step.alternatives?.first?.logProbability == step.logProbability)
            #expect((step.entropy ?? -1) > 0 && (step.seconds ?? -1) >= 0)
        }
        #expect(session.decoder.passes == [[3], [1], [1], [1], [1]])
    }

    @Test("is the same from a prompt read whole and in chunks")
    func chunks() throws {
        let prompt = (0..<100).map { TokenID($0 % 50) }
        let options = try GenerationOptions(Sampling(seed: 3, maximumTokens: 30))
        let (whole, pieces) = (try FakeSession(), try FakeSession(prefillChunk: 33))
        let one = try whole.generator.begin(prompt)
        let two = try pieces.generator.begin(prompt)
        try whole.generator.generate(one, options)
        try pieces.generator.generate(two, options)
        #expect(one.tokens == two.tokens)
        #expect(Array(pieces.decoder.passes.prefix(5)) == [[33], [33], [33], [1], [1]])
    }

    @Test("equal seeds give equal tokens alone, in a batch, in halves, and after a branch")
    func seeds() throws {
        let session = try FakeSession()
        let generator = session.generator
        let options = try GenerationOptions(
            Sampling(temperature: 0.9, topK: 30, topP: 0.95, repetitionPenalty: 1.2, seed: 42, maximumTokens: 40))
        let batch = try generator.begin([5, 6, 7], count: 4)
        _ = try generator.generate(batch, options) { _ in }
        #expect(Set(batch.map(\.tokens)).count == 4)
        for (stream, together) in batch.enumerated() {
            let alone = try generator.begin([5, 6, 7], stream: UInt64(stream))
            try generator.generate(alone, options)
            #expect(alone.tokens == together.tokens)
            // A branch in the middle of a page that goes on unchanged repeats the rest.
            let branch = alone.branch(at: 17)
            var rest = options
            rest.maximumTokens = 23
            try generator.generate(branch, rest)
            #expect(branch.tokens == together.tokens)
            #expect(branch.steps.map(\.text) == together.steps.map(\.text))
        }
    }

    @Test("answers to one prompt read it once and share its pages")
    func sharing() throws {
        let session = try FakeSession()
        let completions = try session.generator.begin((0..<64).map { TokenID($0 % 60) }, count: 3)
        let options = try GenerationOptions(Sampling(seed: 1, maximumTokens: 4))
        var order: [Int] = []
        let answers = try session.generator.generate(completions, options) { order.append($0.index) }
        #expect(session.decoder.passes == [[64], [1, 1, 1], [1, 1, 1], [1, 1, 1]])
        #expect(order == Array(repeating: [0, 1, 2], count: 4).flatMap(\.self))
        #expect(session.pool.counts.shared == 2 && session.pool.counts.used == 5)
        #expect(answers.map(\.usage.cacheRead) == [0, 64, 64])
        #expect(completions.map { $0.cache.pageMap.map(\.owners) } == Array(repeating: [3, 3, 1], count: 3))
    }

    @Test("a prompt that begins like an earlier text reads only what is new")
    func prefix() throws {
        let session = try FakeSession()
        let options = try GenerationOptions(Sampling(seed: 1, maximumTokens: 10))
        let first = try session.generator.begin((0..<50).map(TokenID.init))
        try session.generator.generate(first, options)
        let question = first.tokens + [9, 9, 9]
        let second = try session.generator.begin(question, sharing: [try session.generator.begin([0, 1]), first])
        let answer = try session.generator.generate(second, options)
        #expect(answer.usage.cacheRead == 59)  // the last token of the first answer was drawn, not read
        let fresh = try session.generator.begin(question)
        try session.generator.generate(fresh, options)
        #expect(fresh.tokens == second.tokens)
    }

    @Test("another token is chosen, both ways go on, and meet again in the same pages")
    func branches() throws {
        let session = try FakeSession()
        let generator = session.generator
        let options = try GenerationOptions(.greedy, alternatives: 4).with(maximumTokens: 60)
        let trunk = try generator.begin([1, 2, 3])
        try generator.generate(trunk, options)
        let other = try #require(trunk.steps[20].alternatives?[1])
        let branch = try generator.branch(trunk, at: 20, choosing: TokenID(other.id ?? -1))
        #expect(branch.tokens.count == 24 && branch.steps.last?.logProbability == other.logProbability)
        #expect(branch.steps.last?.alternatives?.map(\.id) == trunk.steps[20].alternatives?.map(\.id))
        try generator.generate(branch, options)
        #expect(branch.tokens[..<23] == trunk.tokens[..<23] && branch.tokens[23] != trunk.tokens[23])

        // The same words typed by hand, then shared.
        let copy = try generator.begin(trunk.tokens)
        try generator.generate(copy, options.with(maximumTokens: 1))
        let before = session.pool.counts.used
        copy.rejoin(trunk)
        #expect(session.pool.counts.used == before - 1)
        #expect(session.pool.faults([trunk.cache, branch.cache, copy.cache]) == [])
        try generator.generate(copy, options)
        let straight = try generator.begin([1, 2, 3])
        try generator.generate(straight, options.with(maximumTokens: copy.tokens.count - 3))
        #expect(copy.tokens == straight.tokens)
    }

    @Test("refuses a prompt in a sentence that says why")
    func refusals() throws {
        let generator = try FakeSession(contextLength: 8).generator
        let cases: [([TokenID], String)] = [
            ([], "fake: the prompt is empty. Use a prompt with at least one token."),
            (Array(repeating: 1, count: 8), "fake: 8 tokens and a reply exceed the context length of 8."),
            ([3, 64], "fake: token 64 is not in the vocabulary of 64."),
            ([-1], "fake: token -1 is not in the vocabulary of 64."),
        ]
        for (prompt, words) in cases {
            #expect { try generator.begin(prompt) } throws: { "\($0)".hasPrefix(words) }
        }
    }

    @Test("pages run out: the answer ends with an error, and the text can go on once there is room")
    func budget() throws {
        let session = try FakeSession(positions: 64)
        let options = try GenerationOptions(.greedy).with(maximumTokens: 40)
        let other = try session.generator.begin(Array(repeating: 2, count: 20))
        try session.generator.generate(other, options.with(maximumTokens: 1))
        let completion = try session.generator.begin([1, 2, 3])
        #expect(throws: ModelError.self) { try session.generator.generate(completion, options) }
        #expect(completion.tokens.count == 33 && completion.cache.length == 32)
        #expect(session.pool.faults([other.cache, completion.cache]) == [])
        other.cache.truncate(to: 0)
        let answer = try session.generator.generate(completion, options.with(maximumTokens: 10))
        #expect(answer.usage.output == 10)
        let fresh = try FakeSession()
        let whole = try fresh.generator.begin([1, 2, 3])
        try fresh.generator.generate(whole, options)
        #expect(whole.tokens == completion.tokens)
    }
}

extension GenerationOptions {
    func with(maximumTokens: Int) -> GenerationOptions {
        var options = self
        options.maximumTokens = maximumTokens
        return options
    }
}
