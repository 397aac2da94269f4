/// GPT-2:
///
///     x = embedding(tokens) + positions         learned; sinusoidal, ALiBi or none in its variants
///     for each block:
///         x += attention(layerNorm(x))          [q k v] = W n + b
///         x += down(gelu(up n))                 with biases
///     logits = embedding · layerNorm(x)
///
/// - Source: Radford et al., "Language models are unsupervised multitask learners", 2019, section 2.3.
struct GPT2: Architecture {
    static let families: [ModelFamily] = [.gpt2]

    let decoder: Decoder<PreNormBlock>

    init(_ weights: WeightReader) throws(ModelError) {
        decoder = try Decoder(weights, norm: .layer) { (block) throws(ModelError) in
            PreNormBlock(
                layer: block.layer,
                attentionNorm: try block.norm("attn_norm", .layer, hooks: .attention(block.layer)),
                attention: try block.attention(),
                feedForwardNorm: try block.norm("ffn_norm", .layer, hooks: .feedForward(block.layer)),
                feedForward: try block.plainFeedForward())
        }
    }

    func run(_ pass: ForwardPass) throws(ModelError) {
        try decoder.run(pass) { (block) throws(ModelError) in try block(pass) }
    }
}
