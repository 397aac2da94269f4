internal import Kernels
internal import System

/// The B · k largest of a batch, which reconstruct in nested prefixes, and aux-k: Σ over prefixes w of ‖x − decode(f[..<w])‖².
///
/// Several prefixes are Matryoshka; all features as the only one are BatchTopK.
final class BatchObjective: DictionaryObjective {
    private let weights: LearnedWeights
    private let prefixes: [Int]
    private let selection: BatchSelection
    private let auxiliary: AuxiliaryFeatures
    private var rows = 1

    init(_ weights: LearnedWeights, k: Int, rows: Int, prefixes: [Int], _ auxiliary: AuxiliaryFeatures) {
        self.weights = weights
        self.prefixes = prefixes
        self.auxiliary = auxiliary
        selection = BatchSelection(weights, k: k, rows: rows)
    }

    /// A slot for each prefix, and one for aux-k.
    var slots: Int { prefixes.count + (auxiliary.isOn ? 1 : 0) }
    var auxiliarySlot: Int? { auxiliary.isOn ? auxiliary.slot : nil }
    var seesWholeBatch: Bool { true }
    var hasOwnOutputSums: Bool { true }
    var memory: [Double] {
        get { selection.memory }
        set { selection.memory = newValue }
    }

    func begin(_ state: DictionaryStepState) {
        rows = state.rows
        auxiliary.begin(state)
    }

    func survey(_ row: DictionaryRow) { selection.survey(row) }
    func settle() { selection.settle(rows: rows) }

    func choose(_ row: DictionaryRow, _ tile: DictionaryTile, _ scratch: SelectionScratch) {
        selection.choose(row, tile.entries)
        auxiliary.choose(row, tile.entries, scratch)
    }

    func agree(_ tiles: [DictionaryTile]) { selection.agree(tiles, rows: rows) }

    func differentiate(_ row: DictionaryRow, _ range: Range<Int>, _ tile: DictionaryTile) {
        let (entries, width) = (tile.entries, weights.width)
        let (own, dead) = auxiliary.parted(range, entries)
        let pieces = pieces(of: own, entries)
        // Slot p: what the features of piece p decode to, then the error of prefix p, then the sum of the errors from
        // prefix p on, which is what piece p gets gradients from.
        for (p, piece) in pieces.enumerated() where p < pieces.count - 1 {
            let y = row.outputs + p * width
            weights.decode(entries.features(piece), entries.numbers + piece.lowerBound, into: y)
            let before = p == 0 ? row.input : UnsafePointer(y - width)
            let sign: Float = p == 0 ? -1 : 1
            for i in 0..<width { y[i] += sign * before[i] }
        }
        let last = row.outputs + (pieces.count - 1) * width
        let squares = weights.error(
            row, features: entries.features(own), values: entries.numbers + own.lowerBound, into: last, tile)
        auxiliary.differentiate(row, dead, error: last, tile)
        var total = squares
        for p in stride(from: pieces.count - 2, through: 0, by: -1) {
            let y = row.outputs + p * width
            for i in 0..<width {
                total += y[i] * y[i]
                y[i] += y[i + width]
            }
        }
        for i in 0..<width { tile.outputSums[i] += row.outputs[i] }
        tile.reconstruction += Double(total)
        tile.active += own.count
        for (p, piece) in pieces.enumerated() {
            weights.products(
                row.outputs + p * width, entries.features(piece), into: entries.deltas + piece.lowerBound)
            for entry in piece { entries.slots[entry] = UInt32(p) }
        }
        entries.weigh(own, by: 2 / Float(rows))
    }

    func conclude(_ tiles: [DictionaryTile], _ loss: inout DictionaryLoss) {
        auxiliary.conclude(tiles, rows: rows, &loss)
    }

    func activation() throws(Problem) -> SparseAutoencoder.Activation { try selection.activation() }

    /// A row's entries by the first prefix that holds them; features ascend.
    private func pieces(of range: Range<Int>, _ entries: FeatureEntries) -> [Range<Int>] {
        var start = range.lowerBound
        return prefixes.map { prefix in
            var end = start
            while end < range.upperBound, Int(entries.features[end]) < prefix { end += 1 }
            defer { start = end }
            return start..<end
        }
    }
}
