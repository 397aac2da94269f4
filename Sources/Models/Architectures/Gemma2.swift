/// Gemma 2:
///
///     x = √D · embedding(tokens)
///     for each block:
///         x += rmsNorm(attention(rmsNorm(x)))   scores capped; every other block is windowed
///         x += rmsNorm(down(gelu(gate n) · up n)),  n = rmsNorm(x)
///     logits = cap(embedding · rmsNorm(x))
///
/// - Source: Gemma team, "Gemma 2", 2024, section 2.
struct Gemma2: Architecture {
    static let families: [ModelFamily] = [.gemma2]

    let decoder: Decoder<SandwichBlock>

    init(_ weights: WeightReader) throws(ModelError) {
        decoder = try Decoder(weights, norm: .rms) { (block) throws(ModelError) in
            try SandwichBlock(gemma: block, normsHeads: false)
        }
    }

    func run(_ pass: ForwardPass) throws(ModelError) {
        try decoder.run(pass) { (block) throws(ModelError) in try block(pass) }
    }
}

extension SandwichBlock {
    /// The block that Gemma 2 and 3 share.
    init(gemma block: LayerReader, normsHeads: Bool) throws(ModelError) {
        self.init(
            layer: block.layer,
            attentionNorm: try block.norm("attn_norm", .rms, hooks: .attention(block.layer)),
            attention: try block.attention(normsHeads: normsHeads),
            attentionPostNorm: try block.norm("post_attention_norm", .rms),
            feedForwardNorm: try block.norm("ffn_norm", .rms, hooks: .feedForward(block.layer)),
            feedForward: try block.gatedFeedForward(),
            feedForwardPostNorm: try block.norm("post_ffw_norm", .rms))
    }
}
