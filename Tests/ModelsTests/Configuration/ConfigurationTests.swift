import Models
import TestFixtures
import Testing

/// What configurations mean, beyond what the goldens of transformers hold.
@Suite("Configurations")
struct ConfigurationTests {
    /// A folder with these weights of the golden llama and another config.json.
    private func configuration(_ family: String, _ members: String) throws -> ModelConfiguration {
        let folder = TemporaryFolder()
        File.copy("\(FileGoldens.folder)/families/\(family)/model.safetensors", to: folder.file("model.safetensors"))
        File.write("{\(members)}", to: folder.file("config.json"))
        return try Checkpoints.open(folder.path).configuration
    }

    private static let sizes =
        "\"hidden_size\": 16, \"num_attention_heads\": 4, \"num_hidden_layers\": 2, \"intermediate_size\": 24, "
        + "\"vocab_size\": 40, \"max_position_embeddings\": 4096"

    private func rotary(_ members: String, family: String = "llama") throws -> RotaryEmbedding {
        let configuration = try configuration("llama", "\"model_type\": \"\(family)\", \(Self.sizes), \(members)")
        guard case .rotary(let rotary) = configuration.positions else {
            throw ModelError("test", problem: "no rotary positions")
        }
        return rotary
    }

    static let scalings: [(String, RotaryScaling)] = [
        ("\"rope_scaling\": null", .none),
        ("\"rope_scaling\": {\"type\": \"linear\", \"factor\": 2.0}", .linear(factor: 2)),
        (
            "\"rope_scaling\": {\"rope_type\": \"dynamic\", \"factor\": 4.0}",
            .dynamic(factor: 4, originalLength: 4096)
        ),
        (
            "\"rope_scaling\": {\"rope_type\": \"llama3\", \"factor\": 32, \"low_freq_factor\": 1, "
                + "\"high_freq_factor\": 4, \"original_max_position_embeddings\": 8192}",
            .llama3(factor: 32, lowFactor: 1, highFactor: 4, originalLength: 8192)
        ),
        (
            "\"rope_scaling\": {\"type\": \"yarn\", \"factor\": 4.0, \"original_max_position_embeddings\": 32768}",
            .yarn(factor: 4, originalLength: 32768, betaFast: 32, betaSlow: 1, attentionFactor: nil)
        ),
        (
            "\"rope_parameters\": {\"rope_type\": \"yarn\", \"rope_theta\": 10000.0, \"factor\": 40, \"beta_fast\": 16, "
                + "\"mscale\": 1.0, \"mscale_all_dim\": 1.0, \"original_max_position_embeddings\": 4096}",
            .yarn(factor: 40, originalLength: 4096, betaFast: 16, betaSlow: 1, attentionFactor: 1)
        ),
        (
            "\"original_max_position_embeddings\": 2048, \"rope_scaling\": {\"type\": \"su\", "
                + "\"short_factor\": [1, 2], \"long_factor\": [3, 4], \"attention_factor\": 1.25}",
            .longrope(short: [1, 2], long: [3, 4], originalLength: 2048, attentionFactor: 1.25)
        ),
    ]

    @Test("read every scaling of rotary positions", arguments: scalings)
    func scaling(members: String, expected: RotaryScaling) throws {
        #expect(try rotary(members).scaling == expected)
    }

    @Test("longrope scales cosines by the square root of 1 + ln factor / ln length")
    func longrope() throws {
        let configuration = try Checkpoints.open("\(FileGoldens.folder)/families/phi3").configuration
        guard case .rotary(let rotary) = configuration.positions,
            case .longrope(let short, let long, let length, let factor) = rotary.scaling
        else {
            Issue.record("no longrope")
            return
        }
        #expect(short == [1, 1.5])
        #expect(long == [2, 4])
        #expect(length == 32)
        #expect(abs(factor - 1.095_445_1) < 1e-6)
    }

    @Test("configurations from before transformers 5 have the base outside the scaling")
    func base() throws {
        let rotary = try rotary("\"rope_theta\": 500000.0, \"partial_rotary_factor\": 0.5")
        #expect(rotary.base == 500_000)
        #expect(rotary.width == 2)
        #expect(rotary.pairing == .halves)
    }

    @Test(
        "invalid configurations are errors",
        arguments: [
            ("\"model_type\": \"llama\"", "hidden_size is missing"),
            ("\"hidden_size\": 16", "model_type is missing"),
            ("\"model_type\": \"llama\", \"hidden_size\": -16", "hidden_size must be a number from 1 to 67108864"),
            ("\"model_type\": \"llama\", \"hidden_size\": 1e99", "hidden_size must be a number from 1 to 67108864"),
            (
                "\"model_type\": \"llama\", \(sizes), \"num_hidden_layers\": 2, \"rope_scaling\": {\"type\": \"mrope\"}",
                "unsupported rotary scaling type mrope"
            ),
            (
                "\"model_type\": \"llama\", \(sizes), \"rope_scaling\": {\"type\": \"linear\", \"factor\": 0.5}",
                "the factor of linear scaling must be at least 1"
            ),
            (
                "\"model_type\": \"llama\", \(sizes), \"rope_scaling\": {\"type\": \"longrope\", \"short_factor\": [1]}",
                "longrope needs 2 positive numbers in short_factor and long_factor"
            ),
            ("\"model_type\": \"llama\", \(sizes), \"hidden_act\": \"mish\"", "unsupported activation mish"),
            (
                "\"model_type\": \"gemma3_text\", \(sizes), \"sliding_window\": 8, \"layer_types\": [\"full_attention\"]",
                "layer_types has 1 entries for 2 layers"
            ),
            (
                "\"model_type\": \"llama\", \(sizes), \"quantization_config\": {\"quant_method\": \"gptq\"}",
                "unsupported quantization gptq"
            ),
            (
                "\"model_type\": \"bert\", \(sizes), \"position_embedding_type\": \"relative_key\"",
                "unsupported position_embedding_type relative_key"
            ),
        ])
    func refused(members: String, problem: String) {
        let answer = sentence { _ = try configuration("llama", members) }
        #expect(answer.contains(": \(problem). "), "\(answer)")
    }

    @Test("without tie_word_embeddings are tied where there is no output matrix")
    func tied() throws {
        let members = "\"model_type\": \"llama\", \(Self.sizes)"
        #expect(try !configuration("llama", members).tiesEmbeddings)
        #expect(try configuration("llama", members + ", \"tie_word_embeddings\": true").tiesEmbeddings)
        #expect(try configuration("qwen2", members).tiesEmbeddings)
    }

    @Test("know the tokens that end an answer from both files")
    func endTokens() throws {
        let folder = TemporaryFolder()
        File.copy("\(FileGoldens.folder)/families/llama/model.safetensors", to: folder.file("model.safetensors"))
        File.write(
            "{\"model_type\": \"llama\", \(Self.sizes), \"bos_token_id\": 7, \"eos_token_id\": [9, 3]}",
            to: folder.file("config.json"))
        File.write("{\"eos_token_id\": [3, 5]}", to: folder.file("generation_config.json"))
        let configuration = try Checkpoints.open(folder.path).configuration
        #expect(configuration.beginToken == 7)
        #expect(configuration.endTokens == [9, 3, 5])
    }

    @Test("Gemma 3 without layer_types has a global layer after every five windowed ones")
    func gemmaPattern() throws {
        let configuration = try configuration(
            "llama",
            "\"model_type\": \"gemma3_text\", \(Self.sizes), \"num_hidden_layers\": 2, \"sliding_window\": 512, "
                + "\"head_dim\": 4, \"rope_theta\": 1000000.0, \"rope_local_base_freq\": 10000.0, "
                + "\"rope_scaling\": {\"rope_type\": \"linear\", \"factor\": 8.0}")
        #expect(configuration.windowedLayers == [true, true])
        guard case .rotary(let rotary) = configuration.positions else {
            Issue.record("not rotary: \(configuration.positions)")
            return
        }
        #expect(rotary.base == 1_000_000)
        #expect(rotary.windowedBase == 10_000)
        #expect(rotary.scaling == .linear(factor: 8))
    }

    @Test("Qwen 2 without use_sliding_window has no window")
    func unusedWindow() throws {
        let members = "\"model_type\": \"qwen2\", \(Self.sizes), \"sliding_window\": 64, \"max_window_layers\": 1"
        #expect(try configuration("qwen2", members).slidingWindow == nil)
        let used = try configuration("qwen2", members + ", \"use_sliding_window\": true")
        #expect(used.slidingWindow == 64)
        #expect(used.windowedLayers == [false, true])
    }
}
