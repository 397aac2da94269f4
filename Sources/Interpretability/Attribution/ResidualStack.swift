public import System
public import Tensors

/// Parts or points of the residual stream at chosen positions, one matrix a part.
public struct ResidualStack<Scalar: FloatingAccumulator>: Sendable {
    public let parts: [ResidualPart]
    /// Tokens of the sequence, ascending.
    public let positions: [Int]
    /// `[parts, P, D]`.
    public let rows: Tensor<Scalar>

    /// - Throws: An error if the shape of `rows` is not that of parts and positions.
    public init(
        parts: [ResidualPart], positions: [Int], rows: Tensor<Scalar>
    ) throws(Problem) {
        guard rows.rank == 3, rows.shape[0] == parts.count, rows.shape[1] == positions.count else {
            throw Problem(
                .invalid, "residual stack",
                "shape \(rows.shape) does not match \(parts.count) parts at \(positions.count) positions")
        }
        self.parts = parts
        self.positions = positions
        self.rows = rows
    }

    /// Σ of the parts, `[P, D]`: of a whole decomposition the final residual stream.
    public func total() throws(Problem) -> Tensor<Scalar> {
        try telling { try rows.sum(0) }
    }

    /// Each part as it goes through the final norm, its scale frozen at that of the run: `apply_ln_to_stack`.
    ///
    /// Centered for LayerNorm, divided by the scale, times the gain; the norm's bias belongs to no part. Without a norm
    /// the parts stay as they are.
    ///
    /// - Parameter scale: `[P]`, of `ActivationCache.finalScale`.
    /// - Returns: `[parts, P, D]`; times W_U, and with the biases once, they add up to the logits.
    public func normalized(
        by readout: Readout<Scalar>, scale: Tensor<Scalar>
    ) throws(Problem) -> Tensor<Scalar> {
        try telling {
            switch readout.norm {
            case .none: return rows
            case .layer(let gain, _, _):
                let centered = try rows - rows.mean(-1, keepingAxes: true)
                return try centered / scale.expanded(at: 1) * gain
            case .rms(let gain, _): return try rows / scale.expanded(at: 1) * gain
            }
        }
    }

    /// One stack after the other, of the same positions.
    public func appending(_ other: ResidualStack) throws(Problem) -> ResidualStack {
        guard positions == other.positions else {
            throw Problem(
                .invalid, "residual stacks", "different positions", remedy: "Use the same positions for both stacks.")
        }
        let both = try telling { try concatenate([rows, other.rows], axis: 0) }
        return try ResidualStack(parts: parts + other.parts, positions: positions, rows: both)
    }
}
