/// The loss of one step, measured before its weights changed: sums over d, means over the batch.
public struct DictionaryLoss: Hashable, Sendable {
    /// Mean of ‖x − x̂‖²; of a Matryoshka dictionary the sum over its prefixes.
    public var reconstruction = 0.0
    /// λ times what makes features few.
    public var sparsity = 0.0
    /// α times the loss of aux-k, or the auxiliary loss of a gated dictionary.
    public var auxiliary = 0.0
    /// L0: mean number of active features of a row.
    public var meanActive = 0.0
    /// 1 − Σ_d Var(x − x̂) / Σ_d Var(x), over the batch.
    public var explainedVariance = 0.0

    public init() {}

    /// What is minimized.
    public var total: Double { reconstruction + sparsity + auxiliary }
}
