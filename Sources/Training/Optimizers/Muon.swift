internal import Kernels
internal import Tensors

extension UpdateRule {
    /// Muon: the hidden matrices of a model move by their momentum made orthogonal, everything else by AdamW.
    ///
    /// m = β m + (1 - β) g, u = g + β (m - g) in the form of Nesterov, and
    /// w -= rate (scale · orthogonal(u) + weightDecay · w). Kernels of convolutions count as matrices [output, rest].
    ///
    /// - Source: Jordan et al., "Muon: an optimizer for hidden layers in neural networks", 2024.
    public static let muon: UpdateRule = muon(scale: .shape)

    /// Length of the step of a matrix [rows, columns].
    public enum MuonScale: Sendable {
        /// √max(1, rows / columns), as published.
        case shape
        /// 0.2 √max(rows, columns): the root mean square of AdamW's steps, so that its rate can be taken.
        ///
        /// - Source: Liu et al., "Muon is scalable for LLM training", 2025, section 2.2.
        case matchingAdam
    }

    /// - Parameter iterations: of the Newton-Schulz polynomial, 1 to 100.
    public static func muon(iterations: Int = 5, scale: MuonScale) -> UpdateRule {
        UpdateRule(
            "muon", title: "Muon", help: "Muon for hidden matrices, AdamW for the rest",
            hyperparameters: [
                Hyperparameter("momentum", .share, 0.95, "momentum"),
                Hyperparameter("nesterov", .flag, 1, "Nesterov momentum"),
            ],
            slots: ["orthogonal"],
            scope: .only(
                .hiddenMatrices,
                peakRate: Hyperparameter("matrix_rate", .amount, 0.02, "peak learning rate of hidden matrices"),
                others: .adamW),
            step: .tensors(OrthogonalStep(iterations: iterations, scale: scale)),
            check: { _ in 1...100 ~= iterations ? nil : "needs 1 to 100 iterations, not \(iterations)" })
    }
}

private struct OrthogonalStep: TensorStep {
    let iterations: Int
    let scale: UpdateRule.MuonScale

    func moved<Scalar: FloatingAccumulator>(
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

    private func factor(of shape: [Int]) -> Double {
        let rows = Double(shape[0])
        let columns = shape[1...].reduce(1.0) { $0 * Double($1) }
        return switch scale {
        case .shape: max(1, rows / columns).squareRoot()
        case .matchingAdam: 0.2 * max(rows, columns).squareRoot()
        }
    }

    /// Makes a matrix nearly orthogonal by products alone: U Σ Vᵀ becomes U S Vᵀ with S between 0.68 and 1.14.
    ///
    /// The matrix is scaled to norm 1, so that no singular value is above it. Then each step takes every singular value
    /// s to 3.4445 s - 4.7750 s³ + 2.0315 s⁵, a polynomial that rises steeply at 0 and does not settle at 1 exactly:
    /// values from 0.01 on end in the bounds above after five steps.
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
