/// The point whose distances to rows have the smallest sum.
package enum GeometricMedian {
    /// `[d]`, of rows `[rows, d]`; at most 100 rounds of O(rows · d).
    ///
    /// - Source: Weiszfeld, "Sur le point pour lequel la somme des distances de n points donnés est minimum", 1937.
    package static func of(_ rows: UnsafeBufferPointer<Float>, width: Int) -> [Float] {
        let count = width > 0 ? rows.count / width : 0
        guard count > 0, let base = rows.baseAddress else { return [Float](repeating: 0, count: width) }
        var median = [Double](repeating: 0, count: width)
        for row in 0..<count {
            for i in 0..<width { median[i] += Double(base[row * width + i]) / Double(count) }
        }
        for _ in 0..<100 {
            var (sum, total) = ([Double](repeating: 0, count: width), 0.0)
            for row in 0..<count {
                let x = base + row * width
                var squares = 0.0
                for i in 0..<width {
                    let difference = Double(x[i]) - median[i]
                    squares += difference * difference
                }
                // A row that is the median itself has no direction to pull in.
                guard squares > 1e-20 else { continue }
                let weight = 1 / squares.squareRoot()
                total += weight
                for i in 0..<width { sum[i] += weight * Double(x[i]) }
            }
            guard total > 0 else { break }
            var moved = 0.0
            for i in 0..<width {
                let next = sum[i] / total
                moved += (next - median[i]) * (next - median[i])
                median[i] = next
            }
            if moved < 1e-12 { break }
        }
        return median.map { Float($0) }
    }
}
