/// A place in the forward pass at which an intermediate can be looked at or changed; its text is TransformerLens's name.
///
/// ```swift
/// Hook.pattern(layer: 3).name      // "blocks.3.attn.hook_pattern"
/// Hook("blocks.3.attn.hook_z")     // .z(layer: 3)
/// ```
///
/// Shapes, without a batch axis: T tokens, D width, H heads, W head width, K key positions, F feed-forward width.
///
/// - Source: TransformerLens, `hook_points.py` and `components/`: the names are the field's vocabulary.
public enum Hook: Hashable, Sendable {
    /// `[T, D]`: token embeddings, scaled where the model scales them.
    case embedding
    /// `[T, D]`: learned or sinusoidal positions.
    case positionEmbedding
    /// `[T, D]`: the residual stream before a block.
    case residualPre(layer: Int)
    /// `[T, 1]`: what the norm before attention divides by.
    case attentionNormScale(layer: Int)
    /// `[T, D]`: the norm's output before its gain.
    case attentionNormalized(layer: Int)
    /// `[T, H, W]`, `[T, kvHeads, W]` for keys and values: before rotation.
    case query(layer: Int), key(layer: Int), value(layer: Int)
    /// `[T, H, W]`, `[T, kvHeads, W]`: after rotation.
    case rotatedQuery(layer: Int), rotatedKey(layer: Int)
    /// `[H, T, K]`: scaled, capped and masked scores, -∞ where a key is hidden.
    case scores(layer: Int)
    /// `[H, T, K]`: after softmax.
    case pattern(layer: Int)
    /// `[T, H, W]`: what each head gathered.
    case z(layer: Int)
    /// `[T, D]`: what attention adds to the stream.
    case attentionOut(layer: Int)
    /// `[T, D]`: the stream between attention and feed-forward.
    case residualMid(layer: Int)
    case feedForwardNormScale(layer: Int)
    case feedForwardNormalized(layer: Int)
    /// `[T, F]`: before the nonlinearity (the gate of gated ones).
    case feedForwardPre(layer: Int)
    /// `[T, F]`: the linear half of gated ones.
    case feedForwardLinear(layer: Int)
    /// `[T, F]`: after the nonlinearity, and after the product of gated ones.
    case feedForwardPost(layer: Int)
    /// `[T, experts]`: the router's logits of a mixture of experts.
    case expertLogits(layer: Int)
    /// `[T, experts]`: the weight of each expert, 0 if it was not chosen.
    case expertWeights(layer: Int)
    /// `[T, D]`: what the feed-forward adds to the stream.
    case feedForwardOut(layer: Int)
    /// `[T, D]`: the residual stream after a block.
    case residualPost(layer: Int)
    case finalNormScale
    case finalNormalized
    /// `[T, V]`: logits of the rows that were asked for.
    case logits
}
