internal import Kernels
internal import Tensors

/// A tensor read as a matrix, by strides, for the products of a linear layer.
struct MatrixOperand<S: FloatingAccumulator> {
    let tensor: Tensor<S>
    private var view: MatrixView<S>

    /// All axes but the last as rows: a view where the strides allow it, otherwise a copy.
    init(rowsOf tensor: Tensor<S>) throws(TensorError) {
        let (rows, columns) = tensor.rowsAndColumns
        try self.init(matrix: tensor.reshaped([rows, columns]))
    }

    private init(matrix: Tensor<S>) {
        tensor = matrix
        view = MatrixView(
            UnsafePointer(matrix.base), rows: matrix.shape[0], columns: matrix.shape[1], rowStride: matrix.strides[0],
            columnStride: matrix.strides[1])
    }

    var rows: Int { view.rows }
    var columns: Int { view.columns }

    var transposed: MatrixOperand {
        var other = self
        other.view = view.transposed
        return other
    }

    /// C = A B, or C += A B; C is `[a.rows, b.columns]` without gaps.
    static func multiply(
        _ a: MatrixOperand, _ b: MatrixOperand, into c: UnsafeMutablePointer<S>, accumulate: Bool = false,
        _ operation: String
    ) throws(TensorError) {
        defer { withExtendedLifetime((a, b)) {} }
        do throws(KernelError) {
            if S.self == Float.self {
                let (a, b): (MatrixView<Float>, MatrixView<Float>) = (rebound(a.view), rebound(b.view))
                let c = MutableMatrixView<Float>(rebound(c), rows: a.rows, columns: b.columns)
                try MatrixProduct.multiply(a, b, into: c, accumulate: accumulate)
            } else {
                let (a, b): (MatrixView<Double>, MatrixView<Double>) = (rebound(a.view), rebound(b.view))
                let c = MutableMatrixView<Double>(rebound(c), rows: a.rows, columns: b.columns)
                try MatrixProduct.multiply(a, b, into: c, accumulate: accumulate)
            }
        } catch {
            throw TensorError(operation, error)
        }
    }

    private static func rebound<Element>(_ pointer: UnsafeMutablePointer<S>) -> UnsafeMutablePointer<Element> {
        UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Element.self)
    }

    private static func rebound<Element>(_ view: MatrixView<S>) -> MatrixView<Element> {
        MatrixView(
            UnsafeRawPointer(view.pointer).assumingMemoryBound(to: Element.self), rows: view.rows,
            columns: view.columns, rowStride: view.rowStride, columnStride: view.columnStride)
    }
}
