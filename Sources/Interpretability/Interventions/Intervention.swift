public import Models
public import Tensors

/// A change of one activation while a model runs, as a value that can be listed, kept and undone.
///
/// ```swift
/// let silenced = Intervention<Float>(.z(layer: 5), head: 3, .zero)                       // one head off
/// let steered = Intervention<Float>(.residualPost(layer: 2), .add(direction, times: 4))   // [D]
/// let patched = Intervention<Double>(.residualPre(layer: 1), at: .only(7), .replace(clean))
/// ```
///
/// Where several change the same activation they are applied in order.
public struct Intervention<Scalar: FloatingAccumulator>: Sendable {
    public var hook: Hook
    public var positions: PositionSelection
    /// One head of a hook with heads: rows `[T, H, W]` of `q`, `k`, `v`, `z`, or `[H, T, K]` of scores and patterns.
    /// `nil` for all of them.
    public var head: Int?
    /// One column of the last axis: a neuron of `mlp.hook_post`; `nil` for all.
    public var column: Int?
    public var change: Change

    /// What is done to the numbers that are selected.
    public enum Change: Sendable {
        /// Zero ablation.
        case zero
        case scale(Scalar)
        /// The numbers of the same places of another tensor, of the shape of the whole activation (patching, resample
        /// ablation), or of one row of it, repeated for every position (mean ablation).
        case replace(Tensor<Scalar>)
        /// h += c·v, v of the width of a row or of a head.
        case add(Tensor<Scalar>, times: Scalar)
        /// h − (h·v̂)v̂: directional ablation.
        case project(out: Tensor<Scalar>)
        /// h − (h·v̂)v̂ + c·v̂: the component along v̂ is set.
        case setComponent(along: Tensor<Scalar>, to: Scalar)
    }

    public init(
        _ hook: Hook, at positions: PositionSelection = .all, head: Int? = nil, column: Int? = nil, _ change: Change
    ) {
        self.hook = hook
        self.positions = positions
        self.head = head
        self.column = column
        self.change = change
    }
}
