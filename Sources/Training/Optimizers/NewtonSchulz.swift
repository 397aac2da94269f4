internal import Tensors

/// Makes a matrix nearly orthogonal by products alone: U Σ Vᵀ becomes U S Vᵀ with S between 0.68 and 1.14.
///
/// The matrix is scaled to norm 1, so that no singular value is above it. Then each step takes every singular value s
/// to 3.4445 s - 4.7750 s³ + 2.0315 s⁵, a polynomial that rises steeply at 0 and does not settle at 1 exactly: values
/// from 0.01 on end in the bounds above after five steps.
///
/// - Source: Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024.
enum NewtonSchulz {
    private static let coefficients = (3.4445, -4.7750, 2.0315)

    /// - Parameter matrix: [rows, columns].
    static func orthogonalized<Scalar: FloatingAccumulator>(
        _ matrix: Tensor<Scalar>, iterations: Int
    ) throws(TensorError) -> Tensor<Scalar> {
        let (a, b, c) = (Scalar(coefficients.0), Scalar(coefficients.1), Scalar(coefficients.2))
        let isTall = matrix.shape[0] > matrix.shape[1]
        var x = isTall ? try matrix.transposed().contiguous() : matrix
        let norm = try GradientSums.norm([x])
        x = try x * Scalar(1 / (norm + 1e-7))
        for _ in 0..<iterations {
            let square = try matmul(x, x.transposed())
            let weights = try square * b + matmul(square, square) * c
            x = try x * a + matmul(weights, x)
        }
        return isTall ? try x.transposed().contiguous() : x
    }
}
