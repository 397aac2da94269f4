import Kernels

/// The weights of a matrix, row after row.
func rows(of matrix: WeightMatrix) -> [Float] {
    var values = [Float](repeating: .nan, count: matrix.rows * matrix.columns)
    values.withUnsafeMutableBufferPointer { values in
        for row in 0..<matrix.rows { matrix.decode(row: row, into: values.baseAddress! + row * matrix.columns) }
    }
    return values
}
