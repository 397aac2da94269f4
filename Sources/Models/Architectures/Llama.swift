/// Llama, and Mistral with its window:
///
///     x = embedding(tokens)
///     for each block:
///         x += attention(rmsNorm(x))            rotary positions, grouped queries, no biases
///         x += down(silu(gate n) · up n),  n = rmsNorm(x)
///     logits = output · rmsNorm(x)
///
/// - Source: Touvron et al., "LLaMA", 2023, section 2.2; Jiang et al., "Mistral 7B", 2023, section 2.
struct Llama: Architecture {
    static let families: [ModelFamily] = [.llama]

    let decoder: Decoder<PreNormBlock>

    init(_ weights: WeightReader) throws(ModelError) {
        decoder = try Decoder(weights, norm: .rms) { (block) throws(ModelError) in
            PreNormBlock(
                layer: block.layer,
                attentionNorm: try block.norm("attn_norm", .rms, hooks: .attention(block.layer)),
                attention: try block.attention(),
                feedForwardNorm: try block.norm("ffn_norm", .rms, hooks: .feedForward(block.layer)),
                feedForward: try block.gatedFeedForward())
        }
    }

    func run(_ pass: ForwardPass) throws(ModelError) {
        try decoder.run(pass) { (block) throws(ModelError) in try block(pass) }
    }
}
