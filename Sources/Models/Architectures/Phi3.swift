extension ArchitectureDescriptor {
    /// Phi-3: Llama with queries, keys, and values fused into one matrix, gate and up fused into another, and LongRoPE,
    /// which extends the context with one factor per rotated pair.
    ///
    ///     x += attention(rmsNorm(x))                [q k v] = W n, longrope
    ///     x += down(silu(gate n) · up n)            [gate up] = W n
    ///
    /// - Source: Abdin et al., "Phi-3 technical report", 2024, section 2; Ding et al., "LongRoPE", 2024.
    public static let phi3 = ArchitectureDescriptor("phi3", className: "Phi3ForCausalLM") {
        $0.normEpsilon = 1e-5
        $0.fusesAttentionInputs = true
        $0.fusesGateAndUp = true
        $0.moduleNames = ["ffn_up": "mlp.gate_up_proj"]
    }
}
