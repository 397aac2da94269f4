public import System
internal import Tensors

/// Changes of the weights that leave the log-probabilities as they are and make them easier to read.
///
/// - Source: TransformerLens, `weight_processing`; Elhage et al. 2021, "Technical details".
extension HookedTransformer {
    /// All that are valid for this model, in the order of TransformerLens: norms folded, writing weights and the output
    /// matrix centered, value biases folded.
    public func processed() throws(Problem) -> HookedTransformer {
        var model = try foldingNorms()
        if configuration.norm == .layer, !configuration.isSandwich { model = try model.centeringWrites() }
        if configuration.finalSoftcap == nil { model = try model.centeringUnembedding() }
        return try model.foldingValueBiases()
    }

    /// Gains and biases of norms move into the matrices that read from them: W' = diag(w) W, b' = b + β W; matrices that
    /// read a layer norm are centered over what they read, which its centering makes no difference to.
    ///
    /// Norms of heads and those after a part (Gemma) stay.
    public func foldingNorms() throws(Problem) -> HookedTransformer {
        var weights = weights
        let isCentered = configuration.norm == .layer
        try telling {
            for layer in weights.blocks.indices {
                var block = weights.blocks[layer]
                let norm = block.attentionNorm
                (block.query, block.queryBias) = try norm.folded(into: block.query, block.queryBias, isCentered)
                (block.key, block.keyBias) = try norm.folded(into: block.key, block.keyBias, isCentered)
                (block.value, block.valueBias) = try norm.folded(into: block.value, block.valueBias, isCentered)
                block.attentionNorm = .init()
                let second = block.feedForwardNorm
                if let part = block.feedForward { block.feedForward = try second.folded(into: part, isCentered) }
                if var experts = block.experts {
                    (experts.router, experts.routerBias) = try second.folded(
                        into: experts.router, experts.routerBias, isCentered)
                    experts.experts = try experts.experts.map { try second.folded(into: $0, isCentered) }
                    block.experts = experts
                }
                block.feedForwardNorm = .init()
                weights.blocks[layer] = block
            }
            (weights.unembedding, weights.unembeddingBias) = try weights.finalNorm.folded(
                into: weights.unembedding, weights.unembeddingBias, isCentered)
            weights.finalNorm = .init()
        }
        return try HookedTransformer(configuration, weights)
    }

    /// What is written to the stream loses its mean over D, which every layer norm takes off anyway.
    ///
    /// - Throws: An error for a model whose norms do not center, or norm again what is written.
    public func centeringWrites() throws(Problem) -> HookedTransformer {
        guard configuration.norm == .layer, !configuration.isSandwich else {
            throw Problem(
                .invalid, name,
                "the model does not center its inputs, so centering the writing weights would change it",
                remedy: "Skip this processing step.")
        }
        var weights = weights
        try telling {
            weights.embedding = try weights.embedding.centered(-1)
            weights.positions = try weights.positions?.centered(-1)
            for layer in weights.blocks.indices {
                weights.blocks[layer].output = try weights.blocks[layer].output.centered(-1)
                weights.blocks[layer].outputBias = try weights.blocks[layer].outputBias?.centered(-1)
                weights.blocks[layer].feedForward = try weights.blocks[layer].feedForward?.writingCentered()
                if let experts = weights.blocks[layer].experts {
                    // Weights of experts need not sum to 1, but each output is centered, and so is their sum.
                    weights.blocks[layer].experts?.experts = try experts.experts.map { try $0.writingCentered() }
                }
            }
        }
        return try HookedTransformer(configuration, weights)
    }

    /// The output matrix loses its mean over V: all logits of a token shift alike.
    ///
    /// - Throws: An error for a model that caps its logits, which makes a shift differ between tokens.
    public func centeringUnembedding() throws(Problem) -> HookedTransformer {
        guard configuration.finalSoftcap == nil else {
            throw Problem(
                .invalid, name, "the model caps its logits, so centering the output matrix would change it",
                remedy: "Skip this processing step.")
        }
        var weights = weights
        try telling {
            weights.unembedding = try weights.unembedding.centered(-1)
            weights.unembeddingBias = try weights.unembeddingBias?.centered(-1)
        }
        return try HookedTransformer(configuration, weights)
    }

    /// b_O' = b_O + Σ_h b_V[h] W_O[h], b_V' = 0: patterns sum to 1, so that values' biases come through whole.
    public func foldingValueBiases() throws(Problem) -> HookedTransformer {
        var weights = weights
        try telling {
            for layer in weights.blocks.indices {
                let block = weights.blocks[layer]
                guard let bias = block.valueBias else { continue }
                let groups = configuration.headCount / configuration.kvHeadCount
                let perHead = try bias.selecting((0..<configuration.headCount).map { $0 / groups })
                let written = try einsum("hw,hwd->d", perHead, block.output)
                weights.blocks[layer].outputBias = try block.outputBias.map { try $0 + written } ?? written
                weights.blocks[layer].valueBias = nil
            }
        }
        return try HookedTransformer(configuration, weights)
    }
}

extension HookedWeights.Norm {
    /// A matrix `[..., D, W]` and its bias `[..., W]` that read rows without gain and bias.
    fileprivate func folded(
        into matrix: Tensor<Scalar>, _ bias: Tensor<Scalar>?, _ isCentered: Bool
    ) throws -> (Tensor<Scalar>, Tensor<Scalar>?) {
        var (folded, newBias) = (matrix, bias)
        if let own = self.bias {
            let added = try (matrix * own.expanded(at: 1)).sum(axes: [-2])
            newBias = try bias.map { try $0 + added } ?? added
        }
        if let gain { folded = try folded * gain.expanded(at: 1) }
        return (isCentered ? try folded.centered(-2) : folded, newBias)
    }

    fileprivate func folded(
        into part: HookedWeights.FeedForward, _ isCentered: Bool
    ) throws -> HookedWeights.FeedForward {
        var part = part
        (part.input, part.inputBias) = try folded(into: part.input, part.inputBias, isCentered)
        if let gate = part.gate {
            let (matrix, bias) = try folded(into: gate, part.gateBias, isCentered)
            (part.gate, part.gateBias) = (matrix, bias)
        }
        return part
    }
}

extension HookedWeights.FeedForward {
    fileprivate func writingCentered() throws -> Self {
        var part = self
        part.output = try output.centered(-1)
        part.outputBias = try outputBias?.centered(-1)
        return part
    }
}

extension Tensor where Scalar: FloatingAccumulator {
    fileprivate func centered(_ axis: Int) throws -> Tensor {
        try self - mean(axes: [axis], keepingAxes: true)
    }
}
