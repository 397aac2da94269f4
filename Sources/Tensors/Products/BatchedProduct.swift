internal import Kernels
internal import Synchronization

/// How the operands of a product are cut into matrices.
struct BatchedProduct {
    let rows: Int
    let inner: Int
    let columns: Int
    /// The axes before the matrices.
    let batch: [Int]
    let shape: [Int]
    /// Strides of batch, row and column in each operand.
    let aBatch: [Int]
    let bBatch: [Int]
    let aStrides: (row: Int, column: Int)
    let bStrides: (row: Int, column: Int)

    init<S>(_ a: Tensor<S>, _ b: Tensor<S>) throws(TensorError) {
        guard a.rank > 0, b.rank > 0 else {
            throw TensorError(
                "matmul", a.shape, b.shape,
                problem: "are incompatible: a scalar has no rows; multiply it with *")
        }
        let (aIsVector, bIsVector) = (a.rank == 1, b.rank == 1)
        rows = aIsVector ? 1 : a.shape[a.rank - 2]
        inner = a.shape[a.rank - 1]
        columns = bIsVector ? 1 : b.shape[b.rank - 1]
        let other = bIsVector ? b.shape[0] : b.shape[b.rank - 2]
        guard inner == other else {
            throw TensorError(
                "matmul", a.shape, b.shape, problem: "are incompatible: the inner sizes \(inner) and \(other) differ")
        }
        let (aShape, bShape) = (Array(a.shape.dropLast(2)), Array(b.shape.dropLast(2)))
        do {
            batch = try Shape.broadcast(aShape, bShape, "matmul")
        } catch {
            throw TensorError(
                "matmul", a.shape, b.shape, problem: "are incompatible: the batch axes differ")
        }
        shape = batch + (aIsVector ? [] : [rows]) + (bIsVector ? [] : [columns])
        aBatch = Shape.stretched(Array(a.strides.dropLast(2)), of: aShape, to: batch)
        bBatch = Shape.stretched(Array(b.strides.dropLast(2)), of: bShape, to: batch)
        aStrides = (aIsVector ? 0 : a.strides[a.rank - 2], a.strides[a.rank - 1])
        bStrides = bIsVector ? (b.strides[0], 1) : (b.strides[b.rank - 2], b.strides[b.rank - 1])
    }

    func run<S: NumericScalar>(
        _ a: Tensor<S>, _ b: Tensor<S>, _ path: MatrixProductPath
    ) throws(TensorError) -> Tensor<S> {
        let count = try Shape.count(shape, "matmul")
        let walk = Walk(batch, aBatch, bBatch)
        let isShared = walk.rows * walk.length > 1 && rows * inner * columns < 1 << 20
        let pool = isShared ? ThreadPool.single : .shared
        defer { withExtendedLifetime((a, b)) {} }
        return try Tensor(filling: shape, count: count, for: "matmul") { result throws(TensorError) in
            if count == 0 { return }
            let failure = Mutex<TensorError?>(nil)
            let matrices = walk.rows * walk.length
            // Small matrices are shared out whole; the kernels share the work of a large one themselves.
            (isShared ? ThreadPool.shared : .single).run(chunks: matrices) { matrix, _ in
                var place = Walk.Strides()
                walk.forEachRow(in: matrix / walk.length..<matrix / walk.length + 1) { place = $0 }
                place.move(matrix % walk.length, walk.row)
                do throws(TensorError) {
                    try multiply(
                        a.base + place.a, b.base + place.b, result + matrix * rows * columns, path, pool)
                } catch {
                    failure.withLock { $0 = error }
                }
            }
            if let error = failure.withLock({ $0 }) { throw error }
        }
    }

    private func multiply<S: NumericScalar>(
        _ a: UnsafePointer<S>, _ b: UnsafePointer<S>, _ c: UnsafeMutablePointer<S>, _ path: MatrixProductPath,
        _ pool: ThreadPool
    ) throws(TensorError) {
        do throws(KernelError) {
            switch S.dataType {
            case .float32:
                try MatrixProduct.multiply(
                    left(a, as: Float.self), right(b, as: Float.self), into: target(c, as: Float.self), path: path,
                    pool: pool)
            case .float64:
                try MatrixProduct.multiply(
                    left(a, as: Double.self), right(b, as: Double.self), into: target(c, as: Double.self), path: path,
                    pool: pool)
            default:
                IntegerProduct.multiply(a, aStrides, b, bStrides, into: c, rows, inner, columns)
            }
        } catch {
            var problem = error.sentence
            problem.removeLast()
            throw TensorError("matmul", problem: problem)
        }
    }

    private func left<S, Element>(_ pointer: UnsafePointer<S>, as _: Element.Type) -> MatrixView<Element> {
        MatrixView(
            UnsafeRawPointer(pointer).assumingMemoryBound(to: Element.self), rows: rows, columns: inner,
            rowStride: aStrides.row, columnStride: aStrides.column)
    }

    private func right<S, Element>(_ pointer: UnsafePointer<S>, as _: Element.Type) -> MatrixView<Element> {
        MatrixView(
            UnsafeRawPointer(pointer).assumingMemoryBound(to: Element.self), rows: inner, columns: columns,
            rowStride: bStrides.row, columnStride: bStrides.column)
    }

    private func target<S, Element>(
        _ pointer: UnsafeMutablePointer<S>, as _: Element.Type
    ) -> MutableMatrixView<Element> {
        MutableMatrixView(
            UnsafeMutableRawPointer(pointer).assumingMemoryBound(to: Element.self), rows: rows, columns: columns)
    }
}
