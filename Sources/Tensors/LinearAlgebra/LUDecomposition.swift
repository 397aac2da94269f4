internal import Glibc

/// A square matrix as P A = L U: L lower triangular with ones on its diagonal, U upper triangular, P an order of rows
/// that puts the largest element of each column on the diagonal.
///
/// ```swift
/// let lu = try LUDecomposition(a)
/// let x = try lu.solve(b)                  // a x = b, for as many b as there are
/// ```
/// Columns are halved until they are few (Toledo, "Locality of reference in LU decomposition with partial pivoting",
/// SIAM J. Matrix Anal. Appl. 18(4), 1997): nearly all of the 2n³/3 operations are products of matrices.
public struct LUDecomposition<Scalar: FloatingAccumulator>: Sendable {
    private let factors: Matrix
    /// Row i of P A is row `order[i]` of A.
    public let order: [Int]
    private let isOdd: Bool
    /// The first column whose pivot is exactly zero.
    private let singularColumn: Int?

    /// O(n³). A singular matrix has a decomposition as well; `solve` and `inverse` refuse it.
    public init(_ matrix: Tensor<Scalar>) throws(TensorError) {
        let a = try Matrix(square: matrix, "LU")
        var pivoting = Pivoting(rows: a.rows)
        try Self.factor(a, 0..<a.rows, &pivoting)
        factors = a
        order = pivoting.order
        isOdd = pivoting.isOdd
        singularColumn = pivoting.singularColumn
    }

    private struct Pivoting {
        var order: [Int]
        var isOdd = false
        var singularColumn: Int?

        init(rows: Int) { order = Array(0..<rows) }
    }

    private static var leaf: Int { 16 }

    /// Decomposes some columns, whose rows above their diagonal are finished.
    private static func factor(
        _ a: Matrix, _ columns: Range<Int>, _ pivoting: inout Pivoting
    ) throws(TensorError) {
        guard columns.count > leaf else {
            for column in columns { eliminate(a, column, columns.upperBound, &pivoting) }
            return
        }
        let (n, all) = (a.rows, a.all)
        let middle = columns.lowerBound + columns.count / 2
        let (left, right) = (columns.lowerBound..<middle, middle..<columns.upperBound)
        try factor(a, left, &pivoting)
        let upper = all.block(left, right)
        try Triangular.solve(.unitLower, all.block(left, left), upper, "LU")
        try all.block(middle..<n, right).subtract(all.block(middle..<n, left), upper.view, "LU")
        try factor(a, right, &pivoting)
    }

    /// One column: the largest element becomes the pivot, and multiples of its row leave the rows below, as far as
    /// column `end`.
    private static func eliminate(_ a: Matrix, _ column: Int, _ end: Int, _ pivoting: inout Pivoting) {
        var pivot = column
        for row in column..<a.rows where abs(a[row, column]) > abs(a[pivot, column]) { pivot = row }
        if pivot != column {
            VectorLoops.exchange(a.row(pivot), a.row(column), a.columns)
            pivoting.order.swapAt(pivot, column)
            pivoting.isOdd.toggle()
        }
        let largest = a[column, column]
        guard largest != 0 else {
            pivoting.singularColumn = pivoting.singularColumn ?? column
            return
        }
        let source = a.row(column)
        for row in column + 1..<max(a.rows, column + 1) {
            let target = a.row(row)
            let factor = target[column] / largest
            target[column] = factor
            VectorLoops.add(-factor, source + column + 1, to: target + column + 1, end - column - 1)
        }
    }

    /// L: ones on the diagonal.
    public func lower() throws(TensorError) -> Tensor<Scalar> {
        let n = factors.rows
        let l = try Matrix(identity: n, columns: n, "LU")
        for row in 0..<n { l.row(row).update(from: factors.row(row), count: row) }
        return try l.tensor(as: Scalar.self)
    }

    /// U.
    public func upper() throws(TensorError) -> Tensor<Scalar> {
        let n = factors.rows
        let u = try Matrix(n, n, "LU")
        for row in 0..<n { (u.row(row) + row).update(from: factors.row(row) + row, count: n - row) }
        return try u.tensor(as: Scalar.self)
    }

    /// The determinant: the product of U's diagonal, turned where the order of rows is odd. It may overflow; see
    /// `logDeterminant`.
    public var determinant: Scalar {
        var product = isOdd ? -1.0 : 1.0
        for index in 0..<factors.rows { product *= factors[index, index] }
        return Scalar(rounding: product)
    }

    /// The determinant's sign, 0 for a singular matrix, and the logarithm of its magnitude.
    public var logDeterminant: (sign: Int, logarithm: Double) {
        var (sign, sum) = (isOdd ? -1 : 1, 0.0)
        for index in 0..<factors.rows {
            let pivot = factors[index, index]
            if pivot == 0 { return (0, -.infinity) }
            if pivot < 0 { sign = -sign }
            sum += log(abs(pivot))
        }
        return (sign, sum)
    }

    /// X of A X = B; a vector is one column.
    ///
    /// - Throws: `TensorError` for a singular matrix, or a `b` of other rows.
    public func solve(_ b: Tensor<Scalar>) throws(TensorError) -> Tensor<Scalar> {
        let n = factors.rows
        try check("solve")
        let given = try Matrix(b, "solve")
        guard given.rows == n else {
            throw TensorError(
                "solve", [n, n], b.shape,
                problem: "are incompatible: \(n) equations have \(given.rows) right-hand sides")
        }
        let x = try Matrix(n, given.columns, "solve")
        for row in 0..<n { x.row(row).update(from: given.row(order[row]), count: given.columns) }
        try Triangular.solve(.unitLower, factors.all, x.all, "solve")
        try Triangular.solve(.upper, factors.all, x.all, "solve")
        return try x.tensor(as: Scalar.self, shape: b.shape)
    }

    /// A⁻¹.
    public func inverse() throws(TensorError) -> Tensor<Scalar> {
        let n = factors.rows
        try check("inverse")
        let x = try Matrix(n, n, "inverse")
        for row in 0..<n { x[row, order[row]] = 1 }
        try Triangular.solve(.unitLower, factors.all, x.all, "inverse")
        try Triangular.solve(.upper, factors.all, x.all, "inverse")
        return try x.tensor(as: Scalar.self)
    }

    private func check(_ operation: String) throws(TensorError) {
        guard let column = singularColumn else { return }
        throw TensorError(
            operation, [factors.rows, factors.rows],
            problem: "is singular: column \(column) depends on the columns before it. Use leastSquares or "
                + "pseudoInverse")
    }
}
