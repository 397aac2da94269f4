internal import Kernels
internal import Tensors

extension UpdateRule {
    /// Muon with five Newton-Schulz iterations and the published scale.
    public static let muon: UpdateRule = muon(scale: .shape)

    /// The scale of Muon's step for a matrix `[rows, columns]`.
    public enum MuonScale: Sendable {
        /// √max(1, rows / columns), as published.
        case shape
        /// 0.2 √max(rows, columns), which matches the root mean square of AdamW's steps, so that AdamW's learning rate
        /// suits Muon.
        ///
        /// - Source: Liu et al., "Muon is scalable for LLM training", 2025, section 2.2.
        case matchingAdam
    }

    /// Returns Muon, which updates hidden matrices with orthogonalized momentum, and other parameters with AdamW.
    ///
    /// m = β m + (1 - β) g; with Nesterov momentum, u = g + β (m - g), otherwise u = m;
    /// w -= rate (scale · orthogonal(u) + weightDecay · w). Convolution kernels are reshaped to `[output, rest]`.
    ///
    /// - Parameters:
    ///   - iterations: Newton-Schulz iterations per step, 1 to 100.
    ///   - scale: Scale of the orthogonal step.
    /// - Source: Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024.
    public static func muon(iterations: Int = 5, scale: MuonScale) -> UpdateRule {
        UpdateRule(
            "muon", title: "Muon", help: "Muon for hidden matrices, AdamW for the rest",
            hyperparameters: [
                Hyperparameter("momentum", .fraction, 0.95, "momentum"),
                Hyperparameter("nesterov", .flag, 1, "Nesterov momentum"),
            ],
            slots: ["orthogonal"],
            scope: .only(
                .hiddenMatrices,
                peakRate: Hyperparameter("matrix_rate", .nonNegative, 0.02, "peak learning rate of hidden matrices"),
                fallback: .adamW),
            step: .tensors(OrthogonalStep(iterations: iterations, scale: scale)),
            check: { _ in 1...100 ~= iterations ? nil : "needs 1 to 100 iterations, not \(iterations)" })
    }
}

private struct OrthogonalStep: TensorStep {
    let iterations: Int
    let scale: UpdateRule.MuonScale

    func updated<Scalar: FloatingAccumulator>(
        _ value: Tensor<Scalar>, gradient: Tensor<Scalar>, slots: inout [Tensor<Scalar>], _ settings: StepSettings
    ) throws(TensorError) -> Tensor<Scalar> {
        let momentum = settings["momentum"]
        let mean = try slots[0] + (gradient - slots[0]) * Scalar(1 - momentum)
        let direction = settings["nesterov"] != 0 ? try gradient + (mean - gradient) * Scalar(momentum) : mean
        let matrix = try direction.reshaped([value.shape[0], value.count / value.shape[0]])
        let step = try orthogonalized(matrix).reshaped(value.shape) * Scalar(settings.rate * factor(of: value.shape))
        slots[0] = mean
        return try value * Scalar(1 - settings.rate * settings.weightDecay) - step
    }

    /// Returns the scale of the step for a parameter of this shape.
    private func factor(of shape: [Int]) -> Double {
        let rows = Double(shape[0])
        let columns = shape[1...].reduce(1.0) { $0 * Double($1) }
        return switch scale {
        case .shape: max(1, rows / columns).squareRoot()
        case .matchingAdam: 0.2 * max(rows, columns).squareRoot()
        }
    }

    /// Returns a nearly orthogonal matrix, `[rows, columns]`, with the singular vectors of the argument.
    ///
    /// U Σ Vᵀ becomes U S Vᵀ with S between 0.68 and 1.14. The matrix is first scaled to Frobenius norm 1, which bounds
    /// its singular values by 1. Each Newton-Schulz iteration then maps every singular value s to
    /// 3.4445 s - 4.7750 s³ + 2.0315 s⁵ with matrix products alone. The polynomial is steep at 0 and does not converge
    /// to 1: after five iterations, singular values that were at least 0.01 are within the bounds above.
    private func orthogonalized<Scalar: FloatingAccumulator>(
        _ matrix: Tensor<Scalar>
    ) throws(TensorError) -> Tensor<Scalar> {
        let (a, b, c) = (Scalar(3.4445), Scalar(-4.7750), Scalar(2.0315))
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
