import JSON
import Testing
import Tokenizers

/// Merging by scanning, with a heap and from the cache gives what the definition of byte-pair encoding gives.
@Suite("Byte-pair merges")
struct MergeTests {
    /// The pieces of a word: the earliest merge first, the leftmost of its places, until none is left.
    private static func naive(_ word: [UInt8], _ ranks: [[[UInt8]]: Int]) -> [[UInt8]] {
        var parts = word.map { [$0] }
        while true {
            var best: (rank: Int, place: Int)?
            for place in 0..<max(parts.count - 1, 0) {
                if let rank = ranks[[parts[place], parts[place + 1]]], rank < best?.rank ?? .max {
                    best = (rank, place)
                }
            }
            guard let best else { return parts }
            parts.replaceSubrange(best.place...best.place + 1, with: [parts[best.place] + parts[best.place + 1]])
        }
    }

    @Test("words of every length agree with the naive twin")
    func twin() throws {
        let golden = try #require(ModelGolden.named("gpt2"))
        let tokenizer = try golden.tokenizer()
        var ranks: [[[UInt8]]: Int] = [:]
        try JSONDocument(parsing: golden.file).withRoot { root in
            for (rank, merge) in try #require(root["model"]?["merges"]).elements.enumerated() {
                let pair = merge.elements.map { Array(($0.string ?? "").utf8) }
                ranks[pair] = rank
            }
        }
        #expect(ranks.count > 100)
        var random = SeededTexts(77)
        let letters = Array("taekonisruhgq".utf8)
        for length in Array(1...70) + [200, 700] {
            let word = (0..<length).map { _ in letters.randomElement(using: &random) ?? 0 }
            let text = String(decoding: word, as: UTF8.self)
            let wanted = Self.naive(word, ranks)
            let ids = tokenizer.encode(text)
            #expect(ids.map { tokenizer.bytes(of: $0) } == wanted)
            // From the cache, and with offsets, which do without it.
            #expect(tokenizer.encode(text) == ids)
            #expect(tokenizer.encoding(of: text).ids == ids)
        }
    }

    @Test("several threads share a tokenizer")
    func threads() async throws {
        let golden = try #require(ModelGolden.named("llama3"))
        let tokenizer = try golden.tokenizer()
        await withTaskGroup(of: Bool.self) { group in
            for _ in 0..<8 {
                group.addTask {
                    golden.cases.allSatisfy { wanted in wanted.ids.map { tokenizer.encode(wanted.text) == $0 } ?? true }
                }
            }
            for await isRight in group { #expect(isRight) }
        }
    }

    @Test("a tiktoken file merges by the ranks of its tokens")
    func tiktoken() throws {
        // a, b, c, ab, bc, abc in base64.
        let file = "YQ== 0\nYg== 1\nYw== 2\nYWI= 3\nYmM= 4\nYWJj 5\n"
        let tokenizer = try Tokenizer(tiktoken: Array(file.utf8), pre: "gpt-2", specialTokens: ["<|endoftext|>": 6])
        #expect(tokenizer.encode("abcbcab") == [5, 4, 3])
        #expect(tokenizer.encode("abc") == [5])
        #expect(tokenizer.encode("a<|endoftext|>", parsingSpecialTokens: true) == [0, 6])
        #expect(tokenizer.decode([5, 4, 3]) == "abcbcab")
        #expect(tokenizer.endOfGeneration == [6] && tokenizer.vocabularySize == 7)
        for bad in ["YQ== x", "YQ==", "?? 1", "", "YQ== 99999999"] {
            #expect(throws: TokenizerError.self) {
                try Tokenizer(tiktoken: Array(bad.utf8), pre: "gpt-2", specialTokens: [:])
            }
        }
    }
}
