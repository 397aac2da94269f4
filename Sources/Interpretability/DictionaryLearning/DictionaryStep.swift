package import Kernels
package import System

/// One step of training: the loss of a batch, gradients of all weights, and Adam.
///
/// Cost: one dense product of B · d · F for the pre-activations; all else goes through the few entries, 4 · B · L0 · d,
/// and once through the weights. How the work is cut depends on sizes alone: the numbers are the same on any number of
/// threads.
///
/// - Source: Gao et al., 2024, appendix D.2, for the sparse gradients.
package final class DictionaryStep {
    let configuration: DictionaryConfiguration
    package let weights: LearnedWeights
    let objective: any DictionaryObjective
    let pool: ThreadPool
    let columns: FeatureColumns
    let tiles: [DictionaryTile]
    let scratches: [SelectionScratch]
    /// `[B, d]`: x − b_dec.
    let inputs: AlignedBuffer<Float>
    /// `[B, slots, d]`.
    let outputs: AlignedBuffer<Float>
    /// Pre-activations: `[B, F]` if the whole batch is seen, otherwise `[threads, 64, F]`.
    let activations: AlignedBuffer<Float>
    /// Rows since each feature last fired.
    package var silentRows: [Int]
    /// The norm of all gradients together, before they are cut.
    package internal(set) var gradientNorm = 0.0

    /// Rows of a tile.
    static let tileRows = 64
    /// Features whose gradients one thread takes at a time.
    static let chunkFeatures = 16

    package init(
        _ configuration: DictionaryConfiguration, width: Int, pool: ThreadPool
    ) throws(Problem) {
        let (rows, features) = (configuration.batchRows, configuration.features)
        self.configuration = configuration
        self.pool = pool
        weights = try LearnedWeights(width: width, features: features)
        let objective = try Interpretability.objective(of: configuration, weights)
        self.objective = objective
        columns = FeatureColumns(features: features, vectors: objective.vectors.count)
        tiles = (0..<(rows + Self.tileRows - 1) / Self.tileRows).map { _ in DictionaryTile(width: width) }
        scratches = (0..<pool.threads).map { _ in SelectionScratch(features: features) }
        silentRows = [Int](repeating: 0, count: features)
        let tileRows = objective.seesWholeBatch ? rows : pool.threads * Self.tileRows
        let slots = objective.slots
        do {
            inputs = try AlignedBuffer(count: rows * width)
            outputs = try AlignedBuffer(count: rows * slots * width)
            activations = try AlignedBuffer(count: tileRows * features)
        } catch {
            throw Problem(
                .invalid, "dictionary", "a step of \(rows) rows by \(features) features does not fit in memory",
                remedy: "Use fewer rows per step.")
        }
    }

    package var parameters: [DictionaryParameter] { weights.all + objective.vectors }

    /// Features that have been silent for too long, ascending.
    var dead: [UInt32] {
        var dead: [UInt32] = []
        for (feature, silent) in silentRows.enumerated() where silent >= configuration.deadRows {
            dead.append(UInt32(feature))
        }
        return dead
    }

    /// Losses and gradients of a batch `[B, d]`, gradients not yet cut.
    package func differentiate(
        _ batch: UnsafePointer<Float>, step: Int
    ) throws(Problem) -> DictionaryLoss {
        let rows = configuration.batchRows
        objective.begin(
            DictionaryStepState(
                rows: rows, sparsityFactor: configuration.sparsityFactor(at: step), dead: dead))
        for tile in tiles { tile.begin() }
        try goThroughRows(batch)
        var loss = DictionaryLoss()
        loss.reconstruction = tiles.reduce(0) { $0 + $1.reconstruction } / Double(rows)
        loss.sparsity = tiles.reduce(0) { $0 + $1.sparsity } / Double(rows)
        loss.meanActive = Double(tiles.reduce(0) { $0 + $1.active }) / Double(rows)
        loss.explainedVariance = explainedVariance
        objective.conclude(tiles, &loss)
        columns.fill(tiles, slots: objective.slots, auxiliarySlot: objective.auxiliarySlot)
        for feature in 0..<weights.features {
            silentRows[feature] = columns.firings[feature] > 0 ? 0 : silentRows[feature] + rows
        }
        sumGradients()
        return loss
    }

    /// 1 − Σ_d Var(x − x̂) / Σ_d Var(x).
    private var explainedVariance: Double {
        func spread(_ squares: (DictionaryTile) -> Double, _ sums: (DictionaryTile) -> [Float]) -> Double {
            var means = [Double](repeating: 0, count: weights.width)
            for tile in tiles {
                for (i, sum) in sums(tile).enumerated() { means[i] += Double(sum) }
            }
            let correction = means.reduce(0) { $0 + $1 * $1 } / Double(configuration.batchRows)
            return tiles.reduce(0) { $0 + squares($1) } - correction
        }
        let inputs = spread({ $0.inputSquares }, { $0.inputSums })
        return inputs > 0 ? 1 - spread({ $0.errorSquares }, { $0.errorSums }) / inputs : 0
    }
}
