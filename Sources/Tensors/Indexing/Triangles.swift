extension Tensor where Scalar: NumericScalar {
    /// The elements on and below a diagonal of the last two axes; zero above.
    ///
    /// - Parameter diagonal: how far above the main one it lies; below it where negative.
    public func lowerTriangle(_ diagonal: Int = 0) throws(TensorError) -> Tensor {
        try triangle("lowerTriangle") { row, columns in
            (0, min(columns, max(0, (row + 1).addingReportingOverflow(diagonal).partialValue)))
        }
    }

    /// The elements on and above a diagonal of the last two axes; zero below.
    ///
    /// - Parameter diagonal: how far above the main one it lies; below it where negative.
    public func upperTriangle(_ diagonal: Int = 0) throws(TensorError) -> Tensor {
        try triangle("upperTriangle") { row, columns in
            (min(columns, max(0, row.addingReportingOverflow(diagonal).partialValue)), columns)
        }
    }

    private func triangle(
        _ name: String, _ kept: (_ row: Int, _ columns: Int) -> (Int, Int)
    ) throws(TensorError) -> Tensor {
        guard rank >= 2 else {
            throw TensorError(
                name, shape,
                problem: "is not a matrix: at least two axes are needed")
        }
        let (rows, columns) = (shape[rank - 2], shape[rank - 1])
        var copy = try copied(for: name)
        try copy.withMutableElements { elements in
            for matrix in stride(from: 0, to: rows * columns == 0 ? 0 : count, by: max(1, rows * columns)) {
                for row in 0..<rows {
                    let (first, end) = kept(row, columns)
                    let start = matrix + row * columns
                    for column in 0..<first { elements[start + column] = Scalar(rounding: .zero) }
                    for column in end..<columns { elements[start + column] = Scalar(rounding: .zero) }
                }
            }
        }
        return copy
    }
}
