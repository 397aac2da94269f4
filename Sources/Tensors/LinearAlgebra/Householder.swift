/// Reflections I - τ v vᵀ with v₀ = 1, which turn a vector into a multiple of the first unit vector.
///
/// Source: Golub and Van Loan, Matrix Computations, 4th edition, section 5.1.
enum Householder {
    /// Makes the reflection of x = (first, rest): `rest` becomes the rest of v.
    ///
    /// - Returns: τ, 0 if x is a multiple already, and what the first element becomes.
    static func reflect(
        _ first: Double, _ rest: UnsafeMutablePointer<Double>, _ count: Int
    ) -> (factor: Double, first: Double) {
        let tail = VectorLoops.norm(rest, count)
        guard tail > 0 else { return (0, first) }
        // The sign that adds: no digits cancel.
        let length = tail > abs(first) ? hypotenuse(tail, first) : hypotenuse(first, tail)
        let result = first < 0 ? length : -length
        let pivot = first - result
        for index in 0..<count { rest[index] /= pivot }
        return (-pivot / result, result)
    }

    /// √(a² + b²) for |a| >= |b|, a ≠ 0.
    @inline(__always)
    static func hypotenuse(_ a: Double, _ b: Double) -> Double {
        let ratio = b / a
        return abs(a) * (1 + ratio * ratio).squareRoot()
    }
}

/// A product of reflections, H₀ H₁ ... Hₖ₋₁ = I - V T Vᵀ with T upper triangular, so that it can be applied by products
/// of matrices.
///
/// Source: Schreiber and Van Loan, "A storage-efficient WY representation for products of Householder transformations",
/// SIAM J. Sci. Stat. Comput. 10(1), 1989.
struct ReflectorBlock: Sendable {
    /// Row i holds vᵢ, so that vectors are contiguous: [k, rows].
    private let vectors: Matrix
    private let triangle: Matrix
    /// The first row of the matrix that the reflections touch.
    let first: Int

    /// - Parameter vectors: row i is zero before column i, where it is one.
    init(_ vectors: Matrix, factors: [Double], first: Int) throws(TensorError) {
        self.vectors = vectors
        self.first = first
        let k = vectors.rows
        triangle = try Matrix(k, k, "QR")
        for j in 0..<k {
            triangle[j, j] = factors[j]
            // The column above: -τ T (Vᵀ v).
            let products = (0..<j).map { VectorLoops.dot(vectors.row($0), vectors.row(j), vectors.columns) }
            for i in 0..<j {
                var sum = 0.0
                for l in i..<j { sum += triangle[i, l] * products[l] }
                triangle[i, j] = -factors[j] * sum
            }
        }
    }

    /// C becomes H C, or Hᵀ C, on the rows from `first` on.
    func apply(to c: MatrixBlock, transposed: Bool) throws(TensorError) {
        let k = vectors.rows
        let rows = c.block(first..<c.rows, 0..<c.columns)
        let products = try Matrix(k, c.columns, "QR")
        try products.all.add(vectors.all.view, rows.view, "QR")
        let scaled = try Matrix(k, c.columns, "QR")
        let t = triangle.all
        try scaled.all.add(transposed ? t.transposed : t.view, products.all.view, "QR")
        try rows.subtract(transposing: vectors.all, scaled.all.view, "QR")
        withExtendedLifetime((products, scaled)) {}
    }
}
