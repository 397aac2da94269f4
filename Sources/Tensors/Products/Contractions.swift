/// The products of every element of one vector with every element of another: [a] and [b] give [a, b].
public func outer<S: NumericScalar>(_ a: Tensor<S>, _ b: Tensor<S>) throws(TensorError) -> Tensor<S> {
    guard a.rank == 1, b.rank == 1 else {
        throw TensorError("outer", a.shape, b.shape, problem: "are incompatible: both must be vectors")
    }
    return try a.expanded(at: 1) * b
}

/// The sum of the products of two vectors' elements.
public func dot<S: NumericScalar>(_ a: Tensor<S>, _ b: Tensor<S>) throws(TensorError) -> Tensor<S> {
    guard a.rank == 1, b.rank == 1 else {
        throw TensorError("dot", a.shape, b.shape, problem: "are incompatible: both must be vectors")
    }
    return try matmul(a, b)
}

/// The sums of products over pairs of axes; the axes of `a` that are left come first, then those of `b`.
///
/// - Parameter axes: those of `a` and, one for one, those of `b`.
public func tensordot<S: NumericScalar>(
    _ a: Tensor<S>, _ b: Tensor<S>, axes: ([Int], [Int])
) throws(TensorError) -> Tensor<S> {
    let name = "tensordot"
    let aAxes = try Shape.axes(axes.0, a.shape, name)
    let bAxes = try Shape.axes(axes.1, b.shape, name)
    guard aAxes.count == bAxes.count else {
        throw TensorError(name, a.shape, b.shape, problem: "get \(aAxes.count) and \(bAxes.count) axes to pair")
    }
    for (x, y) in zip(aAxes, bAxes) where a.shape[x] != b.shape[y] {
        throw TensorError(
            name, a.shape, b.shape,
            problem: "are incompatible: the paired sizes \(a.shape[x]) and \(b.shape[y]) differ")
    }
    let aLeft = a.shape.indices.filter { !aAxes.contains($0) }
    let bLeft = b.shape.indices.filter { !bAxes.contains($0) }
    let inner = aAxes.reduce(1) { $0 * a.shape[$1] }
    let rows = aLeft.reduce(1) { $0 * a.shape[$1] }
    let columns = bLeft.reduce(1) { $0 * b.shape[$1] }
    let left = try a.permuted(aLeft + aAxes).reshaped([rows, inner])
    let right = try b.permuted(bAxes + bLeft).reshaped([inner, columns])
    return try matmul(left, right).reshaped(aLeft.map { a.shape[$0] } + bLeft.map { b.shape[$0] })
}
