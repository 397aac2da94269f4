internal import Tensors

/// Attention of sequences to themselves, read from rows in which queries, keys and values lie side by side, and written
/// to rows of the heads' results: nothing is taken apart and put together again on either way.
///
/// Capped scores, and values of another width than keys, go the plain way, one matrix of scores at a time; everything
/// else goes to the fused operation.
struct PackedAttention<Scalar: FloatingAccumulator> {
    let layout: HeadLayout
    /// Tokens of one sequence.
    let positions: Int
    let scale: Scalar
    /// c of c · tanh(score / c).
    let softcap: Scalar?
    /// Keys that a query sees, its own among them; nil for all before it.
    let window: Int?
    /// Queries see nothing after them.
    let isCausal: Bool

    /// - Parameter packed: `[sequences · positions, layout.columns]`.
    /// - Returns: `[sequences · positions, layout.gatheredColumns]`.
    func callAsFunction(_ packed: Variable<Scalar>) throws(TensorError) -> Variable<Scalar> {
        guard packed.rank == 2, packed.shape[1] == layout.columns, positions > 0, packed.shape[0] % positions == 0
        else {
            throw TensorError(
                "attention", packed.shape,
                problem: "must be rows of \(layout.columns) values for sequences of \(positions) tokens")
        }
        guard softcap == nil, layout.keyWidth == layout.valueWidth else { return try plain(packed) }
        let rows = packed.shape[0]
        let gathered = try attention(
            qkv: packed.reshaped([rows / positions, positions, layout.columns]), heads: layout.heads,
            kvHeads: layout.kvHeads, isCausal: isCausal, window: window, scale: scale.float64)
        return try gathered.reshaped([rows, layout.gatheredColumns])
    }
}
