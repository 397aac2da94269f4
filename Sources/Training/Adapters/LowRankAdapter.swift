public import Tensors

/// Low-rank changes of a model's linear layers, which learn while the model rests (LoRA).
///
/// ```swift
/// try model.attach(LowRankSettings(rank: 8, alpha: 16, targets: ["q_proj", "v_proj"]), seed: 1)
/// ... train model.trainableParameters ...
/// try model.writeAdapter(to: "my-adapter", base: "llama")        // as PEFT lays it out
/// try model.merge()                                              // or into the weights, for good
/// ```
///
/// y = W x + s B A x, with s = alpha / r, or alpha / √r where it is rank-stabilized.
///
/// - Source: Hu et al., "LoRA", 2021, section 4.1; Kalajdzievski, "A rank stabilization scaling factor", 2023.
public final class LowRankAdapter<Scalar: FloatingAccumulator> {
    public let settings: LowRankSettings
    /// By the layer's name: `blk.0.attn_q`.
    let changes: [String: LowRankChange<Scalar>]
    let order: [String]
    /// Whether the changes are in the model's weights now.
    var isMerged = false
    /// The model's weights before the merge.
    var unmerged: [String: Tensor<Scalar>] = [:]

    init(_ settings: LowRankSettings, _ changes: [(String, LowRankChange<Scalar>)]) {
        self.settings = settings
        order = changes.map { $0.0 }
        self.changes = Dictionary(changes) { first, _ in first }
    }

    /// A and B of every layer, in the order of the layers.
    public var parameters: [Parameter<Scalar>] { order.flatMap { changes[$0].map { [$0.a, $0.b] } ?? [] } }
    func parameters(ofBlock block: Int) -> [Parameter<Scalar>] {
        order.filter { $0.hasPrefix("blk.\(block).") }.flatMap { changes[$0].map { [$0.a, $0.b] } ?? [] }
    }
    /// The layers that it changes: `blk.0.attn_q`.
    public var layers: [String] { order }
}

/// What an adapter is made with.
public struct LowRankSettings: Hashable, Sendable {
    /// r.
    public var rank: Int
    public var alpha: Double
    /// Zeroes a share of what A reads, while training.
    public var dropout: Double
    /// Names of modules as PEFT has them (`q_proj`, `c_attn`), short ones (`q`, `attn_q`), or `all-linear`: every
    /// linear layer but the output matrix.
    public var targets: [String]
    /// s = alpha / √r.
    public var isRankStabilized: Bool

    public init(
        rank: Int = 8, alpha: Double = 16, dropout: Double = 0, targets: [String] = ["q_proj", "v_proj"],
        isRankStabilized: Bool = false
    ) {
        self.rank = rank
        self.alpha = alpha
        self.dropout = dropout
        self.targets = targets
        self.isRankStabilized = isRankStabilized
    }

    /// s.
    public var scale: Double { alpha / (isRankStabilized ? Double(rank).squareRoot() : Double(rank)) }
}

/// What an adapter adds to one linear layer.
struct LowRankChange<Scalar: FloatingAccumulator> {
    /// `[r, inputs]`.
    let a: Parameter<Scalar>
    /// `[outputs, r]`.
    let b: Parameter<Scalar>
    let scale: Double
    let dropout: Double

    /// s B A x.
    func callAsFunction(_ x: Variable<Scalar>, _ pass: Pass) throws(TensorError) -> Variable<Scalar> {
        let inner = try linear(Training.dropout(x, rate: dropout, pass), weight: a.variable)
        return try linear(inner * Scalar(scale), weight: b.variable)
    }
}
