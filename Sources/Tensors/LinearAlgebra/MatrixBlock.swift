internal import Kernels

/// A rectangle of a matrix.
struct MatrixBlock: Sendable {
    nonisolated(unsafe) let pointer: UnsafeMutablePointer<Double>
    let rows: Int
    let columns: Int
    let stride: Int

    init(_ pointer: UnsafeMutablePointer<Double>, _ rows: Int, _ columns: Int, stride: Int) {
        self.pointer = pointer
        self.rows = rows
        self.columns = columns
        self.stride = stride
    }

    func row(_ index: Int) -> UnsafeMutablePointer<Double> { pointer + index * stride }

    func block(_ rows: Range<Int>, _ columns: Range<Int>) -> MatrixBlock {
        MatrixBlock(row(rows.lowerBound) + columns.lowerBound, rows.count, columns.count, stride: stride)
    }

    var view: MatrixView<Double> { MatrixView(pointer, rows: rows, columns: columns, rowStride: stride) }
    var transposed: MatrixView<Double> { view.transposed }

    /// self += a b, by the best kernel for the shape.
    func add(_ a: MatrixView<Double>, _ b: MatrixView<Double>, _ operation: String) throws(TensorError) {
        guard rows > 0, columns > 0, a.columns > 0 else { return }
        let target = MutableMatrixView(pointer, rows: rows, columns: columns, rowStride: stride)
        do {
            try MatrixProduct.multiply(a, b, into: target, accumulate: true)
        } catch {
            var problem = error.sentence
            problem.removeLast()
            throw TensorError(operation, problem: problem)
        }
    }

    /// self -= a b: products only add, so a turned copy of `a` is multiplied.
    func subtract(_ a: MatrixBlock, _ b: MatrixView<Double>, _ operation: String) throws(TensorError) {
        guard rows > 0, columns > 0, a.columns > 0 else { return }
        let negative = try Matrix(a.rows, a.columns, operation)
        for row in 0..<a.rows {
            let (source, target) = (a.row(row), negative.row(row))
            for column in 0..<a.columns { target[column] = -source[column] }
        }
        try add(negative.all.view, b, operation)
        withExtendedLifetime(negative) {}
    }

    /// self -= aᵀ b
    func subtract(
        transposing a: MatrixBlock, _ b: MatrixView<Double>, _ operation: String
    ) throws(TensorError) {
        guard rows > 0, columns > 0, a.rows > 0 else { return }
        let negative = try Matrix(a.columns, a.rows, operation)
        for row in 0..<a.rows {
            for column in 0..<a.columns { negative[column, row] = -a.row(row)[column] }
        }
        try add(negative.all.view, b, operation)
        withExtendedLifetime(negative) {}
    }
}
