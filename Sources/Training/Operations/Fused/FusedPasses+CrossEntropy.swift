internal import Kernels
internal import Tensors

extension FusedPasses {
    /// The log-sum-exp and the loss of each row; rows whose target is negative have none.
    static func crossEntropy(
        _ logits: Tensor<S>, _ targets: Tensor<Int32>, smoothing: Double
    ) throws(TensorError) -> (logSumExp: Tensor<S>, losses: Tensor<S>) {
        defer { withExtendedLifetime((logits, targets)) {} }
        let (rows, columns) = logits.rowsAndColumns
        let (logSumExp, losses) = (try Tensor<S>.unfilled([rows]), try Tensor<S>.unfilled([rows]))
        if isFloat {
            Gradients.crossEntropy(
                logits.floats, targets: targets.base, smoothing: Float(smoothing), logSumExp: logSumExp.newFloats,
                losses: losses.newFloats, rows: rows, columns: columns)
        } else {
            GradientTwin.crossEntropy(
                logits.base, targets: targets.base, smoothing: smoothing, logSumExp: logSumExp.base,
                losses: losses.base, rows: rows, columns: columns)
        }
        return (logSumExp, losses)
    }

    static func crossEntropyBackward(
        _ logits: Tensor<S>, _ targets: Tensor<Int32>, smoothing: Double, factor: Double, logSumExp: Tensor<S>
    ) throws(TensorError) -> Tensor<S> {
        defer { withExtendedLifetime((logits, targets, logSumExp)) {} }
        let (rows, columns) = logits.rowsAndColumns
        let gradient = try Tensor<S>.unfilled(logits.shape)
        if isFloat {
            Gradients.crossEntropyBackward(
                logits.floats, targets: targets.base, smoothing: Float(smoothing), factor: Float(factor),
                logSumExp: logSumExp.floats, into: gradient.newFloats, rows: rows, columns: columns)
        } else {
            GradientTwin.crossEntropyBackward(
                logits.base, targets: targets.base, smoothing: smoothing, factor: factor, logSumExp: logSumExp.base,
                into: gradient.base, rows: rows, columns: columns)
        }
        return gradient
    }
}
