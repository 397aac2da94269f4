/// Translates tensor names of Hugging Face into those of GGUF.
///
/// - Source: the `modeling_*.py` of transformers for one side, the tensor names of llama.cpp for the other.
struct HuggingFaceNames {
    let family: ArchitectureDescriptor

    /// The name under which an architecture asks for a tensor; nil for one that no architecture needs: buffers, heads
    /// of training, other towers.
    func translated(_ name: String) -> String? {
        var parts = name.split(separator: ".").map(String.init)
        while let first = parts.first, Self.wrappers.contains(first) { parts.removeFirst() }
        guard parts.count >= 2, let suffix = Self.suffixes[parts.removeLast()] else { return nil }
        guard let layer = takeLayer(&parts) else {
            return globals[parts.joined(separator: ".")].map { "\($0).\(suffix)" }
        }
        if let expert = expert(parts) { return "blk.\(layer).\(expert).\(suffix)" }
        return ofLayer[parts.joined(separator: ".")].map { "blk.\(layer).\($0).\(suffix)" }
    }

    /// What the numbers lack to be those of a GGUF file.
    func conversion(_ translated: String) -> StoredWeights.Conversion {
        if family.transposesLinears, translated.hasSuffix(".weight") {
            let isLinear = ["attn_qkv", "attn_output", "ffn_up", "ffn_down"].contains { translated.contains(".\($0).") }
            if isLinear { return .transposed }
        }
        return family.storesGainsMinusOne && translated.hasSuffix("norm.weight") ? .plusOne : .none
    }

    /// Modules that wrap the decoder or encoder; whether one is there depends on how the model was saved.
    private static let wrappers: Set<String> = ["model", "transformer", "bert", "language_model"]
    /// The first BERTs called the two halves of a norm by their letters.
    private static let suffixes = ["weight": "weight", "bias": "bias", "gamma": "weight", "beta": "bias"]

    /// Removes `layers.3`, `h.3` or `encoder.layer.3`.
    private func takeLayer(_ parts: inout [String]) -> Int? {
        for list in [["layers"], ["h"], ["encoder", "layer"]] where parts.starts(with: list) {
            guard parts.count > list.count, let number = Int(parts[list.count]), number >= 0 else { return nil }
            parts.removeFirst(list.count + 1)
            return number
        }
        return nil
    }

    /// `block_sparse_moe.experts.5.w1` and `mlp.experts.5.gate_proj`, as `ffn_gate.5`.
    private func expert(_ parts: [String]) -> String? {
        guard parts.count == 4, parts[1] == "experts", let number = Int(parts[2]), number >= 0 else { return nil }
        let name: String? =
            switch parts[3] {
            case "w1", "gate_proj": "ffn_gate"
            case "w3", "up_proj": "ffn_up"
            case "w2", "down_proj": "ffn_down"
            default: nil
            }
        return name.map { "\($0).\(number)" }
    }

    private var globals: [String: String] {
        switch family.layout {
        case .gpt2: ["wte": "token_embd", "wpe": "position_embd", "ln_f": "output_norm", "lm_head": "output"]
        case .bert:
            [
                "embeddings.word_embeddings": "token_embd", "embeddings.position_embeddings": "position_embd",
                "embeddings.token_type_embeddings": "token_types", "embeddings.LayerNorm": "token_embd_norm",
                "pooler.dense": "cls", "classifier": "cls.output",
            ]
        case .llama:
            ["embed_tokens": "token_embd", "norm": "output_norm", "lm_head": "output"]
        }
    }

    private var ofLayer: [String: String] {
        let own = family.moduleNames.map { ($1, $0) }
        return names.merging(own) { $1 }
    }

    private var names: [String: String] {
        switch family.layout {
        case .gpt2:
            [
                "ln_1": "attn_norm", "attn.c_attn": "attn_qkv", "attn.c_proj": "attn_output", "ln_2": "ffn_norm",
                "mlp.c_fc": "ffn_up", "mlp.c_proj": "ffn_down",
            ]
        case .bert:
            [
                "attention.self.query": "attn_q", "attention.self.key": "attn_k", "attention.self.value": "attn_v",
                "attention.output.dense": "attn_output", "attention.output.LayerNorm": "attn_output_norm",
                "intermediate.dense": "ffn_up", "output.dense": "ffn_down", "output.LayerNorm": "layer_output_norm",
            ]
        case .llama: Self.decoder
        }
    }

    private static let decoder = [
        "input_layernorm": "attn_norm", "self_attn.q_proj": "attn_q", "self_attn.k_proj": "attn_k",
        "self_attn.v_proj": "attn_v", "self_attn.o_proj": "attn_output", "self_attn.qkv_proj": "attn_qkv",
        "self_attn.q_norm": "attn_q_norm", "self_attn.k_norm": "attn_k_norm", "post_attention_layernorm": "ffn_norm",
        "mlp.gate_proj": "ffn_gate", "mlp.up_proj": "ffn_up", "mlp.down_proj": "ffn_down",
        "mlp.gate_up_proj": "ffn_up", "block_sparse_moe.gate": "ffn_gate_inp", "mlp.gate": "ffn_gate_inp",
    ]
}
