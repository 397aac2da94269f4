extension ArchitectureDescriptor {
    /// Gemma 3: Gemma 2 without caps, with norms of each head's queries and keys, and five windowed blocks to each that sees
    /// everything. The two kinds turn at bases of their own, and only the latter are scaled.
    ///
    ///     x += rmsNorm(attention(rmsNorm(x)))       q = rotate(rmsNorm(W_q n)), k the same
    ///     x += rmsNorm(down(gelu(gate n) · up n))
    ///
    /// - Source: Gemma team, "Gemma 3 technical report", 2025, section 2.
    public static let gemma3 = ArchitectureDescriptor("gemma3", savedClass: "Gemma3ForCausalLM") {
        $0.setGemma()
        $0.modelTypes = ["gemma3", "gemma3_text"]
        $0.saved = Saved(type: "gemma3_text", className: "Gemma3ForCausalLM")
        $0.normsHeads = true
        $0.windows = .period(6, isStored: true)
        $0.ropeBase = 1e6
        $0.ggufRopeBase = 1e6
        $0.windowedRopeBase = 1e4
        $0.layersScaledByWidth = 62
    }
}
