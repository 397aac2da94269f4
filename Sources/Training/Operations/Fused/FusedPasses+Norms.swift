internal import Kernels
internal import Tensors

/// What a norm keeps of its rows for the way back.
struct NormStatistics<S: FloatingAccumulator> {
    /// `[rows]`; `nil` if rows are not centered.
    let means: Tensor<S>?
    /// `[rows]`: 1 / √(variance + ε).
    let scales: Tensor<S>
}

extension FusedPasses {
    static func norm(
        _ x: Tensor<S>, gain: Tensor<S>?, bias: Tensor<S>?, epsilon: Double, isCentered: Bool
    ) throws(TensorError) -> (y: Tensor<S>, NormStatistics<S>) {
        defer { withExtendedLifetime((x, gain, bias)) {} }
        let (rows, columns) = x.rowsAndColumns
        let y = try Tensor<S>.unfilled(x.shape)
        let kept = NormStatistics(
            means: isCentered ? try Tensor<S>.unfilled([rows]) : nil, scales: try Tensor<S>.unfilled([rows]))
        if isFloat {
            Gradients.norm(
                x.floats, gain: gain?.floats, bias: bias?.floats, epsilon: Float(epsilon), into: y.newFloats,
                means: kept.means?.newFloats, scales: kept.scales.newFloats, rows: rows, columns: columns)
        } else {
            GradientTwin.norm(
                x.base, gain: gain.map { UnsafePointer($0.base) }, bias: bias.map { UnsafePointer($0.base) },
                epsilon: epsilon, into: y.base, means: kept.means?.base, scales: kept.scales.base, rows: rows,
                columns: columns)
        }
        return (y, kept)
    }

    /// Writes those of dx, dgain and dbias that are wanted.
    static func normBackward(
        _ dy: Tensor<S>, x: Tensor<S>, gain: Tensor<S>?, _ kept: NormStatistics<S>, dx: Tensor<S>?,
        dGain: Tensor<S>?, dBias: Tensor<S>?
    ) {
        defer { withExtendedLifetime((dy, x, gain, kept, dx, dGain, dBias)) {} }
        let (rows, columns) = x.rowsAndColumns
        if isFloat {
            Gradients.normBackward(
                dy.floats, x: x.floats, gain: gain?.floats, means: kept.means?.floats, scales: kept.scales.floats,
                dx: dx?.newFloats, dGain: dGain?.newFloats, dBias: dBias?.newFloats, rows: rows, columns: columns)
        } else {
            GradientTwin.normBackward(
                dy.base, x: x.base, gain: gain.map { UnsafePointer($0.base) },
                means: kept.means.map { UnsafePointer($0.base) }, scales: kept.scales.base, dx: dx?.base,
                dGain: dGain?.base, dBias: dBias?.base, rows: rows, columns: columns)
        }
    }
}
