import Glibc
import JSON
import Models
import TestFixtures
import Testing
import Tokenizers

@Suite("Encoders")
struct EncoderTests {
    private func texts(_ golden: Golden) throws -> (tokens: [[TokenID]], types: [[Int]]) {
        let lengths = try golden.tokens("lengths").map(Int.init)
        let (ids, types) = (try golden.tokens("tokens"), try golden.tokens("types"))
        let width = ids.count / lengths.count
        return (
            lengths.enumerated().map { Array(ids[$0.offset * width..<$0.offset * width + $0.element]) },
            lengths.enumerated().map { types[$0.offset * width..<$0.offset * width + $0.element].map(Int.init) }
        )
    }

    @Test("vectors are those of transformers, whichever way they are pooled", arguments: [Pooling.mean, .cls])
    func vectors(pooling: Pooling) throws {
        let golden = try Golden("bert")
        let (tokens, types) = try texts(golden)
        let expected = try golden.values(pooling.rawValue).values
        let together = try golden.transformer.encode(tokens, tokenTypes: types, pooling: pooling, in: ForwardPass())
        #expect(worst(together.values, expected) <= 2e-6)
        for text in 0..<2 {
            let alone = try golden.transformer.encode(
                [tokens[text]], tokenTypes: [types[text]], pooling: pooling, in: ForwardPass())
            #expect(worst(alone.values, Array(expected[text * 32..<(text + 1) * 32])) <= 2e-6)
        }
    }

    @Test("a cross-encoder scores through its pooler and head")
    func scores() throws {
        let golden = try Golden("bert")
        let (tokens, types) = try texts(golden)
        let found = try golden.transformer.scores(tokens, tokenTypes: types, in: ForwardPass())
        #expect((found.count, found.width) == (2, 2))
        #expect(worst(found.values, try golden.values("scores").values) <= 5e-6)
    }

    @Test("operations that an encoder lacks are errors")
    func refusals() throws {
        let bert = try Golden("bert").transformer
        let llama = try Golden("llama").transformer
        let pass = ForwardPass()
        let cache = ContiguousKeyValues(bert.configuration)
        func sentence(_ body: () throws -> Void) -> String {
            do {
                try body()
                return ""
            } catch { return (error as? ModelError)?.problem ?? "\(error)" }
        }
        #expect(
            sentence { _ = try bert.forward([Segment([1], cache: cache)], in: pass) }.contains(
                "do not predict a next token"))
        #expect(sentence { _ = try llama.encode([[1]], in: pass) }.contains("do not return embeddings"))
        #expect(sentence { _ = try bert.encode([], in: pass) }.contains("no texts"))
        #expect(sentence { _ = try bert.encode([[1], []], in: pass) }.contains("text 2 has no tokens"))
        #expect(sentence { _ = try bert.encode([[1, 2]], tokenTypes: [[0, 2]], in: pass) }.contains("each below 2"))
        #expect(sentence { _ = try bert.encode([[96]], in: pass) }.contains("token 96 is not in the vocabulary"))
        let long = [TokenID](repeating: 3, count: 33)
        #expect(
            sentence { _ = try bert.encode([long], in: pass) }.contains("33 tokens exceed the context length of 32"))
    }
}

/// all-MiniLM-L6-v2, where ORRERY_MINILM names its folder, against the vectors of the data folder.
@Suite(
    "all-MiniLM-L6-v2",
    .enabled(
        if: getenv("ORRERY_MINILM") != nil && sharedData("retrieval/minilm_reference.json") != nil,
        "ORRERY_MINILM names no model"))
struct MiniLMTests {
    @Test("gives the vectors of sentence-transformers")
    func vectors() throws {
        let transformer = try Transformer.load(Checkpoints.open(String(cString: getenv("ORRERY_MINILM")!)))
        let document = try JSONDocument(parsing: File.bytes(sharedData("retrieval/minilm_reference.json")!)!)
        var worstDifference: Float = 0
        var compared = 0
        try document.withRoot { root in
            for row in root["rows"]!.elements {
                let ids = row["token_ids_first_32"]!.elements.map { TokenID($0.int!) }
                guard ids.count == Int(row["n_tokens"]!.int!) else { continue }
                let expected = row["embedding"]!.elements.map { Float($0.double!) }
                let found = try transformer.encode([ids], in: ForwardPass())
                worstDifference = max(worstDifference, worst(found.values, expected))
                compared += 1
            }
        }
        #expect(compared > 0)
        #expect(worstDifference <= 1e-5)
    }
}
