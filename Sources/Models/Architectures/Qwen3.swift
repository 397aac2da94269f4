/// Qwen 3: Llama whose heads norm their queries and keys before they turn; the width of a head is its own.
///
///     x += attention(rmsNorm(x))                q = rotate(rmsNorm(W_q n)), k the same
///     x += down(silu(gate n) · up n)            or a mixture of such experts
///
/// - Source: Yang et al., "Qwen3 technical report", 2025, section 2.
struct Qwen3: Architecture {
    static let families: [ModelFamily] = [.qwen3]

    let decoder: Decoder<PreNormBlock>

    init(_ weights: WeightReader) throws(ModelError) {
        decoder = try Decoder(weights, norm: .rms) { (block) throws(ModelError) in
            PreNormBlock(
                layer: block.layer,
                attentionNorm: try block.norm("attn_norm", .rms, hooks: .attention(block.layer)),
                attention: try block.attention(normsHeads: true),
                feedForwardNorm: try block.norm("ffn_norm", .rms, hooks: .feedForward(block.layer)),
                feedForward: try block.gatedFeedForward())
        }
    }

    func run(_ pass: ForwardPass) throws(ModelError) {
        try decoder.run(pass) { (block) throws(ModelError) in try block(pass) }
    }
}
