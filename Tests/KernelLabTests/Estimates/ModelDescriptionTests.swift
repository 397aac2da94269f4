import KernelLab
import System
import TestFixtures
import Testing

@Suite("models from their configuration")
struct ModelDescriptionTests {
    private static let llama2 = """
        {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 11008, "num_attention_heads": 32,
         "num_hidden_layers": 32, "num_key_value_heads": 32, "vocab_size": 32000, "max_position_embeddings": 4096}
        """
    private static let llama3 = """
        {"text_config": {"model_type": "llama", "hidden_size": 4096, "intermediate_size": 14336,
         "num_attention_heads": 32, "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 128256,
         "max_position_embeddings": 8192, "tie_word_embeddings": false}}
        """
    private static let gpt2 = """
        {"model_type": "gpt2", "n_embd": 768, "n_head": 12, "n_layer": 12, "n_positions": 1024, "n_inner": null,
         "vocab_size": 50257}
        """
    private static let qwen = """
        {"model_type": "qwen2", "hidden_size": 896, "intermediate_size": 4864, "num_attention_heads": 14,
         "num_hidden_layers": 24, "num_key_value_heads": 2, "vocab_size": 151936, "tie_word_embeddings": true,
         "max_position_embeddings": 32768}
        """
    private static let mixtral = """
        {"model_type": "mixtral", "hidden_size": 4096, "intermediate_size": 14336, "num_attention_heads": 32,
         "num_hidden_layers": 32, "num_key_value_heads": 8, "vocab_size": 32000, "num_local_experts": 8,
         "num_experts_per_tok": 2, "tie_word_embeddings": false, "max_position_embeddings": 32768}
        """

    @Test(
        "parameters are counted tensor by tensor",
        arguments: [
            // 2 × 32000 × 4096 + 32 (4 × 4096² + 3 × 4096 × 11008 + 2 × 4096) + 4096.
            (llama2, 6_738_415_616.0, 6_738_415_616.0),
            // 2 × 128256 × 4096 + 32 (2 × 4096² + 2 × 4096 × 1024 + 3 × 4096 × 14336 + 2 × 4096) + 4096.
            (llama3, 8_030_261_248, 8_030_261_248),
            // 50257 × 768 + 1024 × 768 + 12 (4 × 768² + 4 × 768 + 2 × 768 × 3072 + 3072 + 768 + 4 × 768) + 2 × 768.
            (gpt2, 124_439_808, 124_439_808),
            // 151936 × 896 + 24 (2 × 896² + 2 × 896 × 128 + 896 + 256 + 3 × 896 × 4864 + 2 × 896) + 896.
            (qwen, 494_032_768, 494_032_768),
            // As Llama 3 with eight MLPs and a router of 8 × 4096, of which two are active, and 32000 words.
            (mixtral, 46_702_792_704, 12_879_925_248),
        ])
    func parameters(config: String, all: Double, active: Double) throws {
        let model = try ModelDescription(config: Array(config.utf8), name: "m")
        #expect(model.parameters == all)
        #expect(model.activeParameters == active)
    }

    @Test("the shape is read under the names of its family") func shape() throws {
        let model = try ModelDescription(config: Array(Self.llama3.utf8), name: "m")
        #expect(model.kvHeads == 8 && model.headWidth == 128 && model.context == 8192 && model.inner == 14_336)
        let old = try ModelDescription(config: Array(Self.gpt2.utf8), name: "m")
        #expect(old.kvHeads == 12 && old.headWidth == 64 && old.inner == 3072 && old.context == 1024)
    }

    @Test("a file is named after its folder") func file() throws {
        let folder = TemporaryFolder()
        File.write(Self.qwen, to: folder.file("config.json"))
        let model = try ModelDescription(contentsOf: folder.file("config.json"))
        #expect(folder.path.hasSuffix(model.name) && model.parameters == 494_032_768)
    }

    @Test(
        "what describes no decoder is answered with a sentence",
        arguments: [
            ("[]", "missing num_hidden_layers"), ("{\"num_hidden_layers\": 2}", "missing hidden_size"),
            ("{", "invalid JSON"), ("{\"num_hidden_layers\": -2}", "missing num_hidden_layers"),
            ("{\"kv_lora_rank\": 512}", "compressed keys and values"),
        ])
    func wrong(text: String, words: String) {
        let error = #expect(throws: Problem.self) { try ModelDescription(config: Array(text.utf8), name: "m") }
        #expect(error?.sentence.contains(words) ?? false, "\(error?.sentence ?? "")")
        let missing = #expect(throws: Problem.self) { try ModelDescription(contentsOf: "/nowhere/config.json") }
        #expect(missing?.sentence.contains("No such file") ?? false)
    }
}
