public import System
public import Tensors

/// Eigenvalues, the largest magnitudes first.
public struct Spectrum: Hashable, Sendable {
    public let real: [Double]
    public let imaginary: [Double]

    public init(real: [Double], imaginary: [Double]) {
        self.real = real
        self.imaginary = imaginary
    }

    public var magnitudes: [Double] {
        zip(real, imaginary).map { ($0 * $0 + $1 * $1).squareRoot() }
    }

    /// Σ Re λ / Σ |λ|, in [-1, 1]: near 1 for a circuit that raises what it is given, near -1 for one that lowers it.
    ///
    /// - Source: Elhage et al., "A mathematical framework for transformer circuits", 2021, "detecting copying behavior".
    public var copyingScore: Double {
        let total = magnitudes.reduce(0, +)
        return total == 0 ? 0 : real.reduce(0, +) / total
    }
}

extension FactoredMatrix {
    /// The r eigenvalues of A B that may differ from 0: those of B A, `[r, r]`.
    ///
    /// - Throws: An error if A B is not square, or not finite.
    public func eigenvalues() throws(Problem) -> Spectrum {
        guard rows == columns else {
            throw Problem(.missing, "factored matrix", "\(rows) by \(columns) is not square, so it has no eigenvalues")
        }
        return try telling {
            let values = try GeneralEigenvalues(try matmul(right, left))
            return Spectrum(
                real: values.real.elements.map(\.float64), imaginary: values.imaginary.elements.map(\.float64))
        }
    }

    /// The min(m, r, n) largest singular values, descending; the others are 0.
    public func singularValues() throws(Problem) -> Tensor<Scalar> {
        try telling { try core().singularValues() }
    }

    /// U `[m, k]`, the singular values `[k]` and Vᵀ `[k, n]`, through the factors: O((m + n) r²).
    public func singularVectors() throws(Problem) -> (
        left: Tensor<Scalar>, values: Tensor<Scalar>, rightTransposed: Tensor<Scalar>
    ) {
        try telling {
            let (a, b) = (try QRDecomposition(left), try QRDecomposition(right.transposed()))
            let svd = try SingularValueDecomposition(try matmul(a.upper(), b.upper().transposed()))
            return (
                try matmul(a.orthogonal(), svd.left), svd.values,
                try matmul(svd.rightTransposed, b.orthogonal().transposed())
            )
        }
    }

    /// The Frobenius norm: √Σ σ².
    public func norm() throws(Problem) -> Double {
        try telling { try core().norm(.frobenius).float64 }
    }

    /// Σ of the diagonal of A B, which is that of B A.
    public func trace() throws(Problem) -> Double {
        try telling { try matmul(right, left).trace().float64 }
    }

    /// R_A R_Bᵀ of A = Q_A R_A and Bᵀ = Q_B R_B: a small matrix with the singular values of A B.
    private func core() throws -> Tensor<Scalar> {
        try matmul(QRDecomposition(left).upper(), QRDecomposition(right.transposed()).upper().transposed())
    }
}
