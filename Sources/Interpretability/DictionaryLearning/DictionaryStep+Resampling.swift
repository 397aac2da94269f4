internal import Kernels
internal import Tensors

extension DictionaryStep {
    /// Resamples dead features: rows of the last batch are drawn by their squared loss. The decoder row becomes the
    /// unit input; the encoder row, that direction times 0.2 times the mean norm of living rows; the bias becomes 0,
    /// and Adam's moments are reset.
    ///
    /// - Source: Bricken et al., 2023, appendix "Neuron resampling".
    package func resample(step: Int) {
        let dead = dead.map { Int($0) }
        let losses = tiles.flatMap(\.rowLosses).map { Double($0) * Double($0) }
        let total = losses.reduce(0, +)
        guard !dead.isEmpty, total > 0, dead.count < weights.features else { return }
        let scale = 0.2 * meanEncoderNorm(without: Set(dead))
        var random = PhiloxGenerator(seed: configuration.seed, stream: UInt32(truncatingIfNeeded: step) | 1 << 31)
        for feature in dead {
            var left = random.uniform() * total
            var row = 0
            while row < losses.count - 1, left >= losses[row] {
                left -= losses[row]
                row += 1
            }
            place(feature, along: inputs.pointer + row * weights.width, scale: scale)
        }
    }

    private func place(_ feature: Int, along input: UnsafePointer<Float>, scale: Double) {
        let (width, start) = (weights.width, feature * weights.width)
        let decoder = weights.decoderRow(feature)
        decoder.update(from: input, count: width)
        normalize(decoder, width)
        let encoder = weights.encoder.values.pointer + start
        for i in 0..<width { encoder[i] = decoder[i] * Float(scale) }
        for parameter in [weights.encoder, weights.decoder] {
            (parameter.first.pointer + start).update(repeating: 0, count: width)
            (parameter.second.pointer + start).update(repeating: 0, count: width)
        }
        weights.encoderBias.values.pointer[feature] = 0
        weights.encoderBias.first.pointer[feature] = 0
        weights.encoderBias.second.pointer[feature] = 0
        silentRows[feature] = 0
    }

    private func meanEncoderNorm(without dead: Set<Int>) -> Double {
        var (sum, count) = (0.0, 0)
        for feature in 0..<weights.features where !dead.contains(feature) {
            let row = weights.encoder.values.pointer + feature * weights.width
            sum += WholeArrays.sumOfSquares(row, count: weights.width).squareRoot()
            count += 1
        }
        return count > 0 ? sum / Double(count) : 1
    }
}
