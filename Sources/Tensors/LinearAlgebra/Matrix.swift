/// The matrix that decompositions work on: doubles, row after row.
///
/// Tensors of float32 are decomposed in float64 as well and rounded once at the end: twice the time of the products,
/// for results that are as good as their type can hold them.
struct Matrix: Sendable {
    let rows: Int
    let columns: Int
    private let storage: TensorStorage<Double>

    var pointer: UnsafeMutablePointer<Double> { storage.pointer }

    /// A matrix of zeros.
    init(_ rows: Int, _ columns: Int, _ operation: String) throws(TensorError) {
        self.rows = rows
        self.columns = columns
        storage = try TensorStorage(count: rows * columns, for: operation)
        storage.pointer.update(repeating: 0, count: rows * columns)
    }

    /// The identity, or its first columns.
    init(identity rows: Int, columns: Int, _ operation: String) throws(TensorError) {
        try self.init(rows, columns, operation)
        for index in 0..<min(rows, columns) { self[index, index] = 1 }
    }

    /// A copy of a tensor of two axes; a vector is a column.
    ///
    /// - Throws: `TensorError` for other ranks, and for elements that are not finite: no algorithm here could end well.
    init<Scalar: FloatingAccumulator>(_ tensor: Tensor<Scalar>, _ operation: String) throws(TensorError) {
        guard tensor.rank == 1 || tensor.rank == 2 else {
            throw TensorError(operation, tensor.shape, problem: "is not a matrix: it has \(tensor.rank) axes, not 2")
        }
        rows = tensor.shape[0]
        columns = tensor.rank == 2 ? tensor.shape[1] : 1
        let wide = try tensor.converted(to: Double.self).contiguous()
        storage = try TensorStorage(count: wide.count, for: operation)
        storage.pointer.update(from: wide.base, count: wide.count)
        withExtendedLifetime(wide) {}
        // A sum of zeros unless there is an infinity or a NaN.
        var sum = 0.0
        for index in 0..<rows * columns { sum += 0 * pointer[index] }
        guard sum == 0 else {
            throw TensorError(operation, tensor.shape, problem: "has elements that are not finite")
        }
    }

    /// The same of a matrix that must have as many rows as columns.
    init<Scalar: FloatingAccumulator>(square tensor: Tensor<Scalar>, _ operation: String) throws(TensorError) {
        guard tensor.rank == 2, tensor.shape[0] == tensor.shape[1] else {
            throw TensorError(operation, tensor.shape, problem: "is not a square matrix")
        }
        try self.init(tensor, operation)
    }

    func copied(_ operation: String) throws(TensorError) -> Matrix {
        let copy = try Matrix(rows, columns, operation)
        copy.pointer.update(from: pointer, count: rows * columns)
        return copy
    }

    func transposed(_ operation: String) throws(TensorError) -> Matrix {
        let result = try Matrix(columns, rows, operation)
        for row in 0..<rows {
            for column in 0..<columns { result.pointer[column * rows + row] = pointer[row * columns + column] }
        }
        return result
    }

    /// Elements of memory that all copies of this value share; decompositions write before they are handed out.
    subscript(row: Int, column: Int) -> Double {
        get { pointer[row * columns + column] }
        nonmutating set { pointer[row * columns + column] = newValue }
    }

    func row(_ index: Int) -> UnsafeMutablePointer<Double> { pointer + index * columns }

    /// All of it.
    var all: MatrixBlock { MatrixBlock(pointer, rows, columns, stride: columns) }

    /// Rounded into a tensor.
    func tensor<Scalar: FloatingAccumulator>(
        as _: Scalar.Type, shape: [Int]? = nil
    ) throws(TensorError) -> Tensor<Scalar> {
        let shape = shape ?? [rows, columns]
        return try Tensor(storage: storage, shape: shape, strides: Shape.strides(shape), offset: 0).converted()
    }
}
