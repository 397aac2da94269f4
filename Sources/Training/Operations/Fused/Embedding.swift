internal import Kernels
public import Tensors

/// The rows of a table that indices name.
///
/// On the way back each row sums the gradients of its places in the order of the places: the same bits on any number
/// of threads.
///
/// - Parameters:
///   - table: `[vocabulary, width]`.
///   - indices: of any shape; from 0.
/// - Returns: the shape of the indices, then `width`.
public func embedding<S>(_ table: Variable<S>, _ indices: Tensor<Int32>) throws(TensorError) -> Variable<S> {
    let name = "embedding"
    guard table.rank == 2 else {
        throw TensorError(name, table.shape, problem: "is not an embedding table [vocabulary, width]")
    }
    let (vocabulary, width) = (table.shape[0], table.shape[1])
    let places = try indices.contiguous()
    for i in 0..<places.count where places.base[i] < 0 || Int(places.base[i]) >= vocabulary {
        throw TensorError(
            name, table.shape, problem: "has no row \(places.base[i]): the vocabulary ends at \(vocabulary - 1)")
    }
    let rows = try table.value.contiguous()
    let y = try Tensor<S>.unfilled(indices.shape + [width])
    for i in 0..<places.count {
        (y.base + i * width).update(from: rows.base + Int(places.base[i]) * width, count: width)
    }
    withExtendedLifetime((rows, places)) {}
    return .made(by: name, y, from: [table]) { back throws(TensorError) in
        [try rowSums(back.gradient, at: places, rows: vocabulary)]
    }
}

/// The way back of `embedding`, whose own is `embedding` again.
private func rowSums<S>(
    _ slices: Variable<S>, at places: Tensor<Int32>, rows: Int
) throws(TensorError) -> Variable<S> {
    let width = slices.shape[slices.rank - 1]
    let input = try slices.value.contiguous()
    let sums = try Tensor<S>(repeating: 0, shape: [rows, width])
    defer { withExtendedLifetime((input, places)) {} }
    if S.self == Float.self {
        Gradients.scatterAdd(
            input.floats, indices: places.base, count: places.count, into: sums.newFloats, width: width)
    } else {
        GradientTwin.scatterAdd(input.base, indices: places.base, count: places.count, into: sums.base, width: width)
    }
    return .made(by: "row sums", sums, from: [slices]) { back throws(TensorError) in
        [try embedding(back.gradient, places)]
    }
}
