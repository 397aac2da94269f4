internal import Models
public import System
internal import Tensors

extension ActivationCache {
    /// The residual stream at each point of its way: `0_pre`, `0_mid`, …, `final_post`.
    ///
    /// - Throws: An error if one of their hooks was not captured.
    public func accumulatedResidual(
        layerCount: Int, includingMid: Bool = true, at positions: PositionSelection = .all
    ) throws(Problem) -> ResidualStack<Scalar> {
        var parts = (0..<layerCount).flatMap { layer in
            includingMid ? [ResidualPart.pre(layer: layer), .mid(layer: layer)] : [.pre(layer: layer)]
        }
        parts.append(.final)
        return try stacked(parts, layerCount: layerCount, at: positions)
    }

    /// What was written into the residual stream: `embed`, `pos_embed`, `0_attn_out`, `0_mlp_out`, … Its sum is
    /// `final_post`.
    ///
    /// Positions that are not added to the stream, and feed-forwards of attention-only models, are left out.
    public func decomposedResidual(
        layerCount: Int, at positions: PositionSelection = .all
    ) throws(Problem) -> ResidualStack<Scalar> {
        var parts = embeddings
        for layer in 0..<layerCount {
            parts.append(.attention(layer: layer))
            if activations[.feedForwardOut(layer: layer)] != nil { parts.append(.feedForward(layer: layer)) }
        }
        return try stacked(parts, layerCount: layerCount, at: positions)
    }

    /// Parts that a hook shows each, as one stack.
    func stacked(
        _ parts: [ResidualPart], layerCount: Int, at positions: PositionSelection
    ) throws(Problem) -> ResidualStack<Scalar> {
        let chosen = chosenPositions(positions)
        var rows: [Tensor<Scalar>] = []
        for part in parts {
            guard let hook = part.hook(layerCount: layerCount) else {
                throw Problem(.missing, part.label, "no hook captures this part")
            }
            let activation = try self[hook]
            rows.append(try telling { try activation.selecting(chosen, axis: 0) })
        }
        let stack = try telling { try Tensors.stack(rows, axis: 0) }
        return try ResidualStack(parts: parts, positions: chosen, rows: stack)
    }

    /// Those of the sequence's tokens that are selected.
    func chosenPositions(_ positions: PositionSelection) -> [Int] { tokens.indices.filter(positions.contains) }

    /// What enters the stream before the first block.
    var embeddings: [ResidualPart] {
        activations[.positionEmbedding] == nil ? [.embedding] : [.embedding, .positionEmbedding]
    }
}
