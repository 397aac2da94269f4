internal import Kernels

/// ReLU with λ Σ f ‖W_dec‖ (Anthropic's form of April 2024).
final class ReLUObjective: DictionaryObjective {
    private let weights: LearnedWeights
    private let lambda: Double
    /// ‖W_dec‖ of each feature, of this step.
    private var norms: [Float]
    private var rows = 1
    /// λ of this step.
    private var penalty: Float = 0

    init(_ weights: LearnedWeights, lambda: Double) {
        self.weights = weights
        self.lambda = lambda
        norms = [Float](repeating: 0, count: weights.features)
    }

    func begin(_ state: DictionaryStepState) {
        rows = state.rows
        penalty = Float(lambda * state.sparsityFactor)
        for feature in norms.indices { norms[feature] = weights.decoderNorm(feature) }
    }

    func choose(_ row: DictionaryRow, _ tile: DictionaryTile, _ scratch: SelectionScratch) {
        Elementwise.add(weights.encoderBias.values.pointer, to: row.activations, count: weights.features)
        tile.entries.gather(row.activations, from: 0, count: weights.features)
    }

    func differentiate(_ row: DictionaryRow, _ range: Range<Int>, _ tile: DictionaryTile) {
        let entries = tile.entries
        let (y, start) = (row.outputs, range.lowerBound)
        let squares = weights.error(
            row, features: entries.features(range), values: entries.numbers + start, into: y, tile)
        tile.reconstruction += Double(squares)
        tile.active += range.count
        weights.products(y, entries.features(range), into: entries.deltas + start)
        entries.weigh(range, by: 2 / Float(rows))
        var sum: Float = 0
        for entry in range {
            let norm = norms[Int(entries.features[entry])]
            entries.deltas[entry] += penalty / Float(rows) * norm
            sum += entries.numbers[entry] * norm
        }
        tile.sparsity += Double(penalty * sum)
    }

    /// λ/B Σ f / ‖W_dec‖; coefficients are f · 2/B.
    func pull(feature: Int, coefficients: UnsafeBufferPointer<Float>) -> Float {
        norms[feature] > 0 ? penalty / 2 * coefficients.reduce(0, +) / norms[feature] : 0
    }

    func activation() -> SparseAutoencoder.Activation { .relu }
}

extension LearnedWeights {
    /// ‖W_dec‖ of a feature.
    package func decoderNorm(_ feature: Int) -> Float {
        let row = decoderRow(feature)
        var sum: Float = 0
        for i in 0..<width { sum += row[i] * row[i] }
        return sum.squareRoot()
    }
}
