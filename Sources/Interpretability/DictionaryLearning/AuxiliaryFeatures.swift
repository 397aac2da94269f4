internal import Kernels

/// aux-k: dead features reconstruct what the living leave over, so that they come back.
///
/// α ‖ê − e‖² / ‖e − mean(e)‖² with e = x − x̂ held fast and ê = Σ f W_dec over the k' largest dead features of a row.
///
/// - Source: Gao et al., "Scaling and evaluating sparse autoencoders", 2024, section 2.4 and appendix A.2.
final class AuxiliaryFeatures {
    let slot: Int
    private let weights: LearnedWeights
    private let weight: Double
    private let most: Int
    private var dead: [UInt32] = []

    init(_ weights: LearnedWeights, weight: Double, count: Int, slot: Int) {
        self.weights = weights
        self.weight = weight
        most = count
        self.slot = slot
    }

    var isOn: Bool { weight > 0 }

    func begin(_ state: DictionaryStepState) { dead = isOn ? state.dead : [] }

    /// Adds entries for the largest dead features of a row; its bias is added already.
    func choose(_ row: DictionaryRow, _ entries: FeatureEntries, _ scratch: SelectionScratch) {
        guard !dead.isEmpty else { return }
        let k = min(most, dead.count)
        for (i, feature) in dead.enumerated() { scratch.dense[i] = max(0, row.activations[Int(feature)]) }
        let floor = dead.count > k ? SparseFeatures.largest(k, of: scratch.dense, count: dead.count) : 0
        entries.reserve(k)
        var left = k
        for (i, feature) in dead.enumerated() where left > 0 {
            let number = scratch.dense[i]
            guard number > 0, number >= floor else { continue }
            entries.append(feature: feature, number: number, slot: UInt32(slot))
            left -= 1
        }
    }

    /// Adds the row's loss. `error` is x̂ − x; entries stay without their scale until the batch is known.
    func differentiate(
        _ row: DictionaryRow, _ range: Range<Int>, error: UnsafePointer<Float>, _ tile: DictionaryTile
    ) {
        guard !dead.isEmpty else { return }
        let (entries, width) = (tile.entries, weights.width)
        let y = row.outputs + slot * width
        weights.decode(entries.features(range), entries.numbers + range.lowerBound, into: y)
        var squares: Float = 0
        for i in 0..<width {
            y[i] += error[i]
            squares += y[i] * y[i]
        }
        tile.auxiliary += Double(squares)
        weights.products(y, entries.features(range), into: entries.deltas + range.lowerBound)
    }

    /// Scales the entries by 2α / Σ ‖e − mean(e)‖².
    func conclude(_ tiles: [DictionaryTile], rows: Int, _ loss: inout DictionaryLoss) {
        guard !dead.isEmpty else { return }
        let width = weights.width
        var (squares, sums) = (0.0, [Double](repeating: 0, count: width))
        for tile in tiles {
            squares += tile.errorSquares
            for i in 0..<width { sums[i] += Double(tile.errorSums[i]) }
        }
        let spread = squares - sums.reduce(0) { $0 + $1 * $1 } / Double(rows)
        let factor = spread > 1e-12 ? weight / spread : 0
        loss.auxiliary = tiles.reduce(0) { $0 + $1.auxiliary } * factor
        for tile in tiles {
            let entries = tile.entries
            for entry in 0..<entries.count where entries.slots[entry] == UInt32(slot) {
                entries.coefficients[entry] = entries.numbers[entry] * Float(2 * factor)
                entries.deltas[entry] *= Float(2 * factor)
            }
        }
    }

    /// The entries of a row in two: those of the row's own features, and those of aux-k, which stand last.
    func parted(_ range: Range<Int>, _ entries: FeatureEntries) -> (own: Range<Int>, auxiliary: Range<Int>) {
        var end = range.upperBound
        while end > range.lowerBound, entries.slots[end - 1] == UInt32(slot) { end -= 1 }
        return (range.lowerBound..<end, end..<range.upperBound)
    }
}
