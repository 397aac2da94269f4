public import System
public import Tensors

extension HookedTransformer {
    /// The same model that cannot write along a direction: W' = W − (W v̂) v̂ᵀ of everything that writes to the stream.
    ///
    /// W_E, W_pos, W_O, b_O, W_out, b_out, of every expert too. Its runs are those of this model with the direction
    /// projected out of every residual stream.
    ///
    /// - Parameter direction: `[D]`, of any length.
    /// - Throws: An error for models that norm what a block has written: a gain after the projection would bring it
    ///   back.
    /// - Source: Arditi et al., "Refusal in language models is mediated by a single direction", 2024, section 4.1.
    public func removing(direction: Tensor<Scalar>) throws(Problem) -> HookedTransformer {
        guard direction.shape == [width] else {
            throw Problem(
                .invalid, "direction", "shape \(direction.shape) does not match the residual stream's width \(width)")
        }
        guard !configuration.isSandwich else {
            throw Problem(
                .failed, name, "the model normalizes block outputs, so changing weights cannot remove a direction",
                remedy: "Project the direction out of the residual stream at run time.")
        }
        let unit = try telling {
            let length = try direction.vectorNorm()
            guard length > 0 else { throw Problem(.invalid, "direction", "length is 0") }
            return try direction / length
        }
        func without(_ weight: Tensor<Scalar>) throws(Problem) -> Tensor<Scalar> {
            try telling { try weight - matmul(weight, unit).expanded(at: weight.rank - 1) * unit }
        }
        var changed = weights
        changed.embedding = try without(changed.embedding)
        if let positions = changed.positions { changed.positions = try without(positions) }
        for index in changed.blocks.indices {
            var block = changed.blocks[index]
            block.output = try without(block.output)
            if let bias = block.outputBias { block.outputBias = try without(bias) }
            if let part = block.feedForward { block.feedForward = try part.writing(without) }
            if var experts = block.experts {
                experts.experts = try experts.experts.map { part throws(Problem) in
                    try part.writing(without)
                }
                block.experts = experts
            }
            changed.blocks[index] = block
        }
        return try HookedTransformer(configuration, changed)
    }
}

extension HookedWeights.FeedForward {
    /// With what it writes to the stream changed.
    fileprivate func writing(
        _ change: (Tensor<Scalar>) throws(Problem) -> Tensor<Scalar>
    ) throws(Problem) -> Self {
        var result = self
        result.output = try change(output)
        if let bias = outputBias { result.outputBias = try change(bias) }
        return result
    }
}
