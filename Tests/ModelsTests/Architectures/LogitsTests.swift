import Kernels
import Models
import Testing
import Tokenizers

@Suite("Decoders compute what transformers computes")
struct LogitsTests {
    static let cases: [(name: String, length: Int)] = [
        ("llama", 40), ("mistral", 24), ("qwen2", 24), ("qwen3", 24), ("gemma2", 24), ("gemma3", 24), ("gpt2", 24),
        ("phi3", 12), ("phi3", 40), ("mixtral", 24),
    ]

    @Test("the logits of every position, in one pass", arguments: cases)
    func onePass(name: String, length: Int) throws {
        let golden = try Golden(name)
        let found = try logits(golden.transformer, golden.tokens("tokens.\(length)"))
        let expected = try golden.values("logits.\(length)").values
        #expect(worst(found, expected) <= 2e-5)
        #expect(otherChoices(found, expected, vocabulary: 96) == [])
        #expect(expected.max()! > 1)  // they say something
    }

    @Test("the logits of every position, in pieces", arguments: cases.filter { $0 != ("phi3", 40) }, [1, 7])
    func pieces(of golden: (name: String, length: Int), size: Int) throws {
        let (name, length) = golden
        let golden = try Golden(name)
        let found = try logits(golden.transformer, golden.tokens("tokens.\(length)"), pieces: size)
        #expect(worst(found, try golden.values("logits.\(length)").values) <= 2e-5)
    }

    @Test("only the last position is computed where only it is asked for", arguments: cases)
    func lastPosition(name: String, length: Int) throws {
        let golden = try Golden(name)
        let tokens = try golden.tokens("tokens.\(length)")
        let cache = ContiguousKeyValues(golden.transformer.configuration)
        let found = try golden.transformer.forward([Segment(tokens, cache: cache)], in: ForwardPass())
        #expect(found.rows == 1)
        let expected = try golden.values("logits.\(length)").values.suffix(96)
        #expect(worst(Array(found[0]), Array(expected)) <= 2e-5)
        #expect(cache.length == length)
    }

    @Test("sequences of one batch do not see each other", arguments: ["llama", "gemma3", "gpt2", "mixtral", "phi3"])
    func batch(name: String) throws {
        let golden = try Golden(name)
        let length = name == "llama" ? 40 : name == "phi3" ? 12 : 24
        let tokens = try golden.tokens("tokens.\(length)")
        let pass = ForwardPass()
        let alone = try logits(golden.transformer, tokens)
        let caches = (0..<3).map { _ in ContiguousKeyValues(golden.transformer.configuration) }
        _ = try golden.transformer.forward(
            [
                Segment(Array(tokens[..<5]), cache: caches[0], outputs: .none),
                Segment(Array(tokens[..<3]), cache: caches[1], outputs: .all),
            ], in: pass)
        let found = try golden.transformer.forward(
            [
                Segment(Array(tokens[5..<9]), cache: caches[0], outputs: .last),
                Segment(Array(tokens[..<2]), cache: caches[2], outputs: .none),
                Segment(Array(tokens[3..<6]), cache: caches[1], outputs: .all),
            ], in: pass)
        #expect(found.rows == 4)
        #expect(worst(Array(found[0]), Array(alone[8 * 96..<9 * 96])) <= 2e-5)
        for row in 1..<4 {
            let position = row + 2
            #expect(worst(Array(found[row]), Array(alone[position * 96..<(position + 1) * 96])) <= 2e-5)
        }
        #expect(caches.map(\.length) == [9, 6, 2])
    }

    @Test("the bits do not depend on the number of threads", arguments: ["llama", "gemma2", "mixtral"])
    func threads(name: String) throws {
        let golden = try Golden(name)
        let tokens = try golden.tokens(name == "llama" ? "tokens.40" : "tokens.24")
        let one = try logits(golden.transformer, tokens, in: ForwardPass(pool: ThreadPool(threads: 1)))
        let three = try logits(golden.transformer, tokens, in: ForwardPass(pool: ThreadPool(threads: 3)))
        #expect(one == three)
    }

    @Test("a GPT-2 with other positions", arguments: ["sinusoidal", "alibi", "none"])
    func otherPositions(name: String) throws {
        let golden = try Golden("gpt2")
        let positions: [String: PositionEncoding] = ["sinusoidal": .sinusoidal, "alibi": .alibi, "none": .none]
        var configuration = golden.transformer.configuration
        configuration.positions = positions[name]!
        let checkpoint = Reconfigured(base: try Checkpoints.open(golden.folder), configuration: configuration)
        let transformer = try Transformer.load(checkpoint)
        let expected = try golden.values("positions.\(name)").values
        for pieces in [20, 3] {
            let found = try logits(transformer, golden.tokens("positions.tokens"), pieces: pieces)
            #expect(worst(found, expected) <= 2e-5)
        }
    }

    @Test("ALiBi slopes for a head count that is not a power of two")
    func slopes() {
        #expect(alibiSlopes(heads: 4) == [0.25, 0.0625, 0.015625, 0.00390625])
        // 2^(-8/4 i), then every other one of 2^(-8/8 i).
        #expect(alibiSlopes(heads: 6) == [0.25, 0.0625, 0.015625, 0.00390625, 0.5, 0.125])
    }
}

/// A checkpoint that says something else of itself.
struct Reconfigured: Checkpoint {
    let base: any Checkpoint
    let configuration: ModelConfiguration
    var path: String { base.path }
    func shape(of name: String) -> [Int]? { base.shape(of: name) }
    func matrix(_ name: String, rows: Int, columns: Int) throws(ModelError) -> WeightMatrix {
        try base.matrix(name, rows: rows, columns: columns)
    }
    func matrices(_ name: String, count: Int, rows: Int, columns: Int) throws(ModelError) -> [WeightMatrix] {
        try base.matrices(name, count: count, rows: rows, columns: columns)
    }
    func vector(_ name: String, count: Int) throws(ModelError) -> [Float] { try base.vector(name, count: count) }
}
