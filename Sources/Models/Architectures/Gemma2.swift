extension ArchitectureDescriptor {
    /// Gemma 2:
    ///
    ///     x = √D · embedding(tokens)
    ///     for each block:
    ///         x += rmsNorm(attention(rmsNorm(x)))   scores capped; every other block is windowed
    ///         x += rmsNorm(down(gelu(gate n) · up n)),  n = rmsNorm(x)
    ///     logits = cap(embedding · rmsNorm(x))
    ///
    /// - Source: Gemma team, "Gemma 2", 2024, section 2.
    public static let gemma2 = ArchitectureDescriptor("gemma2", savedClass: "Gemma2ForCausalLM") {
        $0.setGemma()
        $0.windows = .period(2, isStored: false)
        $0.attentionSoftcap = 50
        $0.finalSoftcap = 30
        $0.layersScaledByWidth = 46
    }

    /// Sets what Gemma 2 and 3 share.
    mutating func setGemma() {
        block = .sandwich
        scalesEmbedding = true
        alwaysTiesEmbeddings = true
        (activation, fixesActivation) = (.geluTanh, true)
        (headWidth, contextLength) = (256, 8192)
        freshNormEpsilon = 1e-6
        shiftsNorms = true
        moduleNames = [
            "post_attention_norm": "post_attention_layernorm", "ffn_norm": "pre_feedforward_layernorm",
            "post_ffw_norm": "post_feedforward_layernorm",
        ]
    }
}
