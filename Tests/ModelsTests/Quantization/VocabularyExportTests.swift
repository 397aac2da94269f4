import Models
import TestFixtures
import Testing
import Tokenizers

@Suite("Vocabularies that go along into GGUF")
struct VocabularyExportTests {
    private let folder = TemporaryFolder()

    /// Returns the quantized golden model of a family with its tokenizer.
    private func exported(_ tokenizer: String, settings: String = "{}") throws -> GGUFFile {
        let golden = "\(FileGoldens.folder)/families/llama"
        let source = folder.unique("source")
        let model = TemporaryFolder()
        for name in ["config.json", "model.safetensors"] { File.copy("\(golden)/\(name)", to: model.file(name)) }
        File.write(tokenizer, to: model.file("tokenizer.json"))
        File.write(settings, to: model.file("tokenizer_config.json"))
        _ = try Quantizer(.f16).run(from: model.path, to: source)
        return try GGUFFile(source)
    }

    private static let byteLevel = """
        {"version": "1.0", "added_tokens": [{"id": 4, "content": "<|end|>", "single_word": false, "lstrip": false,
        "rstrip": false, "normalized": false, "special": true}], "normalizer": null,
        "pre_tokenizer": {"type": "ByteLevel", "add_prefix_space": false, "trim_offsets": true, "use_regex": true},
        "post_processor": null, "decoder": {"type": "ByteLevel"},
        "model": {"type": "BPE", "vocab": {"a": 0, "b": 1, "ab": 2, "Ġab": 3, "Ġ": 5}, "merges": [["a", "b"], "Ġ ab"]}}
        """

    @Test("byte-level BPE is written as tokenizer.json and in the keys of other programs")
    func byteLevel() throws {
        let file = try exported(
            Self.byteLevel, settings: "{\"chat_template\": \"{{ messages }}\", \"eos_token\": \"<|end|>\"}")
        let metadata = file.metadata
        #expect(metadata.string("tokenizer.huggingface.json") == Self.byteLevel)
        #expect(metadata.string("tokenizer.chat_template") == "{{ messages }}")
        #expect(metadata.string("tokenizer.ggml.model") == "gpt2")
        #expect(metadata.string("tokenizer.ggml.pre") == "gpt-2")
        #expect(metadata.strings("tokenizer.ggml.merges") == ["a b", "Ġ ab"])
        // The model has rows for forty tokens.
        let tokens = try #require(metadata.strings("tokenizer.ggml.tokens"))
        #expect(tokens.prefix(7) == ["a", "b", "ab", "Ġab", "<|end|>", "Ġ", "[PAD6]"])
        #expect(tokens.count == 40)
        #expect(metadata.ints("tokenizer.ggml.token_type")?.prefix(7) == [1, 1, 1, 1, 3, 1, 5])
    }

    @Test("are read back from both")
    func readBack() throws {
        let file = try exported(Self.byteLevel)
        let whole = try #require(try Checkpoints.tokenizer(file.path))
        let keys = try Tokenizer(try #require(file.vocabulary))
        for text in ["ab ab", "ba", " abab"] {
            #expect(whole.encode(text) == keys.encode(text), "\(text)")
        }
        #expect(whole.encode("ab ab") == [2, 3])
    }

    @Test("whose pattern has no name go along as tokenizer.json alone")
    func foreignPattern() throws {
        let foreign = Self.byteLevel.replacing(
            "\"pre_tokenizer\": {\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": true, \"use_regex\": true}",
            with: "\"pre_tokenizer\": {\"type\": \"Sequence\", \"pretokenizers\": [{\"type\": \"Split\", "
                + "\"pattern\": {\"Regex\": \"\\\\s+\"}, \"behavior\": \"Isolated\", \"invert\": false}, "
                + "{\"type\": \"ByteLevel\", \"add_prefix_space\": false, \"trim_offsets\": true, \"use_regex\": false}]}"
        )
        let metadata = try exported(foreign).metadata
        #expect(metadata.string("tokenizer.huggingface.json") == foreign)
        #expect(metadata.string("tokenizer.ggml.model") == nil)
        #expect(metadata["tokenizer.ggml.tokens"] == nil)
    }

    @Test("llama2.c vocabularies are exported with their scores", .enabled(if: FileGoldens.hasShared, "no shared data"))
    func llama2c() throws {
        let path = folder.file("stories.gguf")
        _ = try Quantizer(.f32).run(from: "\(FileGoldens.shared)/stories260K/stories260K.bin", to: path)
        let tokenizer = try #require(try Checkpoints.open(path).tokenizer())
        let original = try #require(
            try Checkpoints.open("\(FileGoldens.shared)/stories260K/stories260K.bin").tokenizer())
        let text = "Once upon a time, there was a café."
        #expect(tokenizer.encode(text) == original.encode(text))
        #expect(tokenizer.decode(tokenizer.encode(text)) == text)
    }
}
