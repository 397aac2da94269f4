internal import Glibc
internal import Kernels
internal import System
internal import Tensors

/// A gate 1[π > 0], π = u + b_gate, and a magnitude ReLU(u · exp(r) + b_mag), with u = (x − b_dec) W_enc.
final class GatedObjective: DictionaryObjective {
    private let weights: LearnedWeights
    private let lambda: Double
    private let gateBias, scale, magnitudeBias: DictionaryParameter
    /// −b_gate, and exp(r), of this step.
    private var floors, factors: [Float]
    private var rows = 1
    private var penalty: Float = 0

    init(_ weights: LearnedWeights, lambda: Double) throws(Problem) {
        self.weights = weights
        self.lambda = lambda
        gateBias = try DictionaryParameter("gate_bias", count: weights.features)
        scale = try DictionaryParameter("magnitude_scale", count: weights.features)
        magnitudeBias = try DictionaryParameter("magnitude_bias", count: weights.features)
        floors = [Float](repeating: 0, count: weights.features)
        factors = floors
    }

    var vectors: [DictionaryParameter] { [gateBias, scale, magnitudeBias] }
    var slots: Int { 2 }
    var hasEncoderBias: Bool { false }

    func begin(_ state: DictionaryStepState) {
        rows = state.rows
        penalty = Float(lambda * state.sparsityFactor)
        for i in floors.indices {
            floors[i] = -gateBias.values.pointer[i]
            factors[i] = exp(scale.values.pointer[i])
        }
    }

    func choose(_ row: DictionaryRow, _ tile: DictionaryTile, _ scratch: SelectionScratch) {
        tile.entries.gather(row.activations, above: floors)
    }

    func differentiate(_ row: DictionaryRow, _ range: Range<Int>, _ tile: DictionaryTile) {
        let (entries, width, start) = (tile.entries, weights.width, range.lowerBound)
        let features = entries.features(range)
        let (y, gateOutput) = (row.outputs, row.outputs + width)
        // π in part 0 and the magnitude in the coefficients.
        for (entry, feature) in zip(range, features) {
            let (u, i) = (entries.numbers[entry], Int(feature))
            entries.parts[0][entry] = u - floors[i]
            entries.coefficients[entry] = max(0, u * factors[i] + magnitudeBias.values.pointer[i])
            tile.sparsity += Double(penalty * entries.parts[0][entry])
        }
        tile.reconstruction += Double(
            weights.error(row, features: features, values: entries.coefficients + start, into: y, tile))
        weights.products(y, features, into: entries.parts[1] + start)
        weights.decode(features, entries.parts[0] + start, into: gateOutput)
        var squares: Float = 0
        for i in 0..<width {
            gateOutput[i] -= row.input[i]
            squares += gateOutput[i] * gateOutput[i]
        }
        tile.auxiliary += Double(squares)
        weights.products(gateOutput, features, into: entries.parts[0] + start)
        let share = 2 / Float(rows)
        for (entry, feature) in zip(range, features) {
            let (u, i) = (entries.numbers[entry], Int(feature))
            let isActive = entries.coefficients[entry] > 0
            let magnitude = isActive ? entries.parts[1][entry] * share : 0
            let gate = entries.parts[0][entry] * share + penalty / Float(rows)
            entries.coefficients[entry] *= share
            entries.deltas[entry] = magnitude * factors[i] + gate
            entries.parts[0][entry] = gate
            entries.parts[1][entry] = magnitude * u * factors[i]
            entries.parts[2][entry] = magnitude
            if isActive { tile.active += 1 }
        }
    }

    func conclude(_ tiles: [DictionaryTile], _ loss: inout DictionaryLoss) {
        loss.auxiliary = tiles.reduce(0) { $0 + $1.auxiliary } / Double(rows)
    }

    func activation() throws(Problem) -> SparseAutoencoder.Activation {
        func vector(_ parameter: DictionaryParameter) throws(TensorError) -> Tensor<Float> {
            try Tensor(Array(parameter.values.elements))
        }
        return try telling {
            SparseAutoencoder.Activation.gated(
                gateBias: try vector(gateBias), magnitudeScale: try vector(scale),
                magnitudeBias: try vector(magnitudeBias))
        }
    }
}
