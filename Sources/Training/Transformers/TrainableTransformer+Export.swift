internal import Glibc
internal import JSON
public import Models
internal import Tensors

/// The type of an exported model's numbers.
public enum ExportType: String, CaseIterable, Sendable {
    case float32, float16, bfloat16
}

extension TrainableTransformer {
    /// Writes the model as Hugging Face lays it out: config.json and model.safetensors, with the tokenizer's files
    /// next to them. The runtime and transformers load it and compute the same logits.
    ///
    /// The folder appears whole or not at all; one that is there is replaced.
    ///
    /// - Parameters:
    ///   - type: of matrices and vectors alike.
    ///   - tokenizer: a folder whose tokenizer.json, tokenizer_config.json and the like are copied, or one
    ///     tokenizer.json; nil for none.
    ///   - cards: additional files to write, by name: a model card.
    /// - Throws: `ModelError` where the disk is full or something cannot be read.
    public func export(
        to path: String, as type: ExportType = .float32, tokenizer: String? = nil,
        cards: [(name: String, text: String)] = []
    ) throws(ModelError) {
        let folder = try StagedFolder(path)
        var tensors: [(name: String, tensor: AnyTensor)] = []
        let names = HuggingFaceWeights(configuration)
        for parameter in parameters {
            guard let name = names.name(parameter.name) else {
                throw ModelError(path, problem: "\(parameter.name) has no name in the Hugging Face format")
            }
            tensors.append((name, try stored(parameter, names, as: type, path)))
        }
        do {
            try TensorFile.write(tensors, metadata: ["format": "pt"], to: "\(folder.temporary)/model.safetensors")
        } catch {
            throw ModelError(path, problem: error.sentence)
        }
        var json = JSONWriter(style: .pretty)
        HuggingFaceConfigurationFile(configuration, type: type).write(to: &json)
        json.endLine()
        try folder.write(json.bytes, as: "config.json")
        if let tokenizer { try folder.copyTokenizer(tokenizer) }
        for card in cards { try folder.write(Array(card.text.utf8), as: card.name) }
        try folder.commit()
    }

    /// What the file holds for a parameter.
    private func stored(
        _ parameter: Parameter<Scalar>, _ names: HuggingFaceWeights, as type: ExportType, _ path: String
    ) throws(ModelError) -> AnyTensor {
        do {
            var value = parameter.value
            if names.configuration.family.isTransposed(parameter.name) { value = value.transposed() }
            if names.configuration.family.isShifted(parameter.name) { value = try value - 1 }
            switch type {
            case .float32: return .float32(try value.contiguous().converted(to: Float.self))
            case .float16: return .float16(try value.contiguous().converted(to: Float16.self))
            case .bfloat16: return .bfloat16(try value.contiguous().converted(to: BFloat16.self))
            }
        } catch {
            throw ModelError(path, problem: error.problem)
        }
    }
}

/// config.json of a family, as transformers reads it.
///
/// - Source: the `configuration_*.py` of transformers.
struct HuggingFaceConfigurationFile {
    private let c: ModelConfiguration
    private let type: ExportType

    init(_ configuration: ModelConfiguration, type: ExportType) {
        c = configuration
        self.type = type
    }

    func write(to json: inout JSONWriter) {
        json.object { json in
            json.member("architectures", [exportNames.className])
            json.member("model_type", exportNames.modelType)
            json.member("torch_dtype", type.rawValue)
            json.member("vocab_size", c.vocabularySize)
            if let begin = c.beginToken { json.member("bos_token_id", Int(begin)) }
            if c.endTokens.count == 1 {
                json.member("eos_token_id", Int(c.endTokens[0]))
            } else if !c.endTokens.isEmpty {
                json.member("eos_token_id", c.endTokens.map { Int($0) })
            }
            // The family's usual one may lie beyond the vocabulary.
            json.member("pad_token_id") { $0.null() }
            switch c.family.layout {
            case .gpt2: gpt2(&json)
            case .bert: bert(&json)
            case .llama: decoder(&json)
            }
        }
    }

    /// Names for config.json. Llama with a sliding window is saved as Mistral.
    private var exportNames: ArchitectureDescriptor.ExportNames {
        (c.slidingWindow == nil ? nil : c.family.windowedExportNames) ?? c.family.exportNames
    }

    private func gpt2(_ json: inout JSONWriter) {
        json.member("n_embd", c.width)
        json.member("n_layer", c.layerCount)
        json.member("n_head", c.headCount)
        json.member("n_inner", c.feedForwardWidth)
        json.member("n_positions", c.contextLength)
        json.member("layer_norm_epsilon", c.normEpsilon)
        json.member("activation_function", activation)
        json.member("tie_word_embeddings", c.tiesEmbeddings)
        // A scale of 1 is the only other one that the family knows.
        json.member("scale_attn_weights", c.attentionScale != 1 || c.headWidth == 1)
        for part in ["embd_pdrop", "attn_pdrop", "resid_pdrop"] { json.member(part, 0.0) }
    }

    private func bert(_ json: inout JSONWriter) {
        json.member("hidden_size", c.width)
        json.member("num_hidden_layers", c.layerCount)
        json.member("num_attention_heads", c.headCount)
        json.member("intermediate_size", c.feedForwardWidth)
        json.member("max_position_embeddings", c.contextLength)
        json.member("type_vocab_size", c.tokenTypeCount)
        json.member("layer_norm_eps", c.normEpsilon)
        json.member("hidden_act", activation)
        json.member("position_embedding_type", "absolute")
    }

    private func decoder(_ json: inout JSONWriter) {
        json.member("hidden_size", c.width)
        json.member("num_hidden_layers", c.layerCount)
        json.member("num_attention_heads", c.headCount)
        json.member("num_key_value_heads", c.kvHeadCount)
        json.member("head_dim", c.headWidth)
        json.member("intermediate_size", c.feedForwardWidth)
        json.member("max_position_embeddings", c.contextLength)
        json.member("rms_norm_eps", c.normEpsilon)
        json.member(c.isSandwich ? "hidden_activation" : "hidden_act", activation)
        json.member("tie_word_embeddings", c.tiesEmbeddings)
        json.member("attention_bias", c.family.biases == .attentionInputs)
        if let experts = c.experts {
            json.member("num_local_experts", experts.count)
            json.member("num_experts_per_tok", experts.used)
        }
        if c.isSandwich {
            // A whole number in every model of the family, and transformers insists.
            let scalar = 1 / Double(c.attentionScale * c.attentionScale)
            json.member("query_pre_attn_scalar", Int(scalar.rounded()))
            optional("attn_logit_softcapping", c.attentionSoftcap, &json)
            optional("final_logit_softcapping", c.finalSoftcap, &json)
        }
        windows(&json)
        if case .rotary(let rotary) = c.positions { self.rotary(rotary, &json) }
    }

    private func optional(_ key: String, _ value: Float?, _ json: inout JSONWriter) {
        if let value {
            json.member(key, value)
        } else {
            json.member(key) { $0.null() }
        }
    }

    private func windows(_ json: inout JSONWriter) {
        guard let window = c.slidingWindow else {
            json.member("sliding_window") { $0.null() }
            return
        }
        json.member("sliding_window", window)
        if case .fromLayer = c.family.windows {
            json.member("use_sliding_window", true)
            json.member("max_window_layers", c.windowedLayers.firstIndex(of: true) ?? c.layerCount)
        }
        if c.family.windows != .all {
            json.member(
                "layer_types",
                (0..<c.layerCount).map { c.window(ofLayer: $0) == nil ? "full_attention" : "sliding_attention" })
        }
    }

    /// Both spellings: that of transformers 5, and the older one, which it reads too.
    private func rotary(_ rotary: RotaryEmbedding, _ json: inout JSONWriter) {
        json.member("rope_theta", rotary.base)
        if rotary.width != c.headWidth {
            json.member("partial_rotary_factor", Double(rotary.width) / Double(c.headWidth))
        }
        if let base = rotary.windowedBase {
            json.member("rope_local_base_freq", base)
            json.member("rope_parameters") { json in
                json.object { json in
                    json.member("full_attention") { parameters(rotary, base: rotary.base, rotary.scaling, &$0) }
                    json.member("sliding_attention") { parameters(rotary, base: base, .none, &$0) }
                }
            }
        } else {
            json.member("rope_parameters") { parameters(rotary, base: rotary.base, rotary.scaling, &$0) }
        }
    }

    private func parameters(
        _ rotary: RotaryEmbedding, base: Float, _ scaling: RotaryScaling, _ json: inout JSONWriter
    ) {
        json.object { json in
            json.member("rope_theta", base)
            json.member("rope_type", scaling.huggingFaceName)
            if rotary.width != c.headWidth {
                json.member("partial_rotary_factor", Double(rotary.width) / Double(c.headWidth))
            }
            switch scaling {
            case .none: break
            case .linear(let factor): json.member("factor", factor)
            case .dynamic(let factor, let original):
                json.member("factor", factor)
                json.member("original_max_position_embeddings", original)
            case .llama3(let factor, let low, let high, let original):
                json.member("factor", factor)
                json.member("low_freq_factor", low)
                json.member("high_freq_factor", high)
                json.member("original_max_position_embeddings", original)
            case .yarn(let factor, let original, let fast, let slow, let attention):
                json.member("factor", factor)
                json.member("original_max_position_embeddings", original)
                json.member("beta_fast", fast)
                json.member("beta_slow", slow)
                json.member("attention_factor", ifPresent: attention)
            case .longrope(let short, let long, let original, let attention):
                json.member("short_factor", short)
                json.member("long_factor", long)
                json.member("factor", Double(c.contextLength) / Double(original))
                json.member("original_max_position_embeddings", original)
                json.member("attention_factor", attention)
            case .factors(let factors):
                // A factor for each pair and no length: longrope whose two lists are one.
                json.member("short_factor", factors)
                json.member("long_factor", factors)
                json.member("original_max_position_embeddings", c.contextLength)
                json.member("attention_factor", 1.0)
            }
        }
    }

    private var activation: String {
        switch c.activation {
        case .silu: "silu"
        case .geluTanh: c.family.layout == .gpt2 ? "gelu_new" : "gelu_pytorch_tanh"
        case .gelu: "gelu"
        case .relu: "relu"
        }
    }
}

extension RotaryScaling {
    fileprivate var huggingFaceName: String {
        switch self {
        case .none: "default"
        case .factors: "longrope"
        default: name
        }
    }
}
