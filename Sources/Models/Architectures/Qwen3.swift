extension ArchitectureDescriptor {
    /// Qwen 3: Llama whose heads norm their queries and keys before they turn; the width of a head is its own.
    ///
    ///     x += attention(rmsNorm(x))                q = rotate(rmsNorm(W_q n)), k the same
    ///     x += down(silu(gate n) · up n)            or a mixture of such experts
    ///
    /// - Source: Yang et al., "Qwen3 technical report", 2025, section 2.
    public static let qwen3 = ArchitectureDescriptor("qwen3", savedClass: "Qwen3ForCausalLM") {
        $0.normsHeads = true
        $0.headWidth = 128
        $0.windows = .fromLayer(28)
        $0.freshNormEpsilon = 1e-6
    }
}
