/// Products of integers: added in 64 bits, so that only the result wraps around.
enum IntegerProduct {
    /// Columns whose sums are kept at hand.
    private static let width = 256

    static func multiply<S: NumericScalar>(
        _ a: UnsafePointer<S>, _ aStrides: (row: Int, column: Int), _ b: UnsafePointer<S>,
        _ bStrides: (row: Int, column: Int), into c: UnsafeMutablePointer<S>, _ rows: Int, _ inner: Int, _ columns: Int
    ) {
        withUnsafeTemporaryAllocation(of: S.Accumulator.self, capacity: width) { sums in
            for row in 0..<rows {
                for first in stride(from: 0, to: columns, by: width) {
                    block(
                        a + row * aStrides.row, aStrides.column, b + first * bStrides.column, bStrides,
                        into: c + row * columns + first, inner, min(width, columns - first), sums.baseAddress!)
                }
            }
        }
    }

    /// A part of one row of the result.
    @specialized(where S == Int8)
    @specialized(where S == Int32)
    private static func block<S: NumericScalar>(
        _ a: UnsafePointer<S>, _ aStride: Int, _ b: UnsafePointer<S>, _ bStrides: (row: Int, column: Int),
        into c: UnsafeMutablePointer<S>, _ inner: Int, _ columns: Int, _ sums: UnsafeMutablePointer<S.Accumulator>
    ) {
        for j in 0..<columns { sums[j] = .zero }
        for k in 0..<inner {
            let left = a[k * aStride].accumulator
            let right = b + k * bStrides.row
            for j in 0..<columns {
                sums[j] = sums[j].adding(left.multiplied(by: right[j * bStrides.column].accumulator))
            }
        }
        for j in 0..<columns { c[j] = S(rounding: sums[j]) }
    }
}
