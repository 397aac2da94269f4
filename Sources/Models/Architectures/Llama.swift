extension ArchitectureDescriptor {
    /// Llama, and Mistral, which adds a sliding window:
    ///
    ///     x = embedding(tokens)
    ///     for each block:
    ///         x += attention(rmsNorm(x))            rotary positions, grouped queries, no biases
    ///         x += down(silu(gate n) · up n),  n = rmsNorm(x)
    ///     logits = output · rmsNorm(x)
    ///
    /// - Source: Touvron et al., "LLaMA", 2023, section 2.2; Jiang et al., "Mistral 7B", 2023, section 2.
    public static let llama = ArchitectureDescriptor("llama", className: "LlamaForCausalLM") {
        $0.modelTypes = ["llama", "mistral"]
        $0.windowedExportNames = ExportNames(modelType: "mistral", className: "MistralForCausalLM")
        $0.ggufPairing = .adjacent
    }
}
