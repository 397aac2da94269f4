internal import Kernels
internal import System
internal import Tensors

/// The B · k largest of ReLU(z) of a whole batch, and the running threshold that stands for them afterwards.
final class BatchSelection {
    private let weights: LearnedWeights
    private let k: Int
    private let groups: Int
    /// `[B, groups]`.
    private let maxima: UnsafeMutablePointer<Float>
    private var bound: Float = 0
    /// Moving mean of the smallest active number, a hundredth of each step's; `nil` before the first.
    private(set) var threshold: Double?
    private static let share = 0.01

    init(_ weights: LearnedWeights, k: Int, rows: Int) {
        self.weights = weights
        self.k = k
        groups = SparseFeatures.groups(for: k)
        maxima = .allocate(capacity: rows * groups)
    }

    deinit { maxima.deallocate() }

    var memory: [Double] {
        get { threshold.map { [$0] } ?? [] }
        set { threshold = newValue.first }
    }

    func survey(_ row: DictionaryRow) {
        SparseFeatures.maxima(
            of: row.activations, adding: weights.encoderBias.values.pointer, count: weights.features, groups: groups,
            into: maxima + row.index * groups)
    }

    /// A bound below the B · k-th largest number.
    func settle(rows: Int) {
        bound = SparseFeatures.largest(rows * k, of: maxima, count: rows * groups, isBound: true)
    }

    func choose(_ row: DictionaryRow, _ entries: FeatureEntries) {
        entries.gather(row.activations, from: bound, count: weights.features)
    }

    func agree(_ tiles: [DictionaryTile], rows: Int) {
        var numbers: [Float] = []
        numbers.reserveCapacity(tiles.reduce(0) { $0 + $1.entries.count })
        for tile in tiles {
            let entries = tile.entries
            for entry in 0..<entries.count where entries.slots[entry] == 0 { numbers.append(entries.numbers[entry]) }
        }
        let floor = numbers.withUnsafeBufferPointer { all in
            all.baseAddress.map { SparseFeatures.largest(rows * k, of: $0, count: all.count) } ?? 0
        }
        for tile in tiles { tile.entries.keep(from: floor) }
        guard let least = floor > 0 ? floor : numbers.min() else { return }
        threshold = threshold.map { $0 + (Double(least) - $0) * Self.share } ?? Double(least)
    }

    /// One threshold for all features.
    func activation() throws(Problem) -> SparseAutoencoder.Activation {
        let features = weights.features
        return try telling {
            SparseAutoencoder.Activation.jumpReLU(
                threshold: try Tensor(repeating: Float(threshold ?? 0), shape: [features]))
        }
    }
}
