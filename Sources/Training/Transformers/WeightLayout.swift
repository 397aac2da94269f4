internal import Models

/// The parameters that a configuration asks for: their names in GGUF, their shapes, and how they begin.
///
/// The order is that of the data: embeddings, blocks, final norm, output.
struct WeightLayout {
    /// How a parameter begins.
    enum Start: Hashable {
        /// N(0, 0.02).
        case normal
        /// N(0, 0.02 / √(2L)): what a block adds to the stream, of which 2L sums are made.
        case residual
        /// Gains of norms.
        case one
        /// Biases.
        case zero
    }

    struct Weight: Hashable {
        var name: String
        var shape: [Int]
        var start: Start
    }

    let configuration: ModelConfiguration
    /// What stands in a checkpoint that need not: biases, one matrix for query, key and value.
    private let has: (String) -> Bool

    /// - Parameter has: whether a checkpoint holds a tensor; nil for what the family usually has.
    init(_ configuration: ModelConfiguration, has: ((String) -> Bool)? = nil) {
        self.configuration = configuration
        let family = configuration.family
        self.has = has ?? { Self.isUsual($0, in: family) }
    }

    var weights: [Weight] {
        let c = configuration
        var found = [Weight(name: "token_embd.weight", shape: [c.vocabularySize, c.width], start: .normal)]
        if c.positions == .learned {
            found.append(Weight(name: "position_embd.weight", shape: [c.contextLength, c.width], start: .normal))
        }
        if c.tokenTypeCount > 0 {
            found.append(Weight(name: "token_types.weight", shape: [c.tokenTypeCount, c.width], start: .normal))
        }
        if c.isEncoder { found += norm("token_embd_norm", c.width) }
        for layer in 0..<c.layerCount { found += block(layer) }
        if c.isEncoder {
            for name in ["cls.weight"] where has(name) { found += linear("cls", c.width, c.width) }
            return found
        }
        found += norm("output_norm", c.width)
        if !c.tiesEmbeddings { found += linear("output", c.vocabularySize, c.width) }
        return found
    }

    private func block(_ layer: Int) -> [Weight] {
        let c = configuration
        func name(_ part: String) -> String { "blk.\(layer).\(part)" }
        let (queries, keys, values) = (c.queryColumns, c.keyColumns, c.valueColumns)
        var found: [Weight] = []
        if !c.isEncoder { found += norm(name("attn_norm"), c.width) }
        if has(name("attn_qkv.weight")) {
            found += linear(name("attn_qkv"), queries + keys + values, c.width)
        } else {
            found += linear(name("attn_q"), queries, c.width)
            found += linear(name("attn_k"), keys, c.width)
            found += linear(name("attn_v"), values, c.width)
        }
        if c.normsHeads {
            found += norm(name("attn_q_norm"), c.headWidth) + norm(name("attn_k_norm"), c.headWidth)
        }
        found += linear(name("attn_output"), c.width, c.headCount * c.valueWidth, .residual)
        if c.isSandwich { found += norm(name("post_attention_norm"), c.width) }
        found += norm(name(c.isEncoder ? "attn_output_norm" : "ffn_norm"), c.width)
        found += feedForward(name)
        if c.isSandwich { found += norm(name("post_ffw_norm"), c.width) }
        if c.isEncoder { found += norm(name("layer_output_norm"), c.width) }
        return found
    }

    private func feedForward(_ name: (String) -> String) -> [Weight] {
        let c = configuration
        if let experts = c.experts {
            let (count, inner) = (experts.count, experts.feedForwardWidth)
            // One by one, so that an expert that no token came to has no gradient.
            return (0..<count).reduce(into: linear(name("ffn_gate_inp"), count, c.width)) { found, expert in
                found.append(Weight(name: name("ffn_gate.\(expert).weight"), shape: [inner, c.width], start: .normal))
                found.append(Weight(name: name("ffn_up.\(expert).weight"), shape: [inner, c.width], start: .normal))
                found.append(
                    Weight(name: name("ffn_down.\(expert).weight"), shape: [c.width, inner], start: .residual))
            }
        }
        let inner = c.feedForwardWidth
        var found: [Weight] = []
        if !c.isGated {
            found += linear(name("ffn_up"), inner, c.width)
        } else if has(name("ffn_gate.weight")) {
            found += linear(name("ffn_gate"), inner, c.width) + linear(name("ffn_up"), inner, c.width)
        } else {
            found += linear(name("ffn_up"), 2 * inner, c.width)
        }
        return found + linear(name("ffn_down"), c.width, inner, .residual)
    }

    private func linear(_ name: String, _ outputs: Int, _ inputs: Int, _ start: Start = .normal) -> [Weight] {
        let weight = Weight(name: "\(name).weight", shape: [outputs, inputs], start: start)
        return has("\(name).bias") ? [weight, Weight(name: "\(name).bias", shape: [outputs], start: .zero)] : [weight]
    }

    private func norm(_ name: String, _ width: Int) -> [Weight] {
        let gain = Weight(name: "\(name).weight", shape: [width], start: .one)
        guard configuration.hasLayerNorms, has("\(name).bias") else { return [gain] }
        return [gain, Weight(name: "\(name).bias", shape: [width], start: .zero)]
    }

    /// What a family's own library saves.
    private static func isUsual(_ name: String, in family: ArchitectureDescriptor) -> Bool {
        if name == "cls.weight" { return false }
        if name.hasSuffix("attn_qkv.weight") { return family.fusesAttentionInputs }
        if name.hasSuffix("ffn_gate.weight") { return !family.fusesGateAndUp }
        guard name.hasSuffix(".bias") else { return true }
        switch family.biases {
        case .all: return name != "output.bias"
        case .attentionInputs: return ["attn_q.", "attn_k.", "attn_v."].contains { name.contains($0) }
        case .none: return false
        }
    }
}

extension ModelConfiguration {
    var isEncoder: Bool { family.isEncoder }
    var hasLayerNorms: Bool { family.norm == .layer }
    /// Norms after attention and feed-forward too.
    var isSandwich: Bool { family.block == .sandwich }
    /// Norms of each head's queries and keys.
    var normsHeads: Bool { family.normsHeads }
    /// The feed-forward multiplies by a gate.
    var isGated: Bool { family.isGated }
    var queryColumns: Int { headCount * headWidth }
    var keyColumns: Int { kvHeadCount * headWidth }
    var valueColumns: Int { kvHeadCount * valueWidth }
}
