/// The eigenvalues of a symmetric matrix, and its eigenvectors: A v = λ v. Only the lower triangle of A is read.
///
/// Reflections make it tridiagonal, sweeps of rotations with Wilkinson's shift make it diagonal. O(n³); each value is
/// within a small multiple of n ε ‖A‖.
///
/// Source: Golub and Van Loan, Matrix Computations, 4th edition, algorithms 8.3.1 and 8.3.2.
public struct SymmetricEigen<Scalar: FloatingAccumulator>: Sendable {
    /// Ascending.
    public let values: Tensor<Scalar>
    /// Column i belongs to value i; columns are orthonormal. `nil` if only values were asked for.
    public let vectors: Tensor<Scalar>?

    /// - Parameter valuesOnly: leaves out the vectors, which take most of the time.
    public init(_ matrix: Tensor<Scalar>, valuesOnly: Bool = false) throws(TensorError) {
        let a = try Matrix(square: matrix, "symmetricEigen")
        var tridiagonal = try Tridiagonal(reducing: a)
        // Row i of it will be vector i, so that rotations pass over contiguous rows.
        let rows = valuesOnly ? nil : try tridiagonal.basisTransposed()
        try tridiagonal.diagonalize(rotating: rows, shape: matrix.shape)
        let order = tridiagonal.diagonal.indices.sorted {
            tridiagonal.diagonal[$0] == tridiagonal.diagonal[$1]
                ? $0 < $1 : tridiagonal.diagonal[$0] < tridiagonal.diagonal[$1]
        }
        values = try Tensor<Double>(order.map { tridiagonal.diagonal[$0] }).converted()
        guard let rows else {
            vectors = nil
            return
        }
        let columns = try Matrix(a.rows, a.rows, "symmetricEigen")
        for (place, index) in order.enumerated() {
            for row in 0..<a.rows { columns[row, place] = rows[index, row] }
        }
        vectors = try columns.tensor(as: Scalar.self)
    }
}

/// A symmetric matrix as Q T Qᵀ, T with three diagonals.
private struct Tridiagonal {
    private(set) var diagonal: [Double] = []
    private(set) var offDiagonal: [Double] = []
    /// Row k holds the vector of reflection k from column k + 1 on.
    private let reflectors: Matrix
    private var factors: [Double] = []

    /// Reflects column after column; the rest is updated by w vᵀ + v wᵀ.
    init(reducing a: Matrix) throws(TensorError) {
        let n = a.rows
        for row in 0..<n { for column in row + 1..<max(n, row + 1) { a[row, column] = a[column, row] } }
        reflectors = try Matrix(n, n, "symmetricEigen")
        let work = try Matrix(1, n, "symmetricEigen")
        let w = work.pointer
        for k in 0..<n {
            diagonal.append(a[k, k])
            guard k + 1 < n else { break }
            let rest = n - k - 1
            let v = reflectors.row(k) + k + 1
            v.update(from: a.row(k) + k + 1, count: rest)
            let (tau, side) = Householder.reflect(v[0], v + 1, rest - 1)
            v[0] = 1
            offDiagonal.append(side)
            factors.append(tau)
            if tau == 0 { continue }
            for row in 0..<rest { w[row] = tau * VectorLoops.dot(a.row(k + 1 + row) + k + 1, v, rest) }
            VectorLoops.add(-tau / 2 * VectorLoops.dot(w, v, rest), v, to: w, rest)
            for row in 0..<rest {
                let target = a.row(k + 1 + row) + k + 1
                let (a, b) = (v[row], w[row])
                for column in 0..<rest { target[column] -= a * w[column] + b * v[column] }
            }
        }
    }

    /// Qᵀ: the product of the reflections, the last one first.
    func basisTransposed() throws(TensorError) -> Matrix {
        let n = diagonal.count
        let q = try Matrix(identity: n, columns: n, "symmetricEigen")
        for k in factors.indices.reversed() where factors[k] != 0 {
            let rest = n - k - 1
            let v = reflectors.row(k) + k + 1
            // Rows before k + 1 are still those of the identity.
            for row in k + 1..<n {
                let x = q.row(row) + k + 1
                VectorLoops.add(-factors[k] * VectorLoops.dot(x, v, rest), v, to: x, rest)
            }
        }
        return q
    }

    /// Sweeps until the side diagonal is negligible.
    mutating func diagonalize(rotating rows: Matrix?, shape: [Int]) throws(TensorError) {
        let n = diagonal.count
        let scale = (diagonal + offDiagonal).reduce(0) { max($0, abs($1)) }
        var high = n - 1
        var sweeps = 0
        var pending = PendingRotations(for: rows)
        while high > 0 {
            for index in 0..<high where isNegligible(index, scale) { offDiagonal[index] = 0 }
            if offDiagonal[high - 1] == 0 {
                high -= 1
                continue
            }
            var low = high - 1
            while low > 0, offDiagonal[low - 1] != 0 { low -= 1 }
            sweeps += 1
            guard sweeps <= 60 * n else {
                throw TensorError("symmetricEigen", shape, problem: "did not converge in \(60 * n) sweeps")
            }
            pending.append(from: low, sweep(low, high))
        }
        pending.apply()
    }

    private func isNegligible(_ index: Int, _ scale: Double) -> Bool {
        let neighbors = abs(diagonal[index]) + abs(diagonal[index + 1])
        return abs(offDiagonal[index]) <= 0x1p-53 * neighbors + 0x1p-62 * scale
    }

    /// One implicit step of the QR algorithm on the block from `low` to `high`.
    private mutating func sweep(_ low: Int, _ high: Int) -> [Rotation] {
        let half = (diagonal[high - 1] - diagonal[high]) / 2
        let side = offDiagonal[high - 1]
        let length = abs(half) > abs(side) ? Householder.hypotenuse(half, side) : Householder.hypotenuse(side, half)
        let shift = diagonal[high] - side * (side / (half + (half < 0 ? -length : length)))
        var (x, z) = (diagonal[low] - shift, offDiagonal[low])
        var rotations: [Rotation] = []
        rotations.reserveCapacity(high - low)
        for k in low..<high {
            let (rotation, r) = Rotation.annihilating(x, z)
            let (c, s) = (rotation.cosine, rotation.sine)
            if k > low { offDiagonal[k - 1] = r }
            let (a, b, d) = (diagonal[k], offDiagonal[k], diagonal[k + 1])
            let w = 2 * c * b + s * (d - a)
            diagonal[k] = a + s * w
            diagonal[k + 1] = d - s * w
            offDiagonal[k] = c * w - b
            if k + 1 < high {
                x = offDiagonal[k]
                z = s * offDiagonal[k + 1]
                offDiagonal[k + 1] *= c
            }
            rotations.append(rotation)
        }
        return rotations
    }
}
