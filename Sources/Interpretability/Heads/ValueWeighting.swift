public import System
public import Tensors

/// Weights for a pattern that show which keys contribute, not only which keys a head attends to.
///
/// A head that has nothing to do rests on the first token, whose value is small: it fades in this view.
///
/// - Source: Kobayashi et al., "Attention is not only a weight: analyzing transformers with vector norms", EMNLP 2020.
public enum ValueWeighting<Scalar: FloatingAccumulator>: Sendable {
    /// A[q, k] ‖v_k‖.
    case value
    /// A[q, k] ‖v_k W_O‖ with W_O `[H, W, D]`.
    case output(Tensor<Scalar>)

    /// A pattern `[H, Q, K]` weighed by the values, each row divided by its sum.
    ///
    /// - Parameter values: Values of all keys, `[K, kvHeads, W]`.
    /// - Throws: An error if the shapes do not fit.
    public func apply(
        to pattern: Tensor<Scalar>, values: Tensor<Scalar>
    ) throws(Problem) -> Tensor<Scalar> {
        guard pattern.rank == 3, values.rank == 3, values.shape[0] == pattern.shape[2], values.shape[1] > 0,
            pattern.shape[0] % values.shape[1] == 0
        else {
            throw Problem(
                .invalid, "attention pattern", "shape \(pattern.shape) does not match the values \(values.shape)")
        }
        let norms = try norms(values, headCount: pattern.shape[0])
        let (rows, keys) = (pattern.shape[1], pattern.shape[2])
        return try telling {
            try pattern.withElements { (weights) throws(TensorError) in
                try norms.withElements { (norms) throws(TensorError) in
                    try Tensor(shape: pattern.shape) { result in
                        guard let weights = weights.baseAddress, let norms = norms.baseAddress,
                            let result = result.baseAddress
                        else { return }
                        for row in 0..<pattern.shape[0] * rows {
                            PatternLoops.weigh(
                                weights + row * keys, by: norms + row / rows * keys, into: result + row * keys, keys)
                        }
                    }
                }
            }
        }
    }

    /// ‖v_k‖ or ‖v_k W_O‖ of each head, `[H, K]`.
    private func norms(_ values: Tensor<Scalar>, headCount: Int) throws(Problem) -> Tensor<Scalar> {
        try telling {
            let heads = try values.transposed(0, 1).repeated(headCount / values.shape[1], axis: 0)
            switch self {
            case .value: return try sqrt(try (heads * heads).sum(-1))
            case .output(let output):
                let written = try matmul(heads, output)
                return try sqrt(try (written * written).sum(-1))
            }
        }
    }
}
