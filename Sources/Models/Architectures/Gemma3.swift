extension ArchitectureDescriptor {
    /// Gemma 3: Gemma 2 with query and key norms instead of softcaps, and five windowed blocks per full block.
    ///
    /// Windowed and full blocks have different rotary bases. Rotations are scaled only in full blocks.
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
