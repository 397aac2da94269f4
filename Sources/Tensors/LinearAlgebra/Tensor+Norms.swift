internal import Glibc

/// How large a matrix is.
public enum MatrixNorm: Sendable, CaseIterable {
    /// The root of the sum of all squares.
    case frobenius
    /// The largest singular value.
    case spectral
    /// The sum of the singular values.
    case nuclear
    /// The largest sum of magnitudes in a column.
    case one
    /// The largest sum of magnitudes in a row.
    case infinity
}

extension Tensor where Scalar: FloatingAccumulator {
    /// The norm of a matrix. Sums are made in float64.
    public func norm(_ kind: MatrixNorm = .frobenius) throws(TensorError) -> Scalar {
        guard rank == 2 else {
            throw TensorError(
                "norm", shape,
                problem: "is not a matrix: it has \(rank) axes, not 2")
        }
        let matrix = try Matrix(self, "norm")
        let value: Double =
            switch kind {
            case .frobenius: VectorLoops.norm(matrix.pointer, matrix.rows * matrix.columns)
            case .spectral: try SingularValues(matrix, valuesOnly: true).values.first ?? 0
            case .nuclear: try SingularValues(matrix, valuesOnly: true).values.reduce(0, +)
            case .one: matrix.oneNorm
            case .infinity: try matrix.transposed("norm").oneNorm
            }
        return Scalar(rounding: value)
    }

    /// (Σ |x|ᵖ)^(1/p) of all elements, whatever the axes: p = 2 is the length, infinity the largest magnitude, 0 the
    /// number of elements that are not zero.
    public func vectorNorm(_ order: Double = 2) throws(TensorError) -> Scalar {
        guard order >= 0 else {
            throw TensorError("vectorNorm", shape, problem: "needs an order of at least 0, not \(order)")
        }
        let wide = try converted(to: Double.self)
        let value = try wide.withElements { (elements) throws(TensorError) in
            switch order {
            case 2:
                elements.contains { !$0.isFinite }
                    ? elements.reduce(0) { $0 + $1 * $1 }.squareRoot()
                    : elements.baseAddress.map { VectorLoops.norm($0, elements.count) } ?? 0
            case .infinity: elements.reduce(0) { abs($1) > $0 || $1.isNaN ? abs($1) : $0 }
            case 0: Double(elements.filter { $0 != 0 }.count)
            default: pow(elements.reduce(0) { $0 + pow(abs($1), order) }, 1 / order)
            }
        }
        return Scalar(rounding: value)
    }
}
