internal import Glibc
internal import JSON
internal import Tensors
internal import Tokenizers

/// Reads config.json and the files next to it into a `ModelConfiguration`.
///
/// - Source: the `configuration_*.py` of transformers 4.40 to 5: names, and what a missing member means.
struct HuggingFaceConfiguration {
    let folder: String
    let family: ArchitectureDescriptor
    /// Weights by GGUF name, which show whether the model has an output matrix or a classifier.
    let tensors: [String: StoredWeights]

    /// A JSON file of at most 64 MiB.
    static func document(_ path: String) throws(ModelError) -> JSONDocument {
        let file = try MappedFile.opened(path)
        guard file.count <= 64 << 20 else {
            throw ModelError(
                path, problem: "a configuration of \(file.count) bytes is too large", remedy: "Download it again.")
        }
        do {
            defer { withExtendedLifetime(file) {} }
            return try JSONDocument(parsing: file.bytes, maximumDepth: 64)
        } catch {
            throw ModelError(
                path, offset: error.offset, problem: "invalid JSON: \(error.problem.sentence.dropLast())",
                remedy: "Download it again.")
        }
    }

    /// The part that speaks of the text model: multimodal ones keep it apart.
    private static func text(_ root: JSONNode, _ path: String) -> ConfigurationNode {
        ConfigurationNode(node: root["text_config"] ?? root, path: path)
    }

    /// Returns the architecture that config.json names.
    ///
    /// - Throws: `ModelError` if `model_type` is missing, or `architectures` does not contain it.
    static func family(
        _ root: JSONNode, _ path: String, among architectures: Architectures
    ) throws(ModelError) -> ArchitectureDescriptor {
        let config = text(root, path)
        guard let type = config.string("model_type") ?? root["model_type"]?.string else {
            throw config.failure("model_type is missing")
        }
        if let family = architectures.modelType(type) { return family }
        // Model types that start with the family's name, such as gemma3_text, would only lengthen the list.
        let others = architectures.all.flatMap { family in family.modelTypes.filter { !$0.hasPrefix(family.name) } }
        let known = (architectures.all.map(\.name) + others).joined(separator: ", ")
        throw config.failure("unsupported model type \(type)", remedy: "Supported: \(known).")
    }

    func read(_ document: JSONDocument) throws(ModelError) -> ModelConfiguration {
        let path = "\(folder)/config.json"
        return try document.withRoot { (root) throws(ModelError) in
            let config = Self.text(root, path)
            try refuseQuantized(ConfigurationNode(node: root, path: path))
            var configuration =
                switch family.layout {
                case .gpt2: try gpt2(config)
                case .bert: try bert(config, labels: ConfigurationNode(node: root, path: path))
                case .llama: try decoder(config)
                }
            configuration.name = name(root)
            configuration.beginToken = (config.int("bos_token_id") ?? root["bos_token_id"]?.lenientInt.map(Int.init))
                .flatMap { TokenID(exactly: $0) }
            configuration.endTokens = endTokens(root, config)
            let hasOutput = tensors["output.weight"] != nil
            configuration.tiesEmbeddings = !hasOutput || (config.bool("tie_word_embeddings") ?? false)
            return configuration
        }
    }

    /// Weights that others packed have other names and shapes: better said here than as a missing tensor.
    private func refuseQuantized(_ root: ConfigurationNode) throws(ModelError) {
        let method = root["quantization_config"]?.string("quant_method") ?? (root.has("quantization") ? "mlx" : nil)
        guard let method, method != "bitsandbytes" else { return }
        throw root.failure(
            "unsupported quantization \(method)",
            remedy: "Use the original model, or a GGUF version.")
    }

    private func name(_ root: JSONNode) -> String {
        if let name = root["_name_or_path"]?.string, !name.isEmpty { return name }
        guard let real = realpath(folder, nil) else { return "" }
        defer { free(real) }
        return String(String(cString: real).split(separator: "/").last ?? "")
    }

    /// Of config.json and of generation_config.json, which knows more of them for chat models.
    private func endTokens(_ root: JSONNode, _ config: ConfigurationNode) -> [TokenID] {
        var tokens: [TokenID] = []
        func add(_ node: JSONNode?) {
            guard let node else { return }
            for value in node.kind == .array ? node.elements.map(\.lenientInt) : [node.lenientInt] {
                if let token = value.flatMap({ TokenID(exactly: $0) }), token >= 0, !tokens.contains(token) {
                    tokens.append(token)
                }
            }
        }
        add(config.node["eos_token_id"] ?? root["eos_token_id"])
        let path = "\(folder)/generation_config.json"
        if FileNames.exists(path), let document = try? Self.document(path) {
            document.withRoot { add($0["eos_token_id"]) }
        }
        return tokens
    }

    // MARK: Families

    private func gpt2(_ config: ConfigurationNode) throws(ModelError) -> ModelConfiguration {
        if config.bool("scale_attn_by_inverse_layer_idx") == true {
            throw config.failure("scale_attn_by_inverse_layer_idx is not supported", remedy: "Use another model.")
        }
        let width = try config.size("n_embd", "hidden_size")
        let heads = try config.size("n_head", "num_attention_heads")
        return ModelConfiguration(
            family: family, vocabularySize: try config.size("vocab_size"), width: width,
            layerCount: try config.size("n_layer", "num_hidden_layers", limit: ConfigurationNode.maximumLayers),
            headCount: heads, feedForwardWidth: try config.size("n_inner", default: 4 * width),
            contextLength: try config.size("n_positions", "n_ctx", "max_position_embeddings"),
            normEpsilon: config.float("layer_norm_epsilon") ?? family.normEpsilon, positions: .learned,
            attentionScale: config.bool("scale_attn_weights") == false ? 1 : nil, tiesEmbeddings: true,
            activation: try activation(config, "activation_function"))
    }

    private func bert(_ config: ConfigurationNode, labels: ConfigurationNode) throws(ModelError) -> ModelConfiguration {
        if let positions = config.string("position_embedding_type"), positions != "absolute" {
            throw config.failure("unsupported position_embedding_type \(positions)", remedy: "Use another model.")
        }
        return ModelConfiguration(
            family: family, vocabularySize: try config.size("vocab_size"), width: try config.size("hidden_size"),
            layerCount: try config.size("num_hidden_layers", limit: ConfigurationNode.maximumLayers),
            headCount: try config.size("num_attention_heads"),
            feedForwardWidth: try config.size("intermediate_size"),
            contextLength: try config.size("max_position_embeddings"),
            normEpsilon: config.float("layer_norm_eps") ?? family.normEpsilon, positions: .learned,
            tiesEmbeddings: true, activation: try activation(config, "hidden_act"), pooling: pooling(),
            tokenTypeCount: try config.size("type_vocab_size", default: 2))
    }

    /// A classifier makes a cross-encoder; sentence-transformers says the rest in a file of its own.
    private func pooling() -> Pooling {
        if tensors["cls.output.weight"] != nil { return .rank }
        guard let document = try? Self.document("\(folder)/1_Pooling/config.json") else { return .mean }
        return document.withRoot { $0["pooling_mode_cls_token"]?.bool == true ? .cls : .mean }
    }

    private func decoder(_ config: ConfigurationNode) throws(ModelError) -> ModelConfiguration {
        let width = try config.size("hidden_size")
        let heads = try config.size("num_attention_heads")
        let headWidth = try config.size("head_dim", default: family.headWidth ?? max(1, width / heads))
        let layers = try config.size("num_hidden_layers", limit: ConfigurationNode.maximumLayers)
        let feedForward = try config.size("intermediate_size")
        let context = try config.size("max_position_embeddings", default: family.contextLength)
        var configuration = ModelConfiguration(
            family: family, vocabularySize: try config.size("vocab_size"), width: width, layerCount: layers,
            headCount: heads, kvHeadCount: try config.size("num_key_value_heads", default: heads), headWidth: headWidth,
            feedForwardWidth: feedForward, contextLength: context,
            normEpsilon: config.float("rms_norm_eps") ?? family.normEpsilon,
            positions: .rotary(
                try HuggingFaceRotary(config: config, family: family, headWidth: headWidth, contextLength: context)
                    .read()),
            embeddingScale: family.scalesEmbedding ? Float(width).squareRoot() : 1, tiesEmbeddings: false,
            activation: family.ignoresConfiguredActivation ? family.activation : try activation(config, "hidden_act"))
        if family.block == .sandwich { try addGemma(config, to: &configuration) }
        if family.hasExperts {
            configuration.experts = ExpertConfiguration(
                count: try config.size("num_local_experts", limit: 4096, default: 8),
                used: try config.size("num_experts_per_tok", limit: 4096, default: 2), feedForwardWidth: feedForward,
                normalizesWeights: true)
        }
        try addWindows(config, to: &configuration)
        return configuration
    }

    private func addGemma(_ config: ConfigurationNode, to configuration: inout ModelConfiguration) throws(ModelError) {
        if config.bool("use_bidirectional_attention") == true {
            throw config.failure("use_bidirectional_attention is not supported", remedy: "Use another model.")
        }
        configuration.attentionScale = 1 / (config.float("query_pre_attn_scalar") ?? 256).squareRoot()
        func cap(_ key: String, default defaultCap: Float?) -> Float? {
            config.has(key) ? config.float(key) : defaultCap
        }
        configuration.attentionSoftcap = cap("attn_logit_softcapping", default: family.attentionSoftcap)
        configuration.finalSoftcap = cap("final_logit_softcapping", default: family.finalSoftcap)
    }

    /// Sets the sliding window and its layers: those in `layer_types`, or the architecture's default.
    private func addWindows(_ config: ConfigurationNode, to configuration: inout ModelConfiguration) throws(ModelError)
    {
        guard config.has("sliding_window") ? config["sliding_window"] != nil : family.windows.isPeriodic else { return }
        if case .fromLayer = family.windows, config.bool("use_sliding_window") != true { return }
        let layers = configuration.layerCount
        var windowed: [Bool]
        if let types = config["layer_types"]?.node, types.kind == .array {
            guard types.count == layers else {
                throw config.failure("layer_types has \(types.count) entries for \(layers) layers")
            }
            windowed = types.elements.map { $0.equals("sliding_attention") }
        } else {
            switch family.windows {
            case .period(let defaultPeriod, let isConfigurable):
                let period =
                    isConfigurable
                    ? try config.size("sliding_window_pattern", "_sliding_window_pattern", default: defaultPeriod)
                    : defaultPeriod
                windowed = (0..<layers).map { ($0 + 1) % period != 0 }
            case .fromLayer(let defaultFirst):
                let first = config.int("max_window_layers") ?? defaultFirst
                windowed = (0..<layers).map { $0 >= first }
            case .all: windowed = Array(repeating: true, count: layers)
            case .none: return
            }
        }
        guard windowed.contains(true) else { return }
        configuration.slidingWindow = try config.size("sliding_window", limit: Int(Int32.max), default: 4096)
        configuration.windowedLayers = windowed
    }

    private func activation(_ config: ConfigurationNode, _ key: String) throws(ModelError) -> Activation {
        guard let name = config.string(key) else { return family.activation }
        switch name {
        case "silu", "swish": return .silu
        case "gelu": return .gelu
        case "gelu_new", "gelu_pytorch_tanh", "gelu_fast", "gelu_tanh": return .geluTanh
        case "relu": return .relu
        default: throw config.failure("unsupported activation \(name)", remedy: "Use another model.")
        }
    }
}
