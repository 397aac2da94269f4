extension ArchitectureDescriptor {
    /// Gemma 2:
    ///
    ///     x = √D · embedding(tokens)
    ///     for each block:
    ///         x += rmsNorm(attention(rmsNorm(x)))   scores capped; windows in alternate blocks
    ///         x += rmsNorm(down(gelu(gate n) · up n)),  n = rmsNorm(x)
    ///     logits = cap(embedding · rmsNorm(x))
    ///
    /// - Source: Gemma team, "Gemma 2", 2024, section 2.
    public static let gemma2 = ArchitectureDescriptor("gemma2", className: "Gemma2ForCausalLM") {
        $0.setGemma()
        $0.windows = .period(2, isConfigurable: false)
        $0.attentionSoftcap = 50
        $0.finalSoftcap = 30
        $0.layerCountScaledByWidth = 46
    }

    /// Sets the properties that Gemma 2 and Gemma 3 share.
    mutating func setGemma() {
        block = .sandwich
        scalesEmbedding = true
        alwaysTiesEmbeddings = true
        (activation, ignoresConfiguredActivation) = (.geluTanh, true)
        (headWidth, contextLength) = (256, 8192)
        trainingNormEpsilon = 1e-6
        storesGainsMinusOne = true
        moduleNames = [
            "post_attention_norm": "post_attention_layernorm", "ffn_norm": "pre_feedforward_layernorm",
            "post_ffw_norm": "post_feedforward_layernorm",
        ]
    }
}
