internal import Kernels
internal import Tensors

extension Tensor {
    /// New memory that the caller fills, through `base`, before any other owner sees the tensor.
    static func unfilled(_ shape: [Int]) throws(TensorError) -> Tensor { try Tensor(shape: shape) { _ in } }

    /// The shape as a matrix: all axes but the last are rows.
    var rowsAndColumns: (rows: Int, columns: Int) {
        let columns = shape.last ?? 1
        return (columns == 0 ? 0 : count / columns, columns)
    }
}

extension TensorError {
    /// What a kernel refused, in the words of the operation that called it.
    init(_ operation: String, _ error: KernelError) {
        var problem = error.sentence
        if problem.hasSuffix(".") { problem.removeLast() }
        self.init(operation, problem: problem)
    }
}

/// Checks of the parameters that go along the last axis.
enum FusedShape {
    /// A parameter [width] for rows of x, contiguous.
    static func vector<S>(
        _ parameter: Tensor<S>?, _ role: String, _ x: Tensor<S>, width: Int, _ operation: String
    ) throws(TensorError) -> Tensor<S>? {
        guard let parameter else { return nil }
        guard parameter.shape == [width] else {
            throw TensorError(
                operation, x.shape, parameter.shape,
                problem: "are incompatible: the \(role) must have the shape [\(width)]")
        }
        return try parameter.contiguous()
    }
}
