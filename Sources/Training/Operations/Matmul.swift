public import Tensors

/// The matrix product with the rules of NumPy's `matmul`: the last two axes are matrices, those before stretch to fit
/// each other; a vector on the left is a row, one on the right a column, and its axis leaves the result.
///
/// ```swift
/// let scores = try matmul(q, k.transposed()) * scale    // [batch, heads, query, key]
/// ```
public func matmul<S>(_ a: Variable<S>, _ b: Variable<S>) throws(TensorError) -> Variable<S> {
    let value = try matmul(a.value, b.value)
    if a.rank == 1 {
        let row = try matmul(value: value.expanded(at: b.rank == 1 ? 0 : -2), a.expanded(at: 0), b)
        return try row.reshaped(value.shape)
    }
    return try matmul(value: value, a, b)
}

/// The operation itself, `a` being a matrix or several.
private func matmul<S>(
    value: Tensor<S>, _ a: Variable<S>, _ b: Variable<S>
) throws(TensorError) -> Variable<S> {
    if b.rank == 1 {
        let column = try matmul(value: value.expanded(at: -1), a, b.expanded(at: 1))
        return try column.reshaped(value.shape)
    }
    // A factor is kept only where the other one wants it; its shape is always needed.
    let saved = [b.isRecorded ? a : nil, a.isRecorded ? b : nil].compactMap { $0 }
    return .made(by: "matmul", value, from: [a, b], saving: saved) {
        [aShape = a.shape, bShape = b.shape, aIsSaved = b.isRecorded] back throws(TensorError) in
        let gradient = back.gradient
        var (gradientOfA, gradientOfB): (Variable<S>?, Variable<S>?)
        if back.needs(0) {
            gradientOfA = try matmul(gradient, back.saved[aIsSaved ? 1 : 0].transposed()).summed(to: aShape)
        }
        if back.needs(1) {
            let a = back.saved[0]
            if bShape.count == 2, aShape.count > 2 {
                // One tall product instead of one for each matrix and their sum.
                let rows = aShape.dropLast().reduce(1, *)
                gradientOfB = try matmul(
                    a.reshaped([rows, bShape[0]]).transposed(), gradient.reshaped([rows, bShape[1]]))
            } else {
                gradientOfB = try matmul(a.transposed(), gradient).summed(to: bShape)
            }
        }
        return [gradientOfA, gradientOfB]
    }
}

/// The products of every element of one vector with every element of another: [a] and [b] give [a, b].
public func outer<S>(_ a: Variable<S>, _ b: Variable<S>) throws(TensorError) -> Variable<S> {
    guard a.rank == 1, b.rank == 1 else {
        throw TensorError("outer", a.shape, b.shape, problem: "are incompatible: both must be vectors")
    }
    return try a.expanded(at: 1) * b
}

/// The sum of the products of two vectors' elements.
public func dot<S>(_ a: Variable<S>, _ b: Variable<S>) throws(TensorError) -> Variable<S> {
    guard a.rank == 1, b.rank == 1 else {
        throw TensorError("dot", a.shape, b.shape, problem: "are incompatible: both must be vectors")
    }
    return try matmul(a, b)
}
