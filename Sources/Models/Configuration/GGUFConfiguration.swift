internal import Glibc
internal import Tokenizers

/// Reads the metadata of a GGUF file into a `ModelConfiguration`.
///
/// - Source: the keys of the GGUF specification, and llama.cpp's `models/*.cpp` for what a missing one means.
struct GGUFConfiguration {
    let path: String
    let metadata: GGUFMetadata
    let stored: (String) -> StoredWeights?
    private let architecture: String
    private let architectures: Architectures

    init(
        _ path: String, _ metadata: GGUFMetadata, architectures: Architectures = .standard,
        stored: @escaping (String) -> StoredWeights?
    ) throws(ModelError) {
        self.path = path
        self.metadata = metadata
        self.stored = stored
        guard let architecture = metadata.string("general.architecture") else {
            throw ModelError(
                path, problem: "general.architecture is missing", remedy: "Convert the model again.")
        }
        self.architecture = architecture
        self.architectures = architectures
    }

    private func family() throws(ModelError) -> ArchitectureDescriptor {
        let hasExperts = (metadata.int(key("expert_count")) ?? 0) > 0
        if let family = architectures.gguf(architecture, hasExperts: hasExperts) { return family }
        // Families that share a GGUF name, such as Llama and Mixtral, are listed once.
        let names = architectures.all.filter { $0.name == $0.ggufName }.map(\.name)
        throw ModelError(
            path, problem: "unsupported architecture \(architecture)",
            remedy: "Supported: \(names.joined(separator: ", ")).")
    }

    func read() throws(ModelError) -> ModelConfiguration {
        if metadata.string("general.type") == "adapter" {
            throw ModelError(
                path, problem: "the file is an adapter, not a model",
                remedy: "Use the model that the adapter was trained for.")
        }
        let family = try family()
        let width = try size("embedding_length")
        let heads = try size("attention.head_count", limit: 1 << 16)
        let layers = try size("block_count", limit: ConfigurationNode.maximumLayers)
        let headWidth = try size("attention.key_length", default: max(1, width / heads))
        let context = try size("context_length", limit: Int(Int32.max))
        var configuration = ModelConfiguration(
            family: family, name: metadata.string("general.name") ?? "", vocabularySize: try vocabularySize(),
            width: width, layerCount: layers, headCount: heads,
            kvHeadCount: try size("attention.head_count_kv", limit: 1 << 16, default: heads), headWidth: headWidth,
            valueWidth: try size("attention.value_length", default: headWidth),
            feedForwardWidth: try size("feed_forward_length"), contextLength: context, normEpsilon: try epsilon(family),
            positions: .learned, attentionScale: attentionScale(family, width, heads, layers),
            embeddingScale: family.scalesEmbedding ? Float(width).squareRoot() : 1,
            tiesEmbeddings: stored("output.weight") == nil, activation: family.activation)
        if !family.learnsPositions {
            let rotary = GGUFRotary(
                path: path, metadata: metadata, architecture: architecture, stored: stored, family: family,
                headWidth: headWidth, contextLength: context)
            configuration.positions = .rotary(try rotary.read())
        }
        configuration.attentionSoftcap = float("attn_logit_softcapping") ?? family.attentionSoftcap
        configuration.finalSoftcap = float("final_logit_softcapping") ?? family.finalSoftcap
        if family.hasExperts { configuration.experts = try experts() }
        if family.isEncoder {
            configuration.pooling = pooling()
            configuration.tokenTypeCount = stored("token_types.weight")?.shape.first ?? 0
        }
        try addWindows(to: &configuration)
        addTokens(to: &configuration)
        return configuration
    }

    // MARK: Values

    private func key(_ name: String) -> String { "\(architecture).\(name)" }
    private func float(_ name: String) -> Float? { metadata.double(key(name)).map { Float($0) } }

    /// A whole number from 1; an array, one for each layer, must hold the same everywhere.
    private func size(
        _ name: String, limit: Int = ConfigurationNode.maximumSize, default fallback: Int? = nil
    ) throws(ModelError) -> Int {
        guard let value = metadata[key(name)] else {
            if let fallback { return fallback }
            throw ModelError(path, problem: "\(key(name)) is missing", remedy: "Convert the model again.")
        }
        var number = metadata.int(key(name))
        if case .array = value, let all = metadata.ints(key(name)), let first = all.first {
            guard all.allSatisfy({ $0 == first }) else {
                throw failure(name, "differs between layers, which is not supported", "Use another model.")
            }
            number = first
        }
        guard let number, number > 0, number <= limit else {
            throw failure(name, "must be a number from 1 to \(limit)", "Convert the model again.")
        }
        return number
    }

    private func failure(_ name: String, _ problem: String, _ remedy: String) -> ModelError {
        ModelError(
            path, offset: metadata.entry(key(name))?.range.lowerBound, problem: "\(key(name)) \(problem)",
            remedy: remedy)
    }

    /// Rows of the embedding, which may be more than there are tokens.
    private func vocabularySize() throws(ModelError) -> Int {
        if let rows = stored("token_embd.weight")?.shape.first, rows > 0 { return rows }
        return try size("vocab_size", default: metadata.entry("tokenizer.ggml.tokens")?.count)
    }

    private func epsilon(_ family: ArchitectureDescriptor) throws(ModelError) -> Float {
        let name = family.norm == .layer ? "attention.layer_norm_epsilon" : "attention.layer_norm_rms_epsilon"
        guard let value = float(name), value >= 0, value.isFinite else {
            throw failure(name, "is missing or not a number", "Convert the model again.")
        }
        return value
    }

    /// Returns the scale of attention scores: the stored one, or 1 / √(width / heads) for the 27B models of Gemma.
    ///
    /// Returns `nil` for the usual scale, 1 / √(head width).
    private func attentionScale(_ family: ArchitectureDescriptor, _ width: Int, _ heads: Int, _ layers: Int) -> Float? {
        if let told = float("attention.scale"), told > 0 { return told }
        return layers == family.layerCountScaledByWidth ? 1 / (Float(width) / Float(heads)).squareRoot() : nil
    }

    private func experts() throws(ModelError) -> ExpertConfiguration {
        ExpertConfiguration(
            count: try size("expert_count", limit: 4096), used: try size("expert_used_count", limit: 4096),
            feedForwardWidth: try size("expert_feed_forward_length", default: try size("feed_forward_length")),
            normalizesWeights: true)
    }

    private func pooling() -> Pooling {
        if stored("cls.output.weight") != nil { return .rank }
        return switch metadata.int(key("pooling_type")) {
        case 2: .cls
        case 4: .rank
        default: .mean
        }
    }

    private func addWindows(to configuration: inout ModelConfiguration) throws(ModelError) {
        guard metadata[key("attention.sliding_window")] != nil else { return }
        guard metadata.int(key("attention.sliding_window")) != 0 else { return }
        let layers = configuration.layerCount
        let name = "attention.sliding_window_pattern"
        if let told = metadata.bools(key(name)) {
            guard told.count >= layers else {
                throw failure(name, "has \(told.count) entries for \(layers) layers", "Convert the model again.")
            }
            configuration.windowedLayers = Array(told.prefix(layers))
        } else {
            switch configuration.family.windows {
            case .period(let defaultPeriod, _):
                let period = try size(name, default: defaultPeriod)
                configuration.windowedLayers = (0..<layers).map { ($0 + 1) % period != 0 }
            case .all: configuration.windowedLayers = Array(repeating: true, count: layers)
            case .fromLayer, .none: return
            }
        }
        guard configuration.windowedLayers.contains(true) else {
            configuration.windowedLayers = []
            return
        }
        configuration.slidingWindow = try size("attention.sliding_window", limit: Int(Int32.max))
    }

    private func addTokens(to configuration: inout ModelConfiguration) {
        func token(_ name: String) -> TokenID? {
            metadata.int("tokenizer.ggml.\(name)_token_id").flatMap { TokenID(exactly: $0) }
        }
        configuration.beginToken = token("bos")
        for token in ["eos", "eot", "eom"].compactMap(token) where !configuration.endTokens.contains(token) {
            configuration.endTokens.append(token)
        }
    }
}
