import TestFixtures
import Testing
import Tokenizers

private let vocabularies = "../shared/data/inference/vocab/ggml-vocab-"

/// Vocabularies of published models and the ids that llama.cpp gives; skipped where the data is not there.
@Suite(
    "Published vocabularies",
    .enabled(if: File.bytes(vocabularies + "gpt-2.gguf.out") != nil, "../shared/data/inference is absent"))
struct VocabularyCaseTests {
    static let names = ["gpt-2", "llama-bpe", "qwen2", "llama-spm", "bert-bge"]

    static func description(_ name: String) throws -> VocabularyDescription {
        try #require(File.bytes(vocabularies + name + ".gguf").flatMap(VocabularyFile.read))
    }

    @Test("all 47 cases are exact", arguments: names)
    func cases(name: String) throws {
        let tokenizer = try Tokenizer(Self.description(name))
        let input = try #require(File.text(vocabularies + name + ".gguf.inp"))
        let output = try #require(File.text(vocabularies + name + ".gguf.out"))
        let texts = Self.split(input, "\n__ggml_vocab_test__\n")
        let wanted = output.utf8.split(separator: 10, omittingEmptySubsequences: false).map { line in
            line.split(separator: 32).compactMap { TokenID(String(decoding: $0, as: UTF8.self)) }
        }
        #expect(texts.count == 47)
        for (text, ids) in zip(texts, wanted) {
            #expect(tokenizer.encode(text, addingSpecialTokens: false) == ids, "\(text.debugDescription)")
            #expect(tokenizer.encoding(of: text, addingSpecialTokens: false).ids == ids)
        }
    }

    /// Swift's own splitting would compare characters, of which CR LF is one.
    private static func split(_ text: String, _ separator: String) -> [String] {
        let bytes = Array(text.utf8)
        let mark = Array(separator.utf8)
        var parts: [String] = []
        var start = 0
        var index = 0
        while index + mark.count <= bytes.count {
            if bytes[index..<index + mark.count].elementsEqual(mark) {
                parts.append(String(decoding: bytes[start..<index], as: UTF8.self))
                index += mark.count
                start = index
            } else {
                index += 1
            }
        }
        return parts + [String(decoding: bytes[start...], as: UTF8.self)]
    }

    @Test("byte-level vocabularies give every text back", arguments: ["gpt-2", "llama-bpe", "qwen2"])
    func roundTrips(name: String) throws {
        let tokenizer = try Tokenizer(Self.description(name))
        var texts = SeededTexts(5)
        for _ in 0..<400 {
            let text = texts.text()
            let encoding = tokenizer.encoding(of: text, addingSpecialTokens: false)
            #expect(tokenizer.decode(encoding.ids).utf8.elementsEqual(text.utf8))
            // Tokens cover the text without holes, each with its own bytes.
            var place = 0
            for (id, range) in zip(encoding.ids, encoding.offsets) {
                #expect(range.lowerBound == place && range.count == tokenizer.bytes(of: id).count)
                place = range.upperBound
            }
            #expect(place == text.utf8.count)
        }
    }

    @Test("tokens around a text follow the file")
    func templates() throws {
        let llama = try Tokenizer(Self.description("llama-bpe"))
        #expect(llama.addsBOS && llama.encode("a").first == llama.bos)
        #expect(llama.endOfGeneration.isSuperset(of: [128_001, 128_009]))
        #expect(llama.kind(of: 128_000) == .control && llama.isStructural(128_000))
        let bert = try Tokenizer(Self.description("bert-bge"))
        #expect(bert.encode("a") == [101, 1037, 102])
        let pair = bert.encoding(of: "a", and: "a")
        #expect(pair.ids == [101, 1037, 102, 1037, 102] && pair.typeIDs == [0, 0, 0, 1, 1])
        #expect(bert.decode(bert.encode("Unaffable, is it?")) == "unaffable, is it?")
        #expect(try !Tokenizer(Self.description("gpt-2")).addsBOS)
    }

    @Test("a long run of one letter takes no more than n log n")
    func longRun() throws {
        let tokenizer = try Tokenizer(Self.description("gpt-2"))
        let text = String(repeating: "a", count: 200_000)
        let ids = tokenizer.encode(text)
        #expect(tokenizer.decode(ids) == text)
        #expect(ids.count < 60_000)
    }
}
