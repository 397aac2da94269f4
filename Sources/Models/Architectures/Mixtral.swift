extension ArchitectureDescriptor {
    /// Mixtral: Llama whose feed-forward is a mixture of experts.
    ///
    ///     x += attention(rmsNorm(x))
    ///     x += Σ wₑ downₑ(silu(gateₑ n) · upₑ n)    over the two best experts of the router
    ///
    /// - Source: Jiang et al., "Mixtral of experts", 2024, section 2.1.
    public static let mixtral = ArchitectureDescriptor("mixtral", className: "MixtralForCausalLM") {
        $0.hasExperts = true
        $0.normEpsilon = 1e-5
        $0.ropeBase = 1e6
        $0.ggufName = "llama"
        $0.ggufPairing = .adjacent
        $0.moduleNames = ["ffn_gate_inp": "block_sparse_moe.gate"]
        $0.expertModule = "block_sparse_moe"
        $0.expertNames = ["ffn_gate": "w1", "ffn_up": "w3", "ffn_down": "w2"]
    }
}
