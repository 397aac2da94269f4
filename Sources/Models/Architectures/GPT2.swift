extension ArchitectureDescriptor {
    /// GPT-2:
    ///
    ///     x = embedding(tokens) + positions         learned; variants use sinusoids, ALiBi, or none
    ///     for each block:
    ///         x += attention(layerNorm(x))          [q k v] = W n + b
    ///         x += down(gelu(up n))                 with biases
    ///     logits = embedding · layerNorm(x)
    ///
    /// - Source: Radford et al., "Language models are unsupervised multitask learners", 2019, section 2.3.
    public static let gpt2 = ArchitectureDescriptor("gpt2", className: "GPT2LMHeadModel") {
        $0.layout = .gpt2
        $0.norm = .layer
        $0.isGated = false
        $0.learnsPositions = true
        $0.alwaysTiesEmbeddings = true
        $0.activation = .geluTanh
        $0.windows = .none
        $0.normEpsilon = 1e-5
        $0.biases = .all
        $0.fusesAttentionInputs = true
        $0.transposesLinears = true
    }
}
