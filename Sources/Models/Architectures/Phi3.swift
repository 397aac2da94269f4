/// Phi-3: Llama with query, key and value in one matrix, gate and up in another, and positions that reach far by a
/// factor for each rotating pair.
///
///     x += attention(rmsNorm(x))                [q k v] = W n, longrope
///     x += down(silu(gate n) · up n)            [gate up] = W n
///
/// - Source: Abdin et al., "Phi-3 technical report", 2024, section 2; Ding et al., "LongRoPE", 2024.
struct Phi3: Architecture {
    static let families: [ModelFamily] = [.phi3]

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
