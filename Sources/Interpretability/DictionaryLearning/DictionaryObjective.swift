internal import System

/// A kind of dictionary: which features of a row are active, and the gradient of its loss.
///
/// The step does what all kinds share: pre-activations by one dense product, gradients of the weights by sums over the
/// few entries, Adam. A kind writes, for each entry of a row, its coefficient and δ, and the row's output gradients.
/// Rows of different tiles come from several threads at once.
protocol DictionaryObjective: AnyObject {
    /// Vectors `[F]` beyond the common weights; vector j's gradient is the sum of `parts[j]` over a feature's entries.
    var vectors: [DictionaryParameter] { get }
    /// Output gradients that a row has.
    var slots: Int { get }
    /// Slot of aux-k, whose entries are not firings; `nil` if there is none.
    var auxiliarySlot: Int? { get }
    /// Rows cannot choose before all pre-activations are known.
    var seesWholeBatch: Bool { get }
    /// Whether b_enc is part of it.
    var hasEncoderBias: Bool { get }
    /// The first output gradient is not 2/B times the error: its sums are in `outputSums`.
    var hasOwnOutputSums: Bool { get }
    /// State learned from batches, other than weights: a running threshold.
    var memory: [Double] { get set }

    func begin(_ state: DictionaryStepState)
    /// Makes the first pass over a row, for objectives that see the whole batch.
    func survey(_ row: DictionaryRow)
    /// After all rows were surveyed.
    func settle()
    /// Fills the entries of a row.
    func choose(_ row: DictionaryRow, _ tile: DictionaryTile, _ scratch: SelectionScratch)
    /// Called after all rows have chosen, for objectives that see the whole batch.
    func agree(_ tiles: [DictionaryTile])
    /// Writes output gradients, coefficients, deltas and parts of a row's entries and adds up its losses.
    func differentiate(_ row: DictionaryRow, _ entries: Range<Int>, _ tile: DictionaryTile)
    /// After all rows: what needs sums over the batch.
    func conclude(_ tiles: [DictionaryTile], _ loss: inout DictionaryLoss)
    /// What of a decoder row is added to its own gradient.
    func pull(feature: Int, coefficients: UnsafeBufferPointer<Float>) -> Float
    /// After the weights changed.
    func settleWeights()
    /// How features come out of the dictionary that is made of the weights.
    func activation() throws(Problem) -> SparseAutoencoder.Activation
}

extension DictionaryObjective {
    var vectors: [DictionaryParameter] { [] }
    var slots: Int { 1 }
    var auxiliarySlot: Int? { nil }
    var seesWholeBatch: Bool { false }
    var hasEncoderBias: Bool { true }
    var hasOwnOutputSums: Bool { false }
    var memory: [Double] {
        get { [] }
        set {}
    }

    func survey(_ row: DictionaryRow) {}
    func settle() {}
    func agree(_ tiles: [DictionaryTile]) {}
    func conclude(_ tiles: [DictionaryTile], _ loss: inout DictionaryLoss) {}
    func pull(feature: Int, coefficients: UnsafeBufferPointer<Float>) -> Float { 0 }
    func settleWeights() {}
}

/// The state of training, passed to an objective before the rows of a step.
struct DictionaryStepState {
    let rows: Int
    /// The part of λ that counts.
    let sparsityFactor: Double
    /// Dead features, ascending.
    let dead: [UInt32]
}

/// What a configuration trains.
func objective(
    of configuration: DictionaryConfiguration, _ weights: LearnedWeights
) throws(Problem) -> any DictionaryObjective {
    let deadPerRow = configuration.auxiliaryCount ?? max(1, weights.width / 2)
    func batch(_ k: Int, _ prefixes: [Int], _ auxiliary: Double) -> BatchObjective {
        BatchObjective(
            weights, k: k, rows: configuration.batchRows, prefixes: prefixes,
            AuxiliaryFeatures(weights, weight: auxiliary, count: deadPerRow, slot: prefixes.count))
    }
    switch configuration.kind {
    case .topK(let k, let auxiliary):
        return TopKObjective(weights, k: k, AuxiliaryFeatures(weights, weight: auxiliary, count: deadPerRow, slot: 1))
    case .reluL1(let lambda): return ReLUObjective(weights, lambda: lambda)
    case .batchTopK(let k, let auxiliary): return batch(k, [weights.features], auxiliary)
    case .matryoshka(let k, let prefixes, let auxiliary): return batch(k, prefixes, auxiliary)
    case .jumpReLU(let sparsity, let bandwidth, let threshold):
        return try JumpReLUObjective(weights, sparsity: sparsity, bandwidth: bandwidth, threshold: threshold)
    case .gated(let lambda): return try GatedObjective(weights, lambda: lambda)
    }
}
