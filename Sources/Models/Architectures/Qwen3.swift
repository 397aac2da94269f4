extension ArchitectureDescriptor {
    /// Qwen 3: Llama with norms of the queries and keys of each head before their rotation, and a head width that does not
    /// depend on the model's width.
    ///
    ///     x += attention(rmsNorm(x))                q = rotate(rmsNorm(W_q n)), k the same
    ///     x += down(silu(gate n) · up n)            or a mixture of such experts
    ///
    /// - Source: Yang et al., "Qwen3 technical report", 2025, section 2.
    public static let qwen3 = ArchitectureDescriptor("qwen3", className: "Qwen3ForCausalLM") {
        $0.normsHeads = true
        $0.headWidth = 128
        $0.windows = .fromLayer(28)
        $0.trainingNormEpsilon = 1e-6
    }
}
