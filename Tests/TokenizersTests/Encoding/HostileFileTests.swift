import Testing
import Tokenizers

/// Files with bytes changed, removed or repeated: each makes a tokenizer that works, or is refused by a sentence.
@Suite("Hostile vocabularies")
struct HostileFileTests {
    private static let texts = ["", "an orrery turns", "İ 12 '\u{17F} 東京 😀\u{0}", String(repeating: "ta", count: 300)]

    /// Encodes and decodes with whatever tokenizer came out.
    private static func use(_ tokenizer: Tokenizer) {
        for text in texts {
            let encoding = tokenizer.encoding(of: text, parsingSpecialTokens: true)
            #expect(encoding.ids.allSatisfy { $0 >= 0 && Int($0) < tokenizer.vocabularySize })
            #expect(encoding.offsets.allSatisfy { $0.upperBound <= text.utf8.count })
            #expect(tokenizer.encode(text, parsingSpecialTokens: true) == encoding.ids)
            _ = tokenizer.decode(encoding.ids, skippingSpecialTokens: false)
        }
    }

    @Test("mutated files are read or refused", arguments: ModelGolden.all)
    func mutations(golden: ModelGolden) {
        var random = SeededTexts(UInt64(golden.file.count))
        var refused = 0
        for _ in 0..<60 {
            let bytes = random.mutated(golden.file)
            do {
                Self.use(golden.isPieceModel ? try Tokenizer(sentencePiece: bytes) : try Tokenizer(json: bytes))
            } catch {
                refused += 1
                #expect(error.sentence.hasSuffix("."))
            }
        }
        #expect(refused > 2)
    }

    @Test(
        "wrong files are answered with a sentence",
        arguments: [
            ("", "tokenizer.json: invalid JSON (Byte 0: missing JSON value)."),
            ("[]", "tokenizer.json, model: the model is missing. Check that the file is a tokenizer.json."),
            (#"{"model":{"type":"BPE"}}"#, "tokenizer.json, model: vocab is missing."),
            (
                #"{"model":{"type":"Magic","vocab":{}}}"#,
                "tokenizer.json, model: unknown model type Magic."
            ),
            (
                #"{"model":{"type":"BPE","vocab":{"a":0,"b":1},"merges":["a b"]}}"#,
                "tokenizer.json, model.merges: merge 0 has a token that is not in the vocabulary. "
                    + "Use the vocabulary and the merges from the same source."
            ),
            (
                #"{"model":{"type":"BPE","vocab":{"a":0},"merges":["a"]}}"#,
                "tokenizer.json, model.merges: merge 0 must be two tokens."
            ),
            (
                #"{"model":{"type":"BPE","vocab":{"a":-1},"merges":[]}}"#,
                "tokenizer.json, model.vocab: a token ID must be a number from 0 to 16,777,215."
            ),
            (
                #"{"model":{"type":"BPE","vocab":{"a":9000000},"merges":[]}}"#,
                "tokenizer.json, model.vocab: token IDs go up to 9000000, but the token count is 1."
            ),
            (
                #"{"model":{"type":"BPE","vocab":{"a":0,"b":0},"merges":[]}}"#,
                "tokenizer.json, model.vocab: duplicate token ID 0."
            ),
            (
                #"{"model":{"type":"WordLevel","vocab":{"a":0}},"pre_tokenizer":{"type":"Oracle"}}"#,
                "tokenizer.json, pre_tokenizer: unknown step type Oracle."
            ),
            (
                #"{"model":{"type":"WordLevel","vocab":{"a":0}},"pre_tokenizer":{"type":"Split","pattern":{"Regex":"("}}}"#,
                "pattern, character 1: unclosed group."
            ),
            (
                #"{"model":{"type":"WordLevel","vocab":{"a":0}},"normalizer":{"type":"Precompiled","precompiled_charsmap":"////////"}}"#,
                "precompiled_charsmap: the trie must have 4294967295 bytes, but only 2 follow. "
                    + "Download the file again."
            ),
            (
                #"{"model":{"type":"WordLevel","vocab":{"a":0}},"post_processor":{"type":"BertProcessing","sep":["x",7],"cls":["y",0]}}"#,
                "tokenizer.json, post_processor: sep is not a token."
            ),
        ])
    func sentences(json: String, sentence: String) {
        do {
            _ = try Tokenizer(json: Array(json.utf8))
            Issue.record("it was read")
        } catch {
            #expect(error.sentence == sentence)
        }
    }

    @Test("sequences that are nested without end are refused")
    func nesting() {
        for count in [40, 100, 5_000] {
            let steps =
                String(repeating: #"{"type":"Sequence","normalizers":["#, count: count)
                + String(repeating: "]}", count: count)
            let json = #"{"normalizer":"# + steps + #","model":{"type":"WordLevel","vocab":{"a":0}}}"#
            #expect(throws: TokenizerError.self) { try Tokenizer(json: Array(json.utf8)) }
        }
    }

    @Test("descriptions that contradict themselves are refused")
    func descriptions() throws {
        var good = VocabularyDescription(model: "gpt2", pre: "gpt-2")
        good.tokens = ByteStrings(["a", "b", "ab", "<|x|>"])
        good.types = [1, 1, 1, 3]
        good.merges = ByteStrings(["a b"])
        #expect(try Tokenizer(good).encode("ab") == [2])
        let faults: [(inout VocabularyDescription) -> Void] = [
            { $0.model = "magic" }, { $0.pre = "magic" }, { $0.types = [1] }, { $0.types = [1, 1, 1, 99] },
            { $0.tokens = ByteStrings() }, { $0.merges = ByteStrings(["ab"]) }, { $0.merges = ByteStrings(["a "]) },
            { $0.merges = ByteStrings(["a x"]) }, { $0.special.bos = 4 }, { $0.special.eos = -3 },
            { $0.model = "llama" }, { $0.model = "t5" }, { $0.scores = [1, 2] },
        ]
        for fault in faults {
            var bad = good
            fault(&bad)
            #expect(throws: TokenizerError.self) { try Tokenizer(bad) }
        }
    }

    @Test("a vocabulary's merges never make structure of text")
    func mergesIntoControl() throws {
        var description = VocabularyDescription(model: "gpt2", pre: "gpt-2")
        description.tokens = ByteStrings(["<", "|", ">", "<|", "<|>"])
        description.types = [1, 1, 1, 1, 3]
        description.merges = ByteStrings(["< |", "<| >"])
        let tokenizer = try Tokenizer(description)
        #expect(tokenizer.encode("<|>") == [3, 2])
        #expect(tokenizer.encode("<|>", parsingSpecialTokens: true) == [4])
    }
}
