internal import Kernels

/// e^x divided by the sum of e^x along an axis, without overflow: the largest element is taken out first.
///
/// A row in which every element is minus infinity, as a row that is masked altogether, has no softmax: it becomes NaN.
public func softmax<S: FloatingScalar>(_ x: Tensor<S>, axis: Int = -1) throws(TensorError) -> Tensor<S> {
    try alongLast(x, axis, "softmax") { x throws(TensorError) in
        try RowPass.run(x, for: "softmax", row: RowLoops.softmax) { from, to, rows, columns in
            Rows.softmax(from, into: to, rows: rows, columns: columns)
        }
    }
}

/// The logarithm of the softmax, exact where the softmax itself would be 0.
public func logSoftmax<S: FloatingScalar>(_ x: Tensor<S>, axis: Int = -1) throws(TensorError) -> Tensor<S> {
    try alongLast(x, axis, "logSoftmax") { x throws(TensorError) in
        try RowPass.map(x, for: "logSoftmax", RowLoops.logSoftmax)
    }
}

/// Moves the axis to the end for the time of an operation.
private func alongLast<S>(
    _ x: Tensor<S>, _ axis: Int, _ name: String, _ body: (Tensor<S>) throws(TensorError) -> Tensor<S>
) throws(TensorError) -> Tensor<S> {
    let place = try Shape.axis(axis, x.shape, name)
    if place == x.rank - 1 { return try body(x) }
    return try body(x.movingAxis(place, to: -1)).movingAxis(-1, to: place)
}
