/// How well a dictionary writes the rows that it was shown, and how sparsely.
///
/// x a row, x̂ its reconstruction, e = x − x̂; means are over rows, variances over rows of each of d columns.
public struct DictionaryMeasures: Hashable, Sendable {
    public var rowCount: Int
    /// L0: active features of a row.
    public var meanActive: Double
    /// L1: the sum of a row's features.
    public var meanSum: Double
    /// Mean of Σ_d e².
    public var meanSquaredError: Double
    /// 1 − Σ_d Var(e) / Σ_d Var(x): what is not explained after the mean of the error is forgiven.
    ///
    /// - Source: `dictionary_learning`, `evaluation.py`.
    public var explainedVariance: Double
    /// FVU: Σ e² / Σ (x − mean x)²; sae-lens' explained variance is 1 − this.
    public var unexplainedVariance: Double
    /// Mean of x·x̂ / (‖x‖ ‖x̂‖); a row without length counts as 0.
    public var cosine: Double
    /// Mean of ‖x̂‖ / ‖x‖.
    public var lengthRatio: Double
    /// Mean ‖x̂‖² / mean x·x̂: 1 means no bias; below 1 means shrinkage.
    ///
    /// - Source: Rajamanoharan et al., "Improving dictionary learning with gated sparse autoencoders", 2024, eq. 10.
    public var reconstructionBias: Double
    /// How many rows each feature was active in.
    public var firings: [Int]

    /// The share of rows in which each feature was active.
    public var density: [Double] { firings.map { rowCount == 0 ? 0 : Double($0) / Double(rowCount) } }
    /// Features that were never active.
    public var deadCount: Int { firings.count { $0 == 0 } }
    public var deadShare: Double { firings.isEmpty ? 0 : Double(deadCount) / Double(firings.count) }
}
