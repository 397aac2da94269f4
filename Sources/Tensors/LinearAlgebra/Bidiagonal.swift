/// A matrix of at least as many rows as columns as U B Vᵀ, B with a diagonal and one side diagonal above it.
///
/// Source: Golub and Kahan, "Calculating the singular values and pseudo-inverse of a matrix", SIAM J. Numer. Anal. B
/// 2(2), 1965. The sweeps are those of Demmel and Kahan, "Accurate singular values of bidiagonal matrices", SIAM J. Sci.
/// Stat. Comput. 11(5), 1990: where a shift would drown what is small, they do without.
struct Bidiagonal {
    private(set) var diagonal: [Double] = []
    private(set) var sideDiagonal: [Double] = []
    /// Row k holds the vector of the k-th reflection from the left, [n, m], and from the right, [n, n].
    private let left: Matrix
    private let right: Matrix
    private var leftFactors: [Double] = []
    private var rightFactors: [Double] = []

    init(reducing a: Matrix) throws(TensorError) {
        let (m, n) = (a.rows, a.columns)
        left = try Matrix(n, m, "svd")
        right = try Matrix(n, n, "svd")
        let work = try Matrix(1, n, "svd")
        let w = work.pointer
        for k in 0..<n {
            let v = left.row(k)
            for row in k..<m { v[row] = a[row, k] }
            let (tau, first) = Householder.reflect(v[k], v + k + 1, m - k - 1)
            v[k] = 1
            diagonal.append(first)
            leftFactors.append(tau)
            guard k + 1 < n else { break }
            let rest = n - k - 1
            w.update(repeating: 0, count: rest)
            for row in k..<m { VectorLoops.add(v[row], a.row(row) + k + 1, to: w, rest) }
            for row in k..<m { VectorLoops.add(-tau * v[row], w, to: a.row(row) + k + 1, rest) }
            let u = right.row(k) + k + 1
            u.update(from: a.row(k) + k + 1, count: rest)
            let (factor, side) = Householder.reflect(u[0], u + 1, rest - 1)
            u[0] = 1
            sideDiagonal.append(side)
            rightFactors.append(factor)
            if factor == 0 { continue }
            for row in k + 1..<max(m, k + 1) {
                let x = a.row(row) + k + 1
                VectorLoops.add(-factor * VectorLoops.dot(x, u, rest), u, to: x, rest)
            }
        }
    }

    /// Uᵀ, the first n rows of it: [n, m].
    func leftTransposed() throws(TensorError) -> Matrix {
        try Self.product(left, leftFactors, shift: 0)
    }

    /// Vᵀ: [n, n].
    func rightTransposed() throws(TensorError) -> Matrix {
        try Self.product(right, rightFactors, shift: 1)
    }

    /// The transposed product of reflections, the first rows of it.
    private static func product(_ vectors: Matrix, _ factors: [Double], shift: Int) throws(TensorError) -> Matrix {
        let q = try Matrix(identity: vectors.rows, columns: vectors.columns, "svd")
        for k in factors.indices.reversed() where factors[k] != 0 {
            let start = k + shift
            let v = vectors.row(k) + start
            let rest = vectors.columns - start
            for row in start..<vectors.rows {
                let x = q.row(row) + start
                VectorLoops.add(-factors[k] * VectorLoops.dot(x, v, rest), v, to: x, rest)
            }
        }
        return q
    }

    /// Sweeps until the side diagonal is negligible, and turns what became negative.
    mutating func diagonalize(left u: Matrix?, right v: Matrix?, shape: [Int]) throws(TensorError) {
        let n = diagonal.count
        let scale = (diagonal + sideDiagonal).reduce(0) { max($0, abs($1)) }
        var high = n - 1
        var sweeps = 0
        var (pendingLeft, pendingRight) = (PendingRotations(for: u), PendingRotations(for: v))
        while high > 0 {
            for index in 0..<high where isNegligible(index, scale) { sideDiagonal[index] = 0 }
            if sideDiagonal[high - 1] == 0 {
                high -= 1
                continue
            }
            var low = high - 1
            while low > 0, sideDiagonal[low - 1] != 0 { low -= 1 }
            sweeps += 1
            guard sweeps <= 60 * n else {
                throw TensorError("svd", shape, problem: "did not converge in \(60 * n) sweeps")
            }
            let shift = shift(low, high)
            let (leftRotations, rightRotations) = shift == 0 ? sweepWithoutShift(low, high) : sweep(low, high, shift)
            pendingLeft.append(from: low, leftRotations)
            pendingRight.append(from: low, rightRotations)
        }
        pendingLeft.apply()
        pendingRight.apply()
        for index in 0..<n where diagonal[index] < 0 {
            diagonal[index] = -diagonal[index]
            if let v { VectorLoops.scale(v.row(index), by: -1, v.columns) }
        }
    }

    private func isNegligible(_ index: Int, _ scale: Double) -> Bool {
        let neighbors = abs(diagonal[index]) + abs(diagonal[index + 1])
        return abs(sideDiagonal[index]) <= 0x1p-53 * neighbors + 0x1p-62 * scale
    }

    /// The smaller singular value of the last two columns; 0 if it is too small next to the first element to matter.
    private func shift(_ low: Int, _ high: Int) -> Double {
        if diagonal[low...high].contains(0) { return 0 }
        let (f, g, h) = (abs(diagonal[high - 1]), abs(sideDiagonal[high - 1]), abs(diagonal[high]))
        let scale = max(f, g, h)
        let (a, b, c) = (f / scale, g / scale, h / scale)
        // The values' product is a c, the sum of their squares a² + b² + c².
        let sum = (((a + c) * (a + c) + b * b).squareRoot() + ((a - c) * (a - c) + b * b).squareRoot()) / 2
        let smaller = a * (c / sum) * scale
        let ratio = smaller / diagonal[low]
        return ratio * ratio < 0x1p-52 ? 0 : smaller
    }

    private mutating func sweep(_ low: Int, _ high: Int, _ shift: Double) -> ([Rotation], [Rotation]) {
        var (left, right): ([Rotation], [Rotation]) = ([], [])
        let first = diagonal[low]
        var f = (abs(first) - shift) * ((first < 0 ? -1 : 1) + shift / first)
        var g = sideDiagonal[low]
        for i in low..<high {
            let (r, length) = Rotation.annihilating(f, g)
            if i > low { sideDiagonal[i - 1] = length }
            let (d, e) = (diagonal[i], sideDiagonal[i])
            f = r.cosine * d + r.sine * e
            sideDiagonal[i] = r.cosine * e - r.sine * d
            g = r.sine * diagonal[i + 1]
            diagonal[i + 1] *= r.cosine
            let (l, pivot) = Rotation.annihilating(f, g)
            diagonal[i] = pivot
            let (side, next) = (sideDiagonal[i], diagonal[i + 1])
            f = l.cosine * side + l.sine * next
            diagonal[i + 1] = l.cosine * next - l.sine * side
            if i + 1 < high {
                g = l.sine * sideDiagonal[i + 1]
                sideDiagonal[i + 1] *= l.cosine
            }
            right.append(r)
            left.append(l)
        }
        sideDiagonal[high - 1] = f
        return (left, right)
    }

    private mutating func sweepWithoutShift(_ low: Int, _ high: Int) -> ([Rotation], [Rotation]) {
        var (left, right): ([Rotation], [Rotation]) = ([], [])
        var (r, l) = (Rotation(cosine: 1, sine: 0), Rotation(cosine: 1, sine: 0))
        for i in low..<high {
            let length: Double
            (r, length) = Rotation.annihilating(diagonal[i] * r.cosine, sideDiagonal[i])
            if i > low { sideDiagonal[i - 1] = l.sine * length }
            (l, diagonal[i]) = Rotation.annihilating(l.cosine * length, diagonal[i + 1] * r.sine)
            right.append(r)
            left.append(l)
        }
        let last = diagonal[high] * r.cosine
        diagonal[high] = last * l.cosine
        sideDiagonal[high - 1] = last * l.sine
        return (left, right)
    }
}
