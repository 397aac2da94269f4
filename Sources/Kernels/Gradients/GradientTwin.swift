/// The passes of training one number at a time, as the formulas say them: what every kernel is compared with, and what
/// float64 is computed by.
///
/// Matrices are `[rows, columns]` without gaps. Sums are in float64, whatever the elements are.
package enum GradientTwin {
    /// y += bias on every row.
    package static func addBias<T: BinaryFloatingPoint>(
        _ bias: UnsafePointer<T>, to y: UnsafeMutablePointer<T>, rows: Int, columns: Int
    ) {
        for row in 0..<rows {
            for j in 0..<columns { y[row * columns + j] += bias[j] }
        }
    }

    /// The sum of each column.
    package static func columnSums<T: BinaryFloatingPoint>(
        _ x: UnsafePointer<T>, into sums: UnsafeMutablePointer<T>, rows: Int, columns: Int
    ) {
        for j in 0..<columns {
            var sum = 0.0
            for row in 0..<rows { sum += Double(x[row * columns + j]) }
            sums[j] = T(sum)
        }
    }

    /// Adds each row of `gradient` to the row of `table` that its index names.
    package static func scatterAdd<T: BinaryFloatingPoint>(
        _ gradient: UnsafePointer<T>, indices: UnsafePointer<Int32>, count: Int,
        into table: UnsafeMutablePointer<T>, width: Int
    ) {
        for i in 0..<count {
            for j in 0..<width { table[Int(indices[i]) * width + j] += gradient[i * width + j] }
        }
    }
}
