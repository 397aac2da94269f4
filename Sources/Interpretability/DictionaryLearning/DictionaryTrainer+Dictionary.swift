internal import Kernels
public import System
internal import Tensors

extension DictionaryTrainer {
    /// The dictionary as it stands.
    ///
    /// BatchTopK and Matryoshka become JumpReLU with the running mean of the smallest active number as threshold.
    public func dictionary() throws(Problem) -> SparseAutoencoder {
        var origin = origin
        origin.kind = configuration.kind.name
        origin.trainedTokens = step * configuration.batchRows
        if case .matryoshka(_, let prefixes, _) = configuration.kind { origin.prefixes = prefixes }
        let (weights, features, width) = (engine.weights, configuration.features, width)
        let (encoder, encoderBias, decoder, decoderBias) = try telling {
            (
                try Tensor(Array(weights.encoder.values.elements), shape: [features, width]).transposed().contiguous(),
                try Tensor(Array(weights.encoderBias.values.elements)),
                try Tensor(Array(weights.decoder.values.elements), shape: [features, width]),
                try Tensor(Array(weights.decoderBias.values.elements))
            )
        }
        return try SparseAutoencoder(
            encoder: encoder, encoderBias: encoderBias, decoder: decoder, decoderBias: decoderBias,
            activation: try engine.objective.activation(), normalization: scaling.ofDictionary, origin: origin)
    }
}
