/// Qwen 2 and 2.5: Llama with biases on queries, keys and values, which the parts find in the file by themselves.
///
///     x += attention(rmsNorm(x))                q, k, v = W n + b
///     x += down(silu(gate n) · up n)
///
/// - Source: Yang et al., "Qwen2 technical report", 2024, section 2.2.
struct Qwen2: Architecture {
    static let families: [ModelFamily] = [.qwen2]

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
