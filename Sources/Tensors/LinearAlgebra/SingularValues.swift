/// A matrix as A = U Σ Vᵀ: orthonormal columns, and singular values in descending order.
///
/// A tall matrix is first decomposed as Q R; a wide one is turned. Reflections make it bidiagonal, sweeps of rotations
/// diagonal. O(m n²); each value is within a small multiple of n ε σ₁.
public struct SingularValueDecomposition<Scalar: FloatingAccumulator>: Sendable {
    /// [m, k], k = min(m, n).
    public let left: Tensor<Scalar>
    /// [k], descending.
    public let values: Tensor<Scalar>
    /// Vᵀ: [k, n].
    public let rightTransposed: Tensor<Scalar>

    public init(_ matrix: Tensor<Scalar>) throws(TensorError) {
        let svd = try SingularValues(try Matrix(matrix, "svd"), valuesOnly: false)
        values = try Tensor<Double>(svd.values).converted()
        left = try svd.leftTransposed.transposed("svd").tensor(as: Scalar.self)
        rightTransposed = try svd.rightTransposed.tensor(as: Scalar.self)
    }
}

/// The same in float64, with the vectors as rows.
struct SingularValues {
    let values: [Double]
    /// Uᵀ: [k, m]; nothing where only values were asked for.
    let leftTransposed: Matrix
    /// Vᵀ: [k, n].
    let rightTransposed: Matrix

    /// - Parameter matrix: is used as memory.
    init(_ matrix: Matrix, valuesOnly: Bool) throws(TensorError) {
        let shape = [matrix.rows, matrix.columns]
        let isWide = matrix.rows < matrix.columns
        let tall = isWide ? try matrix.transposed("svd") : matrix
        // Much taller than wide: the reflections of QR, in blocks, cost less than those of the reduction.
        let qr = 5 * tall.columns < 3 * tall.rows ? try QRDecomposition<Double>(decomposing: tall) : nil
        var bidiagonal = try Bidiagonal(reducing: try qr?.upperMatrix() ?? tall)
        guard !valuesOnly else {
            try bidiagonal.diagonalize(left: nil, right: nil, shape: shape)
            values = bidiagonal.diagonal.sorted(by: >)
            leftTransposed = try Matrix(0, 0, "svd")
            rightTransposed = leftTransposed
            return
        }
        let u = try bidiagonal.leftTransposed()
        let v = try bidiagonal.rightTransposed()
        try bidiagonal.diagonalize(left: u, right: v, shape: shape)
        let diagonal = bidiagonal.diagonal
        let order = diagonal.indices.sorted { diagonal[$0] == diagonal[$1] ? $0 < $1 : diagonal[$0] > diagonal[$1] }
        var left = try Self.rows(u, order)
        let right = try Self.rows(v, order)
        if let qr {
            // A = Q R = (Q U) Σ Vᵀ, so that the rows are Uᵀ Qᵀ.
            let q = try qr.orthogonalMatrix()
            let product = try Matrix(left.rows, q.rows, "svd")
            try product.all.add(left.all.view, q.all.transposed, "svd")
            withExtendedLifetime(q) {}
            left = product
        }
        values = order.map { diagonal[$0] }
        (leftTransposed, rightTransposed) = isWide ? (right, left) : (left, right)
    }

    private static func rows(_ matrix: Matrix, _ order: [Int]) throws(TensorError) -> Matrix {
        let result = try Matrix(order.count, matrix.columns, "svd")
        for (place, index) in order.enumerated() {
            result.row(place).update(from: matrix.row(index), count: matrix.columns)
        }
        return result
    }

    /// V diag(1/σ) Uᵀ of the values above `cutoff` σ₁: the pseudo-inverse, [n, m].
    func pseudoInverse(cutoff: Double) throws(TensorError) -> Matrix {
        let bound = cutoff * (values.first ?? 0)
        let scaled = try rightTransposed.copied("pseudoInverse")
        for (index, value) in values.enumerated() {
            VectorLoops.scale(scaled.row(index), by: value > bound ? 1 / value : 0, scaled.columns)
        }
        let result = try Matrix(rightTransposed.columns, leftTransposed.columns, "pseudoInverse")
        try result.all.add(scaled.all.transposed, leftTransposed.all.view, "pseudoInverse")
        withExtendedLifetime(scaled) {}
        return result
    }
}
