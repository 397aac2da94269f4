internal import Kernels
internal import Tensors

/// The passes of fused operations on whole tensors, contiguous ones: kernels for float32, the plain twin for float64.
enum FusedPasses<S: FloatingAccumulator> {
    static var isFloat: Bool { S.self == Float.self }

    static func addBias(_ bias: Tensor<S>, to y: Tensor<S>) {
        defer { withExtendedLifetime((bias, y)) {} }
        let (rows, columns) = y.rowsAndColumns
        if isFloat {
            Gradients.addBias(bias.floats, to: y.newFloats, rows: rows, columns: columns)
        } else {
            GradientTwin.addBias(bias.base, to: y.base, rows: rows, columns: columns)
        }
    }

    /// The sum of each column of a matrix.
    static func columnSums(_ x: Tensor<S>) throws(TensorError) -> Tensor<S> {
        defer { withExtendedLifetime(x) {} }
        let (rows, columns) = x.rowsAndColumns
        let sums = try Tensor<S>.unfilled([columns])
        if isFloat {
            Gradients.columnSums(x.floats, into: sums.newFloats, rows: rows, columns: columns)
        } else {
            GradientTwin.columnSums(x.base, into: sums.base, rows: rows, columns: columns)
        }
        return sums
    }

    /// f(x), times `factor` where there is one.
    static func activate(
        _ activation: Activation, _ x: Tensor<S>, times factor: Tensor<S>? = nil
    ) throws(TensorError) -> Tensor<S> {
        defer { withExtendedLifetime((x, factor)) {} }
        let y = try Tensor<S>.unfilled(x.shape)
        if isFloat {
            Gradients.activate(activation.curve, x.floats, times: factor?.floats, into: y.newFloats, count: x.count)
        } else {
            GradientTwin.activate(
                activation.curve, x.base, times: factor.map { UnsafePointer($0.base) }, into: y.base, count: x.count)
        }
        return y
    }

    /// Writes dx and the gradient of the factor, where they are wanted.
    static func activateBackward(
        _ activation: Activation, _ dy: Tensor<S>, x: Tensor<S>, factor: Tensor<S>? = nil, dx: Tensor<S>?,
        dFactor: Tensor<S>? = nil
    ) {
        defer { withExtendedLifetime((dy, x, factor, dx, dFactor)) {} }
        if isFloat {
            Gradients.activateBackward(
                activation.curve, dy.floats, x: x.floats, factor: factor?.floats, dx: dx?.newFloats,
                dFactor: dFactor?.newFloats, count: x.count)
        } else {
            GradientTwin.activateBackward(
                activation.curve, dy.base, x: x.base, factor: factor.map { UnsafePointer($0.base) }, dx: dx?.base,
                dFactor: dFactor?.base, count: x.count)
        }
    }
}

extension Tensor where Scalar: FloatingAccumulator {
    /// The elements of a contiguous tensor, known to be of float32.
    var floats: UnsafePointer<Float> { UnsafePointer(newFloats) }
    /// The same, writable while no other owner has seen the tensor.
    var newFloats: UnsafeMutablePointer<Float> { UnsafeMutableRawPointer(base).assumingMemoryBound(to: Float.self) }
}
