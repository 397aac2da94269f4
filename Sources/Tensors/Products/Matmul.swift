public import Kernels

/// The matrix product with the rules of NumPy's `matmul`.
///
/// The last two axes are matrices, those before stretch to fit each other. A vector on the left is a row, one on the
/// right a column, and its axis leaves the result. Views go in as they are, without a copy: a transposed operand costs
/// nothing.
///
/// float32 and float64 go to the kernels; the 16-bit types are widened, multiplied in float32 and rounded once; integers
/// are added in 64 bits and wrap around in the end.
///
/// ```swift
/// let scores = try matmul(q, k.transposed()) * scale    // [batch, heads, query, key]
/// ```
///
/// - Parameter path: forces the code that computes float32, float64 and 16-bit products; see `matmulPath`.
/// - Throws: `TensorError` where the inner sizes differ, or where the path cannot run here.
public func matmul<S: NumericScalar>(
    _ a: Tensor<S>, _ b: Tensor<S>, path: MatrixProductPath = .automatic
) throws(TensorError) -> Tensor<S> {
    switch S.dataType {
    case .float16, .bfloat16:
        return try matmul(a.converted(to: Float.self), b.converted(to: Float.self), path: path).converted()
    default: break
    }
    let product = try BatchedProduct(a, b)
    // A stack of matrices times one matrix is one tall product.
    if a.rank > 2, b.rank == 2, a.count > 0,
        let strides = Shape.strides(viewing: a.shape, a.strides, as: [a.count / product.inner, product.inner])
    {
        let tall = Tensor(
            view: a.storage, shape: [a.count / product.inner, product.inner], strides: strides, offset: a.offset,
            count: a.count)
        return try BatchedProduct(tall, b).run(tall, b, path).reshaped(product.shape)
    }
    return try product.run(a, b, path)
}

/// The code that `matmul` takes for these operands where none is forced; nil for integers, which have only one.
public func matmulPath<S: NumericScalar>(_ a: Tensor<S>, _ b: Tensor<S>) throws(TensorError) -> MatrixProductPath? {
    guard S.dataType.isFloatingPoint else { return nil }
    let product = try BatchedProduct(a, b)
    return MatrixProduct.chosenPath(
        rows: product.rows, columns: product.columns, inner: product.inner,
        element: S.dataType == .float64 ? .float64 : .float32)
}
