/// A matrix as A = Q R: Q with orthonormal columns, R upper triangular.
///
/// Columns are reflected in blocks of 32; the columns after a block follow by products of matrices. O(m n²).
public struct QRDecomposition<Scalar: FloatingAccumulator>: Sendable {
    /// R above the diagonal.
    private let factors: Matrix
    private let blocks: [ReflectorBlock]

    private var steps: Int { min(factors.rows, factors.columns) }
    private static var blockSize: Int { 32 }

    public init(_ matrix: Tensor<Scalar>) throws(TensorError) {
        try self.init(decomposing: try Matrix(matrix, "QR"))
    }

    /// Decomposes in place.
    init(decomposing a: Matrix) throws(TensorError) {
        var blocks: [ReflectorBlock] = []
        let steps = min(a.rows, a.columns)
        var start = 0
        while start < steps {
            let end = min(steps, start + Self.blockSize)
            let block = try Self.reflectPanel(a, start..<end)
            if end < a.columns {
                try block.apply(to: a.all.block(0..<a.rows, end..<a.columns), transposed: true)
            }
            blocks.append(block)
            start = end
        }
        factors = a
        self.blocks = blocks
    }

    /// Reflects the columns of a panel, one after the other, within the panel alone.
    private static func reflectPanel(_ a: Matrix, _ panel: Range<Int>) throws(TensorError) -> ReflectorBlock {
        let length = a.rows - panel.lowerBound
        let vectors = try Matrix(panel.count, length, "QR")
        let sums = try Matrix(1, panel.count, "QR")
        var taus: [Double] = []
        for column in panel {
            let step = column - panel.lowerBound
            let v = vectors.row(step)
            for row in column..<a.rows { v[row - panel.lowerBound] = a[row, column] }
            let (tau, diagonal) = Householder.reflect(v[step], v + step + 1, a.rows - column - 1)
            v[step] = 1
            taus.append(tau)
            a[column, column] = diagonal
            for row in column + 1..<max(a.rows, column + 1) { a[row, column] = 0 }
            // The columns to the right: w = vᵀ A, then A -= τ v w.
            let right = panel.upperBound - column - 1
            let w = sums.pointer
            w.update(repeating: 0, count: right)
            for row in column..<a.rows {
                VectorLoops.add(v[row - panel.lowerBound], a.row(row) + column + 1, to: w, right)
            }
            for row in column..<a.rows {
                VectorLoops.add(-tau * v[row - panel.lowerBound], w, to: a.row(row) + column + 1, right)
            }
        }
        return try ReflectorBlock(vectors, factors: taus, first: panel.lowerBound)
    }

    /// Q with as many columns as the smaller side of A: [m, min(m, n)].
    public func orthogonal() throws(TensorError) -> Tensor<Scalar> { try orthogonalMatrix().tensor(as: Scalar.self) }

    func orthogonalMatrix() throws(TensorError) -> Matrix {
        let q = try Matrix(identity: factors.rows, columns: steps, "QR")
        for block in blocks.reversed() {
            // Columns before the block's first row are still those of the identity.
            try block.apply(to: q.all.block(0..<q.rows, block.first..<steps), transposed: false)
        }
        return q
    }

    /// R: [min(m, n), n].
    public func upper() throws(TensorError) -> Tensor<Scalar> { try upperMatrix().tensor(as: Scalar.self) }

    func upperMatrix() throws(TensorError) -> Matrix {
        let r = try Matrix(steps, factors.columns, "QR")
        for row in 0..<steps {
            (r.row(row) + row).update(from: factors.row(row) + row, count: factors.columns - row)
        }
        return r
    }

    /// B becomes Qᵀ B, with the whole, square Q.
    func applyTransposed(to b: Matrix) throws(TensorError) {
        for block in blocks { try block.apply(to: b.all, transposed: true) }
    }
}
