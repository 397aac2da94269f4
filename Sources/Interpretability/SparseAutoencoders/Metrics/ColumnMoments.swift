/// Means and sums of squared deviations of columns, batch after batch, without the cancellation of sums of squares.
///
/// - Source: Chan, Golub, LeVeque, "Updating formulae and a pairwise algorithm for computing sample variances", 1979.
struct ColumnMoments: Sendable {
    private(set) var count = 0
    private(set) var means: [Double]
    /// Σ (x − mean)² of each column.
    private(set) var squares: [Double]

    init(width: Int) {
        means = [Double](repeating: 0, count: width)
        squares = means
    }

    /// Σ over columns of Σ (x − mean)².
    var total: Double { squares.reduce(0, +) }

    /// Adds rows of x, or of x − y where y is given.
    mutating func add(_ x: UnsafePointer<Float>, minus y: UnsafePointer<Float>? = nil, rows: Int) {
        guard rows > 0 else { return }
        let width = means.count
        let all = Double(count + rows)
        withUnsafeTemporaryAllocation(of: Double.self, capacity: 2 * width) { memory in
            let (mean, square) = (memory.baseAddress!, memory.baseAddress! + width)
            mean.update(repeating: 0, count: 2 * width)
            for row in 0..<rows {
                for i in 0..<width { mean[i] += Self.value(x, y, row * width + i) }
            }
            for i in 0..<width { mean[i] /= Double(rows) }
            for row in 0..<rows {
                for i in 0..<width {
                    let deviation = Self.value(x, y, row * width + i) - mean[i]
                    square[i] += deviation * deviation
                }
            }
            for i in 0..<width {
                let step = mean[i] - means[i]
                means[i] += step * Double(rows) / all
                squares[i] += square[i] + step * step * Double(count) * Double(rows) / all
            }
        }
        count += rows
    }

    @inline(__always)
    private static func value(_ x: UnsafePointer<Float>, _ y: UnsafePointer<Float>?, _ i: Int) -> Double {
        y.map { Double(x[i]) - Double($0[i]) } ?? Double(x[i])
    }
}
