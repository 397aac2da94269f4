extension ArchitectureDescriptor {
    /// Qwen 2 and 2.5: Llama with biases on queries, keys, and values. The attention reads every bias in the file.
    ///
    ///     x += attention(rmsNorm(x))                q, k, v = W n + b
    ///     x += down(silu(gate n) · up n)
    ///
    /// - Source: Yang et al., "Qwen2 technical report", 2024, section 2.2.
    public static let qwen2 = ArchitectureDescriptor("qwen2", className: "Qwen2ForCausalLM") {
        $0.biases = .attentionInputs
        $0.windows = .fromLayer(28)
        $0.trainingNormEpsilon = 1e-6
    }
}
