internal import Kernels
internal import System
internal import Tensors

/// z where z > θ, with a loss of L0 that reaches θ through a rectangle K of width ε.
///
/// ∂f/∂θ = −(θ/ε) K((z − θ)/ε), ∂L0/∂θ = −(1/ε) K((z − θ)/ε); z gets its gradient through the mask alone.
final class JumpReLUObjective: DictionaryObjective {
    private let weights: LearnedWeights
    private let sparsity: DictionaryConfiguration.Sparsity
    private let bandwidth: Float
    private let threshold: DictionaryParameter
    /// θ − ε/2: what lies above gets a gradient.
    private var floors: [Float]
    private var rows = 1
    private var factor = 1.0
    private static let leastThreshold: Float = 1e-6

    init(
        _ weights: LearnedWeights, sparsity: DictionaryConfiguration.Sparsity, bandwidth: Double,
        threshold start: Double
    ) throws(Problem) {
        self.weights = weights
        self.sparsity = sparsity
        self.bandwidth = Float(bandwidth)
        threshold = try DictionaryParameter("threshold", count: weights.features)
        threshold.values.elements.update(repeating: Float(start))
        floors = [Float](repeating: 0, count: weights.features)
    }

    var vectors: [DictionaryParameter] { [threshold] }

    func begin(_ state: DictionaryStepState) {
        rows = state.rows
        factor = state.sparsityFactor
        for i in floors.indices { floors[i] = threshold.values.pointer[i] - bandwidth / 2 }
    }

    func choose(_ row: DictionaryRow, _ tile: DictionaryTile, _ scratch: SelectionScratch) {
        Elementwise.add(weights.encoderBias.values.pointer, to: row.activations, count: weights.features)
        tile.entries.gather(row.activations, above: floors)
    }

    func differentiate(_ row: DictionaryRow, _ range: Range<Int>, _ tile: DictionaryTile) {
        let entries = tile.entries
        let (y, start, thetas) = (row.outputs, range.lowerBound, threshold.values.pointer)
        for entry in range {
            let z = entries.numbers[entry]
            entries.coefficients[entry] = z > thetas[Int(entries.features[entry])] ? z : 0
        }
        let squares = weights.error(
            row, features: entries.features(range), values: entries.coefficients + start, into: y, tile)
        tile.reconstruction += Double(squares)
        weights.products(y, entries.features(range), into: entries.deltas + start)
        let scale = 2 / Float(rows)
        for entry in range {
            let (z, theta) = (entries.numbers[entry], thetas[Int(entries.features[entry])])
            let gradient = entries.deltas[entry] * scale
            let isNear = abs(z - theta) < bandwidth / 2
            entries.parts[0][entry] = isNear ? -theta / bandwidth * gradient : 0
            entries.coefficients[entry] *= scale
            entries.deltas[entry] = z > theta ? gradient : 0
            if z > theta { tile.active += 1 }
        }
    }

    func conclude(_ tiles: [DictionaryTile], _ loss: inout DictionaryLoss) {
        let active = Double(tiles.reduce(0) { $0 + $1.active }) / Double(rows)
        let slope: Double
        switch sparsity {
        case .weight(let weight):
            loss.sparsity = weight * factor * active
            slope = weight * factor
        case .target(let target, let weight):
            let excess = active / target - 1
            loss.sparsity = weight * factor * excess * excess
            slope = 2 * weight * factor * excess / target
        }
        let part = Float(slope / Double(rows)) / bandwidth
        for tile in tiles {
            let entries = tile.entries
            for entry in 0..<entries.count {
                let theta = threshold.values.pointer[Int(entries.features[entry])]
                if abs(entries.numbers[entry] - theta) < bandwidth / 2 { entries.parts[0][entry] -= part }
            }
        }
    }

    func settleWeights() {
        for i in 0..<threshold.count {
            threshold.values.pointer[i] = max(Self.leastThreshold, threshold.values.pointer[i])
        }
    }

    func activation() throws(Problem) -> SparseAutoencoder.Activation {
        try telling { SparseAutoencoder.Activation.jumpReLU(threshold: try Tensor(Array(threshold.values.elements))) }
    }
}
