internal import Kernels

/// Low-rank changes of a model's linear layers, as PEFT trains them (LoRA).
///
/// ```swift
/// pass.adapter = try Adapter.load("my-adapter", for: transformer.configuration)      // swapped in
/// pass.adapter = nil                                                                   // and out
/// let merged = try Transformer.load(adapter.merged(into: checkpoint))                  // or for good
/// ```
///
/// y = W x + s B A x, with s = alpha / r, or alpha / √r where the adapter is rank-stabilized.
///
/// - Source: Hu et al., "LoRA", 2021, section 4.1; Kalajdzievski, "A rank stabilization scaling factor", 2023.
public final class Adapter: Sendable {
    /// The folder it was read from.
    public let path: String
    /// Rank, alpha and the names of what is changed, for a person to see.
    public let rank: Int
    public let alpha: Double
    public var modules: [String] { changes.keys.sorted() }
    /// By the names of the weights in GGUF.
    let changes: [String: LowRankChange]

    init(path: String, rank: Int, alpha: Double, changes: [String: LowRankChange]) {
        self.path = path
        self.rank = rank
        self.alpha = alpha
        self.changes = changes
    }

    /// Numbers of all A and B.
    public var parameterCount: Int {
        changes.values.reduce(0) { $0 + $1.a.rows * $1.a.columns + $1.b.rows * $1.b.columns }
    }
}
