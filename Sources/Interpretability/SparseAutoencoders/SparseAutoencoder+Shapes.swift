internal import Tensors

extension SparseAutoencoder {
    /// Whether all parts fit one another; the parts can be changed one by one, so whatever runs them asks first.
    ///
    /// - Throws: a sentence with the shapes that do not fit.
    public func check() throws(InterpretabilityError) {
        guard encoder.rank == 2, decoder.shape == [encoder.shape[1], encoder.shape[0]],
            encoderBias.shape == [encoder.shape[1]], decoderBias.shape == [encoder.shape[0]]
        else {
            throw InterpretabilityError(
                "this dictionary",
                problem: "its encoder \(encoder.shape), decoder \(decoder.shape) and biases \(encoderBias.shape), "
                    + "\(decoderBias.shape) do not fit one another")
        }
        guard inputWidth > 0, featureCount > 0, featureCount <= Int(Int32.max) else {
            throw InterpretabilityError(
                "this dictionary", problem: "has \(featureCount) features of width \(inputWidth)",
                remedy: "Both are at least 1, and features are counted in 31 bits.")
        }
        for (name, vector) in activation.vectors where vector.shape != [featureCount] {
            throw InterpretabilityError(
                "this dictionary", problem: "its \(name) has the shape \(vector.shape), not [\(featureCount)]")
        }
        if case .topK(let k) = activation, k < 1 || k > featureCount {
            throw InterpretabilityError(
                "this dictionary", problem: "keeps the \(k) largest of \(featureCount) features",
                remedy: "k is from 1 to the number of features.")
        }
        if case .scale(let factor) = normalization, !(factor.isFinite && factor > 0) {
            throw InterpretabilityError(
                "this dictionary", problem: "scales its inputs by \(factor)", remedy: "The scale is above 0.")
        }
    }

    /// A feature that exists.
    func checkFeature(_ feature: Int) throws(InterpretabilityError) {
        guard feature >= 0, feature < featureCount else {
            throw InterpretabilityError(
                "feature \(feature)", problem: "does not exist in this dictionary",
                remedy: "It has features 0 to \(featureCount - 1).")
        }
    }
}

extension SparseAutoencoder.Activation {
    /// JumpReLU with one threshold for every feature: what BatchTopK and Matryoshka dictionaries are after training.
    public static func jumpReLU(
        all threshold: Float, features: Int
    ) throws(InterpretabilityError) -> SparseAutoencoder.Activation {
        try telling { .jumpReLU(threshold: try Tensor(repeating: threshold, shape: [features])) }
    }

    /// The vectors that it has, each of one number a feature, under the names that files give them.
    var vectors: [(name: String, vector: Tensor<Float>)] {
        switch self {
        case .relu, .topK: []
        case .jumpReLU(let threshold): [("threshold", threshold)]
        case .gated(let gate, let scale, let bias): [("b_gate", gate), ("r_mag", scale), ("b_mag", bias)]
        }
    }
}
