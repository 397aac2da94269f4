/// Systems with triangular matrices, halved until they are small: nearly all work is products of matrices.
///
/// Source: Elmroth, Gustavson, Jonsson, Kågström, "Recursive blocked algorithms and hybrid data structures for dense
/// matrix library software", SIAM Review 46(1), 2004.
enum Triangular {
    /// Small enough for plain loops.
    private static let leaf = 32

    /// Which triangle of the matrix is meant, and what its diagonal is.
    enum Kind {
        /// Below the diagonal, which is taken as ones.
        case unitLower
        case lower
        case upper
        /// The transpose of the lower triangle: an upper one.
        case lowerTransposed
    }

    /// Replaces the rows of `b` by the solution X of T X = B.
    static func solve(
        _ kind: Kind, _ t: MatrixBlock, _ b: MatrixBlock, _ operation: String
    ) throws(TensorError) {
        let n = t.rows
        guard n > leaf else {
            solveLeaf(kind, t, b)
            return
        }
        let half = n / 2
        let (t1, t2) = (t.block(0..<half, 0..<half), t.block(half..<n, half..<n))
        let (b1, b2) = (b.block(0..<half, 0..<b.columns), b.block(half..<n, 0..<b.columns))
        switch kind {
        case .unitLower, .lower:
            try solve(kind, t1, b1, operation)
            try b2.subtract(t.block(half..<n, 0..<half), b1.view, operation)
            try solve(kind, t2, b2, operation)
        case .upper:
            try solve(kind, t2, b2, operation)
            try b1.subtract(t.block(0..<half, half..<n), b2.view, operation)
            try solve(kind, t1, b1, operation)
        case .lowerTransposed:
            try solve(kind, t2, b2, operation)
            try b1.subtract(transposing: t.block(half..<n, 0..<half), b2.view, operation)
            try solve(kind, t1, b1, operation)
        }
    }

    private static func solveLeaf(_ kind: Kind, _ t: MatrixBlock, _ b: MatrixBlock) {
        let n = t.rows
        switch kind {
        case .unitLower, .lower:
            for row in 0..<n {
                for known in 0..<row {
                    VectorLoops.add(-t.row(row)[known], b.row(known), to: b.row(row), b.columns)
                }
                if kind == .lower { divide(b.row(row), by: t.row(row)[row], b.columns) }
            }
        case .upper, .lowerTransposed:
            for row in (0..<n).reversed() {
                for known in row + 1..<n {
                    let factor = kind == .upper ? t.row(row)[known] : t.row(known)[row]
                    VectorLoops.add(-factor, b.row(known), to: b.row(row), b.columns)
                }
                divide(b.row(row), by: t.row(row)[row], b.columns)
            }
        }
    }

    private static func divide(_ x: UnsafeMutablePointer<Double>, by divisor: Double, _ count: Int) {
        for index in 0..<count { x[index] /= divisor }
    }

    /// Replaces B by the solution X of X Lᵀ = B.
    static func solveRight(
        lowerTransposed l: MatrixBlock, _ b: MatrixBlock, _ operation: String
    ) throws(TensorError) {
        let n = l.rows
        guard n > leaf else {
            for row in 0..<b.rows {
                let x = b.row(row)
                for column in 0..<n {
                    x[column] = (x[column] - VectorLoops.dot(x, l.row(column), column)) / l.row(column)[column]
                }
            }
            return
        }
        let half = n / 2
        let (b1, b2) = (b.block(0..<b.rows, 0..<half), b.block(0..<b.rows, half..<n))
        try solveRight(lowerTransposed: l.block(0..<half, 0..<half), b1, operation)
        try b2.subtract(b1, l.block(half..<n, 0..<half).transposed, operation)
        try solveRight(lowerTransposed: l.block(half..<n, half..<n), b2, operation)
    }
}
