internal import Glibc
internal import Kernels
internal import Tensors

/// A checkpoint that is no GGUF file, as one: its metadata and its tensors in the order and form of GGUF.
///
/// - Source: llama.cpp, `convert_hf_to_gguf.py` for keys and for what is turned round.
struct GGUFExport {
    private let checkpoint: any WeightDirectory
    private let configuration: ModelConfiguration
    private let architecture: String

    init(_ checkpoint: any WeightDirectory) {
        self.checkpoint = checkpoint
        configuration = checkpoint.configuration
        architecture = configuration.family.ggufName
    }

    // MARK: Tensors

    var sources: [QuantizationSource] {
        var sources: [QuantizationSource] = []
        var stacks: Set<String> = []
        for name in checkpoint.tensorNames {
            guard let stored = checkpoint.stored(name) else { continue }
            if configuration.tiesEmbeddings, name == "output.weight" { continue }
            if let stack = stack(name) {
                guard stacks.insert(stack).inserted else { continue }
                let parts = experts(of: stack)
                let shape = [parts.count] + stored.logicalShape
                sources.append(QuantizationSource(name: stack, shape: shape, origin: .stored(parts)))
            } else {
                sources.append(
                    QuantizationSource(
                        name: name, shape: stored.logicalShape, origin: .stored([stored], rowOrder: rowOrder(name))))
            }
        }
        return sources + factors
    }

    /// Queries and keys of the llama family change the order of their rows.
    private func rowOrder(_ name: String) -> QuantizationSource.RowOrder {
        guard configuration.family.ggufPairing == .adjacent,
            case .rotary(let rotary) = configuration.positions, rotary.pairing == .halves,
            name.contains(".attn_q.") || name.contains(".attn_k.")
        else { return .kept }
        return .adjacent(headWidth: configuration.headWidth)
    }

    /// Returns `blk.3.ffn_gate_exps.weight` for `blk.3.ffn_gate.5.weight`; `nil` if the tensor is not an expert.
    private func stack(_ name: String) -> String? {
        let parts = name.split(separator: ".")
        guard parts.count == 5, Int(parts[3]) != nil else { return nil }
        return "blk.\(parts[1]).\(parts[2])_exps.\(parts[4])"
    }

    private func experts(of stack: String) -> [StoredWeights] {
        let parts = stack.split(separator: ".")
        var experts: [StoredWeights] = []
        while let expert = checkpoint.stored("blk.\(parts[1]).\(parts[2].dropLast(5)).\(experts.count).\(parts[3])") {
            experts.append(expert)
        }
        return experts
    }

    /// Scalings that GGUF keeps as tensors.
    private var factors: [QuantizationSource] {
        guard case .rotary(let rotary) = configuration.positions else { return [] }
        func source(_ name: String, _ values: [Float]) -> QuantizationSource {
            QuantizationSource(name: name, shape: [values.count], origin: .values(values))
        }
        switch rotary.scaling {
        case .llama3: return [source("rope_freqs.weight", rotary.llama3Factors)]
        case .factors(let factors): return [source("rope_freqs.weight", factors)]
        case .longrope(let short, let long, _, _):
            return [source("rope_factors_long.weight", long), source("rope_factors_short.weight", short)]
        case .none, .linear, .dynamic, .yarn: return []
        }
    }

    // MARK: Metadata

    func write(to header: inout GGUFEncoder) throws(ModelError) {
        let model = configuration
        header.set("general.architecture", architecture)
        header.set("general.type", "model")
        if !model.name.isEmpty { header.set("general.name", model.name) }
        set("vocab_size", model.vocabularySize, &header)
        set("context_length", model.contextLength, &header)
        set("embedding_length", model.width, &header)
        set("block_count", model.layerCount, &header)
        set("feed_forward_length", model.feedForwardWidth, &header)
        set("attention.head_count", model.headCount, &header)
        set("attention.head_count_kv", model.kvHeadCount, &header)
        if model.headWidth * model.headCount != model.width || model.valueWidth != model.headWidth {
            set("attention.key_length", model.headWidth, &header)
            set("attention.value_length", model.valueWidth, &header)
        }
        let norm = model.family.norm == .layer ? "layer_norm_epsilon" : "layer_norm_rms_epsilon"
        header.set("\(architecture).attention.\(norm)", model.normEpsilon)
        if model.attentionScale != 1 / Float(model.headWidth).squareRoot() {
            header.set("\(architecture).attention.scale", model.attentionScale)
        }
        if let cap = model.attentionSoftcap { header.set("\(architecture).attn_logit_softcapping", cap) }
        if let cap = model.finalSoftcap { header.set("\(architecture).final_logit_softcapping", cap) }
        if let window = model.slidingWindow {
            set("attention.sliding_window", window, &header)
            header.set("\(architecture).attention.sliding_window_pattern", model.windowedLayers)
        }
        if let experts = model.experts {
            set("expert_count", experts.count, &header)
            set("expert_used_count", experts.used, &header)
        }
        if model.family.isEncoder {
            header.set("\(architecture).attention.causal", false)
            set("pooling_type", model.pooling == .cls ? 2 : model.pooling == .rank ? 4 : 1, &header)
        }
        if case .rotary(let rotary) = model.positions { try setRotary(rotary, &header) }
        try VocabularyExport(checkpoint).write(to: &header)
    }

    private func set(_ key: String, _ value: Int, _ header: inout GGUFEncoder) {
        header.set("\(architecture).\(key)", value)
    }

    private func setRotary(_ rotary: RotaryEmbedding, _ header: inout GGUFEncoder) throws(ModelError) {
        let rope = "\(architecture).rope"
        set("rope.dimension_count", rotary.width, &header)
        header.set("\(rope).freq_base", rotary.base)
        if let base = rotary.windowedBase { header.set("\(rope).freq_base_swa", base) }
        switch rotary.scaling {
        case .none, .llama3, .factors: break
        case .linear(let factor):
            header.set("\(rope).scaling.type", "linear")
            header.set("\(rope).scaling.factor", factor)
        case .yarn(let factor, let original, let fast, let slow, let attention):
            header.set("\(rope).scaling.type", "yarn")
            header.set("\(rope).scaling.factor", factor)
            set("rope.scaling.original_context_length", original, &header)
            header.set("\(rope).scaling.yarn_beta_fast", fast)
            header.set("\(rope).scaling.yarn_beta_slow", slow)
            if let attention { header.set("\(rope).scaling.attn_factor", attention / (1 + 0.1 * logf(factor))) }
        case .longrope(_, _, let original, let attention):
            set("rope.scaling.original_context_length", original, &header)
            header.set("\(rope).scaling.attn_factor", attention)
        case .dynamic:
            throw ModelError(
                checkpoint.path, problem: "GGUF does not support dynamic rotary scaling",
                remedy: "Quantize to nf4 or int8, which preserve config.json.")
        }
    }
}

extension RotaryEmbedding {
    /// Llama 3's scaling as one factor for each pair, by which frequencies are divided: 1 for short waves, `factor` for
    /// long ones, smooth between.
    ///
    /// - Source: transformers, `_compute_llama3_parameters`.
    var llama3Factors: [Float] {
        guard case .llama3(let factor, let low, let high, let original) = scaling else { return [] }
        return (0..<width / 2).map { pair in
            let frequency = pow(Double(base), -2 * Double(pair) / Double(width))
            let waves = Double(original) * frequency / (2 * Double.pi)
            if waves > Double(high) { return 1 }
            if waves < Double(low) { return factor }
            let share = (waves - Double(low)) / (Double(high) - Double(low))
            return Float(1 / ((1 - share) / Double(factor) + share))
        }
    }
}
