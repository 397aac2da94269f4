package import Models

/// How transformers calls the weights of a family: the way back from the names of GGUF.
///
/// - Source: the `modeling_*.py` of transformers.
package struct HuggingFaceWeights {
    package let configuration: ModelConfiguration
    private var family: ArchitectureDescriptor { configuration.family }

    package init(_ configuration: ModelConfiguration) { self.configuration = configuration }

    /// `blk.0.attn_q.weight` is `model.layers.0.self_attn.q_proj.weight`; nil for what the family does not have.
    package func name(_ parameter: String) -> String? {
        var parts = parameter.split(separator: ".").map(String.init)
        guard parts.count >= 2, let suffix = parts.popLast() else { return nil }
        if parts[0] != "blk" { return globals[parts.joined(separator: ".")].map { "\($0).\(suffix)" } }
        guard parts.count >= 3 else { return nil }
        let part: String?
        if parts.count == 4 {
            part = expert(parts[2], parts[3])
        } else {
            part = ofLayer[parts[2]]
        }
        return part.map { "\(layers).\(parts[1]).\($0).\(suffix)" }
    }

    /// Whether the file of the family holds the matrix as `[in, out]`.
    func isTransposed(_ parameter: String) -> Bool {
        guard family.transposesLinears, parameter.hasSuffix(".weight") else { return false }
        return ["attn_qkv", "attn_output", "ffn_up", "ffn_down"].contains { parameter.contains(".\($0).") }
    }

    /// Whether the file holds w where the model multiplies by 1 + w.
    func isShifted(_ parameter: String) -> Bool {
        family.storesGainsMinusOne && parameter.hasSuffix("norm.weight")
    }

    private var layers: String {
        switch family.layout {
        case .gpt2: "transformer.h"
        case .bert: "encoder.layer"
        default: "model.layers"
        }
    }

    private var globals: [String: String] {
        switch family.layout {
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
        default: ["token_embd": "model.embed_tokens", "output_norm": "model.norm", "output": "lm_head"]
        }
    }

    private var ofLayer: [String: String] { names.merging(family.moduleNames) { $1 } }

    private var names: [String: String] {
        switch family.layout {
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
        case .llama: Self.decoder
        }
    }

    private func expert(_ part: String, _ number: String) -> String? {
        family.expertNames[part].map { "\(family.expertModule).experts.\(number).\($0)" }
    }

    private static let decoder = [
        "attn_norm": "input_layernorm", "attn_q": "self_attn.q_proj", "attn_k": "self_attn.k_proj",
        "attn_v": "self_attn.v_proj", "attn_output": "self_attn.o_proj", "attn_qkv": "self_attn.qkv_proj",
        "attn_q_norm": "self_attn.q_norm", "attn_k_norm": "self_attn.k_norm", "ffn_norm": "post_attention_layernorm",
        "ffn_gate": "mlp.gate_proj", "ffn_up": "mlp.up_proj", "ffn_down": "mlp.down_proj",
        "ffn_gate_inp": "mlp.gate",
    ]
}
