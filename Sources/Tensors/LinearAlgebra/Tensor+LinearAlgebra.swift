extension Tensor where Scalar: FloatingAccumulator {
    /// X of A X = B for a square matrix; a vector is one column. Decompose once (`LUDecomposition`) to solve often.
    ///
    /// - Throws: `TensorError` where A is singular.
    public func solve(_ b: Tensor) throws(TensorError) -> Tensor { try LUDecomposition(self).solve(b) }

    /// The determinant, by LU.
    public func determinant() throws(TensorError) -> Scalar { try LUDecomposition(self).determinant }

    /// A⁻¹, by LU.
    ///
    /// - Throws: `TensorError` where A is singular.
    public func inverse() throws(TensorError) -> Tensor { try LUDecomposition(self).inverse() }

    /// L of A = L Lᵀ for a symmetric positive definite matrix.
    public func cholesky() throws(TensorError) -> Tensor { try CholeskyDecomposition(self).lower() }

    /// The singular values in descending order.
    public func singularValues() throws(TensorError) -> Tensor {
        try Tensor<Double>(try doubleSingularValues("singularValues")).converted()
    }

    private func doubleSingularValues(_ operation: String) throws(TensorError) -> [Double] {
        try SingularValues(try Matrix(self, operation), valuesOnly: true).values
    }

    /// A share of the largest singular value that rounding makes out of nothing: max(m, n) ε of the tensor's type.
    private var roundingCutoff: Double { Double(shape.max() ?? 1) * Scalar.ulpOfOne.float64 }

    /// How many singular values are above rounding.
    ///
    /// - Parameter tolerance: a share of the largest; nil takes max(m, n) ε.
    public func matrixRank(tolerance: Double? = nil) throws(TensorError) -> Int {
        let values = try doubleSingularValues("matrixRank")
        let bound = (tolerance ?? roundingCutoff) * (values.first ?? 0)
        return values.filter { $0 > bound }.count
    }

    /// The largest singular value by the smallest; infinite for a singular matrix.
    public func conditionNumber() throws(TensorError) -> Double {
        let values = try doubleSingularValues("conditionNumber")
        guard let largest = values.first, let smallest = values.last, smallest > 0 else { return .infinity }
        return largest / smallest
    }

    /// The Moore-Penrose inverse, by singular values: [n, m] of [m, n].
    ///
    /// - Parameter cutoff: values below this share of the largest count as zero; nil takes max(m, n) ε.
    public func pseudoInverse(cutoff: Double? = nil) throws(TensorError) -> Tensor {
        let svd = try SingularValues(try Matrix(self, "pseudoInverse"), valuesOnly: false)
        return try svd.pseudoInverse(cutoff: cutoff ?? roundingCutoff).tensor(as: Scalar.self)
    }

    /// X that minimizes ‖A X - B‖, with the smallest norm if there are several. A vector is one column.
    ///
    /// Tall matrices of full rank go by QR, others by singular values.
    public func leastSquares(_ b: Tensor) throws(TensorError) -> Tensor {
        let a = try Matrix(self, "leastSquares")
        let right = try Matrix(b, "leastSquares")
        guard a.rows == right.rows else {
            throw TensorError(
                "leastSquares", shape, b.shape,
                problem: "are incompatible: \(a.rows) equations have \(right.rows) right-hand sides")
        }
        let resultShape = b.rank == 1 ? [a.columns] : [a.columns, right.columns]
        if a.rows >= a.columns, a.columns > 0 {
            let qr = try QRDecomposition<Double>(decomposing: try a.copied("leastSquares"))
            let r = try qr.upperMatrix()
            if try r.isWellConditionedTriangle(cutoff: roundingCutoff) {
                try qr.applyTransposed(to: right)
                let top = right.all.block(0..<a.columns, 0..<right.columns)
                try Triangular.solve(.upper, r.all, top, "leastSquares")
                let x = try Matrix(a.columns, right.columns, "leastSquares")
                x.pointer.update(from: right.pointer, count: a.columns * right.columns)
                return try x.tensor(as: Scalar.self, shape: resultShape)
            }
        }
        let inverse = try SingularValues(a, valuesOnly: false).pseudoInverse(cutoff: roundingCutoff)
        let x = try Matrix(inverse.rows, right.columns, "leastSquares")
        try x.all.add(inverse.all.view, right.all.view, "leastSquares")
        withExtendedLifetime((inverse, right)) {}
        return try x.tensor(as: Scalar.self, shape: resultShape)
    }

    /// A multiplied by itself; negative exponents multiply the inverse, 0 gives the identity. O(n³ log exponent).
    public func matrixPower(_ exponent: Int) throws(TensorError) -> Tensor {
        var base = try Matrix(square: self, "matrixPower")
        if exponent < 0 { base = try Matrix(try converted(to: Double.self).inverse(), "matrixPower") }
        var power = try Matrix(identity: base.rows, columns: base.rows, "matrixPower")
        var rest = exponent.magnitude
        while rest > 0 {
            if rest & 1 == 1 { power = try power.times(base) }
            rest >>= 1
            if rest > 0 { base = try base.times(base) }
        }
        return try power.tensor(as: Scalar.self)
    }

    /// The sum of the diagonal.
    public func trace() throws(TensorError) -> Scalar {
        guard rank == 2 else {
            throw TensorError(
                "trace", shape,
                problem: "is not a matrix: it has \(rank) axes, not 2")
        }
        var sum = 0.0
        for index in 0..<Swift.min(shape[0], shape[1]) { sum += base[index * (strides[0] + strides[1])].float64 }
        withExtendedLifetime(self) {}
        return Scalar(rounding: sum)
    }
}

extension Matrix {
    fileprivate func times(_ other: Matrix) throws(TensorError) -> Matrix {
        let product = try Matrix(rows, other.columns, "matrixPower")
        try product.all.add(all.view, other.all.view, "matrixPower")
        return product
    }

    /// Whether an upper triangle can be solved without singular values: by its condition in the 1-norm.
    fileprivate func isWellConditionedTriangle(cutoff: Double) throws(TensorError) -> Bool {
        for index in 0..<rows where self[index, index] == 0 { return false }
        let inverse = try Matrix(identity: rows, columns: rows, "leastSquares")
        try Triangular.solve(.upper, all, inverse.all, "leastSquares")
        let condition = oneNorm * inverse.oneNorm
        return condition.isFinite && condition * cutoff < 1
    }

    /// The largest sum of magnitudes in a column.
    var oneNorm: Double {
        var sums = [Double](repeating: 0, count: columns)
        for row in 0..<rows { for column in 0..<columns { sums[column] += abs(self[row, column]) } }
        return sums.max() ?? 0
    }
}
