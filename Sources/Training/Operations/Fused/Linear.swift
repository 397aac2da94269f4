public import Tensors

/// A linear layer: y = x Wᵀ + b.
///
/// Nothing is transposed in memory. The gradients are dx = dy W, dW = dyᵀ x and db = Σ dy over the rows; each is
/// computed only where it is asked for.
///
/// ```swift
/// let y = try linear(x, weight: w.variable, bias: b.variable)      // [batch, in] → [batch, out]
/// ```
/// - Parameters:
///   - x: `[..., in]`.
///   - weight: `[out, in]`.
///   - bias: `[out]`.
/// - Returns: `[..., out]`.
public func linear<S>(
    _ x: Variable<S>, weight: Variable<S>, bias: Variable<S>? = nil
) throws(TensorError) -> Variable<S> {
    let name = "linear"
    guard x.rank >= 1, weight.rank == 2, weight.shape[1] == x.shape[x.rank - 1] else {
        throw TensorError(
            name, x.shape, weight.shape,
            problem: "are incompatible: the weight must have the shape [out, \(x.shape.last ?? 1)]")
    }
    let out = weight.shape[0]
    let bias0 = try FusedShape.vector(bias?.value, "bias", x.value, width: out, name)
    let rows = try MatrixOperand(rowsOf: x.value)
    let matrix = try MatrixOperand(rowsOf: weight.value)
    let y = try Tensor<S>.unfilled(x.shape.dropLast() + [out])
    try MatrixOperand.multiply(rows, matrix.transposed, into: y.base, name)
    if let bias0 { FusedPasses.addBias(bias0, to: y) }
    let parents = [x, weight] + (bias.map { [$0] } ?? [])
    let basics = { () throws(TensorError) in
        let product = try matmul(x, weight.transposed())
        return if let bias { try product + bias } else { product }
    }
    return .made(by: name, y, from: parents, basics: basics) {
        [shape = x.shape, hasBias = bias != nil] back throws(TensorError) in
        let dy = try MatrixOperand(rowsOf: back.gradient.value)
        var dx: Variable<S>?
        if back.needs(0) {
            let gradient = try Tensor<S>.unfilled(shape)
            try MatrixOperand.multiply(dy, matrix, into: gradient.base, name)
            dx = Variable(gradient)
        }
        var dWeight: Variable<S>?
        if back.needs(1) {
            let gradient = try Tensor<S>.unfilled([out, matrix.columns])
            try MatrixOperand.multiply(dy.transposed, rows, into: gradient.base, name)
            dWeight = Variable(gradient)
        }
        guard hasBias else { return [dx, dWeight] }
        return [dx, dWeight, back.needs(2) ? Variable(try FusedPasses.columnSums(dy.tensor.contiguous())) : nil]
    }
}
