extension ArchitectureDescriptor {
    /// Gemma 3: Gemma 2 without softcaps, with norms of the queries and keys of each head, and with five windowed blocks
    /// per block of full attention. The two kinds of block have different rotary bases, and scaling of rotations applies
    /// only to full attention.
    ///
    ///     x += rmsNorm(attention(rmsNorm(x)))       q = rotate(rmsNorm(W_q n)), k the same
    ///     x += rmsNorm(down(gelu(gate n) · up n))
    ///
    /// - Source: Gemma team, "Gemma 3 technical report", 2025, section 2.
    public static let gemma3 = ArchitectureDescriptor("gemma3", className: "Gemma3ForCausalLM") {
        $0.setGemma()
        $0.modelTypes = ["gemma3", "gemma3_text"]
        $0.exportNames = ExportNames(modelType: "gemma3_text", className: "Gemma3ForCausalLM")
        $0.normsHeads = true
        $0.windows = .period(6, isConfigurable: true)
        $0.ropeBase = 1e6
        $0.ggufRopeBase = 1e6
        $0.windowedRopeBase = 1e4
        $0.layerCountScaledByWidth = 62
    }
}
