internal import Kernels

/// The k largest of ReLU(z) in each row, and aux-k.
final class TopKObjective: DictionaryObjective {
    private let weights: LearnedWeights
    private let k: Int
    private let auxiliary: AuxiliaryFeatures
    private var rows = 1

    init(_ weights: LearnedWeights, k: Int, _ auxiliary: AuxiliaryFeatures) {
        self.weights = weights
        self.k = k
        self.auxiliary = auxiliary
    }

    var slots: Int { auxiliary.isOn ? 2 : 1 }
    var auxiliarySlot: Int? { auxiliary.isOn ? auxiliary.slot : nil }

    func begin(_ state: DictionaryStepState) {
        rows = state.rows
        auxiliary.begin(state)
    }

    func choose(_ row: DictionaryRow, _ tile: DictionaryTile, _ scratch: SelectionScratch) {
        let (entries, count) = (tile.entries, weights.features)
        let groups = SparseFeatures.groups(for: k)
        SparseFeatures.maxima(
            of: row.activations, adding: weights.encoderBias.values.pointer, count: count, groups: groups,
            into: scratch.maxima)
        let bound = SparseFeatures.largest(k, of: scratch.maxima, count: groups, isBound: true)
        let found = SparseFeatures.gather(
            row.activations, from: bound, count: count, places: scratch.features, numbers: scratch.numbers)
        let least = SparseFeatures.largest(k, of: scratch.numbers, count: found)
        // Of equal numbers at the end the first ones are taken.
        var equal = k
        for i in 0..<found where scratch.numbers[i] > least { equal -= 1 }
        entries.reserve(k)
        for i in 0..<found where scratch.numbers[i] >= least {
            if scratch.numbers[i] == least {
                if equal == 0 { continue }
                equal -= 1
            }
            entries.append(feature: scratch.features[i], number: scratch.numbers[i], slot: 0)
        }
        auxiliary.choose(row, entries, scratch)
    }

    func differentiate(_ row: DictionaryRow, _ range: Range<Int>, _ tile: DictionaryTile) {
        let entries = tile.entries
        let (own, dead) = auxiliary.parted(range, entries)
        let (y, start) = (row.outputs, own.lowerBound)
        let squares = weights.error(
            row, features: entries.features(own), values: entries.numbers + start, into: y, tile)
        tile.reconstruction += Double(squares)
        tile.active += own.count
        weights.products(y, entries.features(own), into: entries.deltas + start)
        entries.weigh(own, by: 2 / Float(rows))
        auxiliary.differentiate(row, dead, error: y, tile)
    }

    func conclude(_ tiles: [DictionaryTile], _ loss: inout DictionaryLoss) {
        auxiliary.conclude(tiles, rows: rows, &loss)
    }

    func activation() -> SparseAutoencoder.Activation { .topK(k) }
}
