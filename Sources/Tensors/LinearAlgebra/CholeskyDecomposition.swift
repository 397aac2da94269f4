internal import Glibc

/// A symmetric positive definite matrix as A = L Lᵀ. Only the lower triangle of A is read.
///
/// Halved until small, as `LUDecomposition` is; n³/3 operations, half of LU's.
public struct CholeskyDecomposition<Scalar: FloatingAccumulator>: Sendable {
    private let factor: Matrix

    /// - Throws: `TensorError` where the matrix is not positive definite, with the place that shows it.
    public init(_ matrix: Tensor<Scalar>) throws(TensorError) {
        let a = try Matrix(square: matrix, "Cholesky")
        try Self.decompose(a.all, first: 0, shape: matrix.shape)
        for row in 0..<a.rows { (a.row(row) + row + 1).update(repeating: 0, count: a.rows - row - 1) }
        factor = a
    }

    private static var leaf: Int { 32 }

    /// - Parameter first: where the block is on the diagonal of the whole, for the sentence.
    private static func decompose(_ a: MatrixBlock, first: Int, shape: [Int]) throws(TensorError) {
        let n = a.rows
        guard n > leaf else {
            for row in 0..<n {
                let x = a.row(row)
                for column in 0..<row {
                    x[column] = (x[column] - VectorLoops.dot(x, a.row(column), column)) / a.row(column)[column]
                }
                let square = x[row] - VectorLoops.dot(x, x, row)
                guard square > 0 else {
                    throw TensorError(
                        "Cholesky", shape,
                        problem: "is not positive definite: its leading \(first + row + 1) rows and columns are not")
                }
                x[row] = square.squareRoot()
            }
            return
        }
        let half = n / 2
        let (top, bottom) = (a.block(0..<half, 0..<half), a.block(half..<n, 0..<half))
        try decompose(top, first: first, shape: shape)
        try Triangular.solveRight(lowerTransposed: top, bottom, "Cholesky")
        let rest = a.block(half..<n, half..<n)
        try subtractSquare(rest, bottom)
        try decompose(rest, first: first + half, shape: shape)
    }

    /// The lower triangle of c -= b bᵀ.
    private static func subtractSquare(_ c: MatrixBlock, _ b: MatrixBlock) throws(TensorError) {
        let n = c.rows
        guard n > 2 * leaf else {
            try c.subtract(b, b.transposed, "Cholesky")
            return
        }
        let half = n / 2
        let (b1, b2) = (b.block(0..<half, 0..<b.columns), b.block(half..<n, 0..<b.columns))
        try subtractSquare(c.block(0..<half, 0..<half), b1)
        try c.block(half..<n, 0..<half).subtract(b2, b1.transposed, "Cholesky")
        try subtractSquare(c.block(half..<n, half..<n), b2)
    }

    /// L.
    public func lower() throws(TensorError) -> Tensor<Scalar> { try factor.tensor(as: Scalar.self) }

    /// The logarithm of A's determinant, which is positive.
    public var logDeterminant: Double {
        var sum = 0.0
        for index in 0..<factor.rows { sum += 2 * log(factor[index, index]) }
        return sum
    }

    /// X of A X = B; a vector is one column.
    public func solve(_ b: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        let x = try Matrix(b, "solve")
        guard x.rows == factor.rows else {
            throw TensorError(
                "solve", [factor.rows, factor.rows], b.shape,
                problem: "are incompatible: \(factor.rows) equations have \(x.rows) right-hand sides")
        }
        try Triangular.solve(.lower, factor.all, x.all, "solve")
        try Triangular.solve(.lowerTransposed, factor.all, x.all, "solve")
        return try x.tensor(as: Scalar.self, shape: b.shape)
    }
}
