internal import Kernels
internal import System

/// The weights that every kind has: the encoder as `[F, d]`, so that what a feature reads lies together.
package final class LearnedWeights {
    let width, features: Int
    /// `[F, d]`: the transpose of W_enc.
    package let encoder: DictionaryParameter
    /// `[F]`.
    package let encoderBias: DictionaryParameter
    /// `[F, d]`.
    package let decoder: DictionaryParameter
    /// `[d]`.
    let decoderBias: DictionaryParameter

    init(width: Int, features: Int) throws(Problem) {
        self.width = width
        self.features = features
        encoder = try DictionaryParameter("encoder", count: features * width)
        encoderBias = try DictionaryParameter("encoder_bias", count: features)
        decoder = try DictionaryParameter("decoder", count: features * width)
        decoderBias = try DictionaryParameter("decoder_bias", count: width)
    }

    var all: [DictionaryParameter] { [encoder, encoderBias, decoder, decoderBias] }

    package func decoderRow(_ feature: Int) -> UnsafeMutablePointer<Float> { decoder.values.pointer + feature * width }
}
