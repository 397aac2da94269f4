public import System
internal import Tensors

extension SparseAutoencoder {
    /// The same dictionary with the one scale of its inputs multiplied into its weights.
    ///
    /// W_enc · c, W_dec / c, b_dec / c: features stay, reconstructions too. What normalizes each row by itself cannot
    /// be folded and stays as it is.
    public func foldingScale() throws(Problem) -> SparseAutoencoder {
        try check()
        guard case .scale(let factor) = normalization else { return self }
        return try telling {
            var folded = self
            folded.encoder = try encoder * factor
            folded.decoder = try decoder * (1 / factor)
            folded.decoderBias = try decoderBias * (1 / factor)
            folded.normalization = .none
            return folded
        }
    }

    /// The same dictionary with decoder rows of norm 1: features are multiplied by the norms that were.
    ///
    /// - Parameter choosesAfterwards: For a TopK dictionary that was trained to choose the largest features times
    ///   their decoder's norm; another one would choose other features, and is refused.
    public func foldingDecoderNorms(
        choosesAfterwards: Bool = false
    ) throws(Problem) -> SparseAutoencoder {
        if case .topK = activation, !choosesAfterwards {
            throw Problem(
                .invalid, "dictionary",
                "TopK selects the largest features, and folding decoder norms would reorder them",
                remedy: "Fold only dictionaries without TopK.")
        }
        let norms = try decoderNorms().map { max($0, 1e-8) }
        return try telling {
            let factors = try Tensor(norms)
            let (width, rows) = (inputWidth, try decoder.contiguous())
            var folded = self
            folded.encoder = try encoder * factors
            folded.encoderBias = try encoderBias * factors
            folded.decoder = try Tensor(shape: [featureCount, width]) { target throws(TensorError) in
                try rows.withElements { source in
                    for feature in 0..<norms.count {
                        for i in feature * width..<(feature + 1) * width { target[i] = source[i] / norms[feature] }
                    }
                }
            }
            switch activation {
            case .relu, .topK: break
            case .jumpReLU(let threshold): folded.activation = .jumpReLU(threshold: try threshold * factors)
            case .gated(let gate, let scale, let bias):
                folded.activation = .gated(
                    gateBias: try gate * factors, magnitudeScale: scale, magnitudeBias: try bias * factors)
            }
            return folded
        }
    }
}
