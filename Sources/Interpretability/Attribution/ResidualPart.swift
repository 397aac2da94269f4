public import Models

/// Something that the residual stream is made of, or a point at which it stands, under TransformerLens's label.
public enum ResidualPart: Hashable, Sendable, CustomStringConvertible {
    case embedding, positionEmbedding
    /// The stream before a block, between its halves, and after the last one.
    case pre(layer: Int), mid(layer: Int), final
    /// What half a block writes.
    case attention(layer: Int), feedForward(layer: Int)
    case head(layer: Int, head: Int)
    case neuron(layer: Int, neuron: Int)
    /// The biases of all blocks' outputs together.
    case bias
    /// b of the final norm, seen through the unembedding.
    case finalNormBias
    /// b_U.
    case unembeddingBias
    /// Several parts that are not shown individually.
    case rest(count: Int)

    /// `embed`, `3_mid`, `final_post`, `3_attn_out`, `L3H5`, `L3N120`, `bias`, `b_U`, …
    public var label: String {
        switch self {
        case .embedding: "embed"
        case .positionEmbedding: "pos_embed"
        case .pre(let layer): "\(layer)_pre"
        case .mid(let layer): "\(layer)_mid"
        case .final: "final_post"
        case .attention(let layer): "\(layer)_attn_out"
        case .feedForward(let layer): "\(layer)_mlp_out"
        case .head(let layer, let head): "L\(layer)H\(head)"
        case .neuron(let layer, let neuron): "L\(layer)N\(neuron)"
        case .bias: "bias"
        case .finalNormBias: "ln_final.b"
        case .unembeddingBias: "b_U"
        case .rest(let count): "\(count) more"
        }
    }

    public var description: String { label }

    /// The block it belongs to; `nil` for what is outside the blocks.
    public var layer: Int? {
        switch self {
        case .pre(let layer), .mid(let layer), .attention(let layer), .feedForward(let layer), .head(let layer, _),
            .neuron(let layer, _):
            layer
        default: nil
        }
    }

    /// The hook that shows it whole; `nil` for heads, neurons and biases, which are computed from others.
    ///
    /// - Parameter layerCount: Of the model: `final` is its last `hook_resid_post`.
    public func hook(layerCount: Int) -> Hook? {
        switch self {
        case .embedding: .embedding
        case .positionEmbedding: .positionEmbedding
        case .pre(let layer): .residualPre(layer: layer)
        case .mid(let layer): .residualMid(layer: layer)
        case .final: .residualPost(layer: layerCount - 1)
        case .attention(let layer): .attentionOut(layer: layer)
        case .feedForward(let layer): .feedForwardOut(layer: layer)
        case .head, .neuron, .bias, .finalNormBias, .unembeddingBias, .rest: nil
        }
    }
}
