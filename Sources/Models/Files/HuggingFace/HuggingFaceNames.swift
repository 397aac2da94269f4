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
        if family.isTransposed(translated) { return .transposed }
        return family.isShifted(translated) ? .plusOne : .none
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
        let names = family.globalModules.map { name, module in
            let parts = module.split(separator: ".")
            return (parts.drop { Self.wrappers.contains(String($0)) }.joined(separator: "."), name)
        }
        return Dictionary(names, uniquingKeysWith: { $1 }).merging(family.layout == .bert ? Self.encoderHead : [:]) {
            $1
        }
    }

    private var ofLayer: [String: String] {
        let names = Dictionary(family.layerModules.map { ($1, $0) }, uniquingKeysWith: { $1 })
        return names.merging(family.layout == .llama ? Self.otherDecoders : [:]) { $1 }
            .merging(family.moduleNames.map { ($1, $0) }) { $1 }
    }

    private static let encoderHead = ["classifier": "cls.output"]
    /// Names that some families of decoders have.
    private static let otherDecoders = ["mlp.gate_up_proj": "ffn_up", "block_sparse_moe.gate": "ffn_gate_inp"]
}

/// How transformers names the parts of a family.
extension ArchitectureDescriptor {
    /// Names of the tensors outside layers, by their names in GGUF.
    package var globalModules: [String: String] {
        switch layout {
        case .gpt2:
            [
                "token_embd": "transformer.wte", "position_embd": "transformer.wpe", "output_norm": "transformer.ln_f",
                "output": "lm_head",
            ]
        case .bert:
            [
                "token_embd": "embeddings.word_embeddings", "position_embd": "embeddings.position_embeddings",
                "token_types": "embeddings.token_type_embeddings", "token_embd_norm": "embeddings.LayerNorm",
                "cls": "pooler.dense",
            ]
        case .llama: ["token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"]
        }
    }

    /// Names of the parts of a layer, by their names in GGUF, without the family's own `moduleNames`.
    package var layerModules: [String: String] {
        switch layout {
        case .gpt2:
            [
                "attn_norm": "ln_1", "attn_qkv": "attn.c_attn", "attn_output": "attn.c_proj", "ffn_norm": "ln_2",
                "ffn_up": "mlp.c_fc", "ffn_down": "mlp.c_proj",
            ]
        case .bert:
            [
                "attn_q": "attention.self.query", "attn_k": "attention.self.key", "attn_v": "attention.self.value",
                "attn_output": "attention.output.dense", "attn_output_norm": "attention.output.LayerNorm",
                "ffn_up": "intermediate.dense", "ffn_down": "output.dense", "layer_output_norm": "output.LayerNorm",
            ]
        case .llama: Self.decoderModules
        }
    }

    private static let decoderModules = [
        "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
        "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj", "attn_qkv": "self_attn.qkv_proj",
        "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm", "ffn_norm": "post_attention_layernorm",
        "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
        "ffn_gate_inp": "mlp.gate",
    ]

    /// Whether the file of the family holds the matrix as `[in, out]`.
    package func isTransposed(_ parameter: String) -> Bool {
        guard transposesLinears, parameter.hasSuffix(".weight") else { return false }
        return ["attn_qkv", "attn_output", "ffn_up", "ffn_down"].contains { parameter.contains(".\($0).") }
    }

    /// Whether the file holds w where the model multiplies by 1 + w.
    package func isShifted(_ parameter: String) -> Bool {
        storesGainsMinusOne && parameter.hasSuffix("norm.weight")
    }
}
