/// Mixtral: Llama whose feed-forward is a mixture of experts.
///
///     x += attention(rmsNorm(x))
///     x += Σ wₑ downₑ(silu(gateₑ n) · upₑ n)    over the two best experts of the router
///
/// - Source: Jiang et al., "Mixtral of experts", 2024, section 2.1.
struct Mixtral: Architecture {
    static let families: [ModelFamily] = [.mixtral]

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
