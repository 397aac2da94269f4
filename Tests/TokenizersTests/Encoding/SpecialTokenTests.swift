import Testing
import Tokenizers

@Suite("Special tokens")
struct SpecialTokenTests {
    private static func description() -> VocabularyDescription {
        var description = VocabularyDescription(model: "gpt2", pre: "gpt-2")
        let bytes = ByteAlphabet.scalars.compactMap { Unicode.Scalar($0).map(String.init) }
        let tokens = bytes + ["<|im_start|>", "<tool_call>", "<h1>", "   ", "[NOTE]"]
        description.tokens = ByteStrings(tokens)
        description.types = bytes.map { _ in 1 } + [3, 4, 4, 4, 4]
        description.special.eos = 256
        description.chatTemplates = ["default": "<|im_start|>{{ m }}   <tool_call>"]
        return description
    }

    @Test(
        "text becomes structure only where that is asked for",
        arguments: [
            ("<|im_start|>", [256], true),
            // A user-defined token in brackets that the template writes is structure,
            ("<tool_call>", [257], true),
            // and one that it does not write, or that is no bracket, is text.
            ("<h1>", [258], false), ("   ", [259], false), ("[NOTE]", [260], false),
        ])
    func structure(text: String, parsed: [TokenID], isStructural: Bool) throws {
        let tokenizer = try Tokenizer(Self.description())
        #expect(tokenizer.encode(text, parsingSpecialTokens: true) == parsed)
        #expect(tokenizer.isStructural(parsed[0]) == isStructural)
        let plain = tokenizer.encode("a\(text)b")
        #expect(plain.contains(parsed[0]) != isStructural)
        #expect(tokenizer.decode(plain, skippingSpecialTokens: false) == "a\(text)b")
    }

    @Test("kinds, pieces, and ids are available")
    func telling() throws {
        let tokenizer = try Tokenizer(Self.description())
        #expect(tokenizer.kind(of: 0) == .normal && tokenizer.kind(of: 256) == .control)
        #expect(tokenizer.piece(0) == "Ā" && tokenizer.bytes(of: 0) == [0])
        #expect(tokenizer.id(of: "Ġ") == tokenizer.encode(" ")[0])
        #expect(tokenizer.id(of: "<h1>") == 258 && tokenizer.id(of: "<h2>") == nil)
        #expect(tokenizer.eos == 256 && tokenizer.bos == nil && tokenizer.endOfGeneration == [256])
        #expect(tokenizer.family.name == "byte-level BPE")
    }

    @Test("a stream gives whole characters, and U+FFFD only for what never becomes one")
    func streaming() throws {
        let tokenizer = try Tokenizer(Self.description())
        func parts(_ bytes: [UInt8]) -> [String] {
            var decoder = StreamDecoder(tokenizer)
            let ids = bytes.map { tokenizer.id(of: String(decoding: ByteAlphabet.encode([$0]), as: UTF8.self)) ?? -1 }
            return ids.map { decoder.append($0) } + [decoder.finish()]
        }
        #expect(parts(Array("é".utf8)) == ["", "é", ""])
        #expect(parts(Array("😀".utf8)) == ["", "", "", "😀", ""])
        #expect(parts([0xE6, 0x41]) == ["", "\u{FFFD}A", ""])
        #expect(parts([0xE6]) == ["", "\u{FFFD}"])
        #expect(parts([0x80, 0xC0]) == ["\u{FFFD}", "\u{FFFD}", ""])
        #expect(parts([0xE0, 0x80]) == ["", "\u{FFFD}\u{FFFD}", ""])
    }
}
