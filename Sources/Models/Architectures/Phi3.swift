extension ArchitectureDescriptor {
    /// Phi-3: Llama with query, key and value in one matrix, gate and up in another, and positions that reach far by a
    /// factor for each rotating pair.
    ///
    ///     x += attention(rmsNorm(x))                [q k v] = W n, longrope
    ///     x += down(silu(gate n) · up n)            [gate up] = W n
    ///
    /// - Source: Abdin et al., "Phi-3 technical report", 2024, section 2; Ding et al., "LongRoPE", 2024.
    public static let phi3 = ArchitectureDescriptor("phi3", savedClass: "Phi3ForCausalLM") {
        $0.normEpsilon = 1e-5
        $0.joinsAttention = true
        $0.joinsGate = true
        $0.moduleNames = ["ffn_up": "mlp.gate_up_proj"]
    }
}
