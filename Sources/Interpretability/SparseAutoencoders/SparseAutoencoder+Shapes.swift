public import System
internal import Tensors

extension SparseAutoencoder {
    /// Whether all parts fit one another; the parts can be changed one by one, so whatever runs them asks first.
    ///
    /// - Throws: An error with the shapes that do not fit.
    public func check() throws(Problem) {
        guard encoder.rank == 2, decoder.shape == [encoder.shape[1], encoder.shape[0]],
            encoderBias.shape == [encoder.shape[1]], decoderBias.shape == [encoder.shape[0]]
        else {
            throw Problem(
                .invalid, "dictionary",
                "the encoder \(encoder.shape), decoder \(decoder.shape), and biases \(encoderBias.shape), "
                    + "\(decoderBias.shape) do not match")
        }
        guard inputWidth > 0, featureCount > 0, featureCount <= Int(Int32.max) else {
            throw Problem(
                .invalid, "dictionary", "\(featureCount) features of width \(inputWidth) are out of range",
                remedy: "Use at least 1 for both, and fewer than 2^31 features.")
        }
        for (name, vector) in activation.vectors where vector.shape != [featureCount] {
            throw Problem(.invalid, "dictionary", "\(name) has shape \(vector.shape), expected [\(featureCount)]")
        }
        if case .topK(let k) = activation, k < 1 || k > featureCount {
            throw Problem(
                .invalid, "dictionary", "k is \(k), with \(featureCount) features", remedy: "Use 1 to \(featureCount).")
        }
        if case .scale(let factor) = normalization, !(factor.isFinite && factor > 0) {
            throw Problem(
                .invalid, "dictionary", "input scale \(factor) is out of range", remedy: "Use a scale above 0.")
        }
    }

    /// A feature that exists.
    func checkFeature(_ feature: Int) throws(Problem) {
        guard feature >= 0, feature < featureCount else {
            throw Problem(
                .invalid, "feature \(feature)", "not in the dictionary",
                remedy: "Use a feature from 0 to \(featureCount - 1).")
        }
    }
}

extension SparseAutoencoder.Activation {
    /// JumpReLU with one threshold for every feature: what BatchTopK and Matryoshka dictionaries are after training.
    public static func jumpReLU(
        all threshold: Float, features: Int
    ) throws(Problem) -> SparseAutoencoder.Activation {
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
