/// Correlation coefficients of two measures, in [-1, 1].
///
/// Every coefficient is `nil` if a measure is constant or has fewer than two values.
public enum Correlation {
    /// Returns Pearson's coefficient: the covariance divided by both standard deviations.
    public static func pearson(_ x: [Double], _ y: [Double]) -> Double? {
        let n = min(x.count, y.count)
        guard n > 1 else { return nil }
        let meanX = x.prefix(n).reduce(0, +) / Double(n)
        let meanY = y.prefix(n).reduce(0, +) / Double(n)
        var (xx, yy, xy) = (0.0, 0.0, 0.0)
        for place in 0..<n {
            let (u, v) = (x[place] - meanX, y[place] - meanY)
            xx += u * u
            yy += v * v
            xy += u * v
        }
        let denominator = xx.squareRoot() * yy.squareRoot()
        return denominator > 0 ? min(1, max(-1, xy / denominator)) : nil
    }

    /// Returns Spearman's coefficient: Pearson's coefficient of the ranks, where equal values get their mean rank.
    ///
    /// Source: Spearman, American Journal of Psychology 15 (1904).
    public static func spearman(_ x: [Double], _ y: [Double]) -> Double? {
        let n = min(x.count, y.count)
        return pearson(averageRanks(Array(x.prefix(n))), averageRanks(Array(y.prefix(n))))
    }

    /// Returns Kendall's tau-b: (concordant - discordant) / sqrt((pairs - ties in x) (pairs - ties in y)).
    ///
    /// - Complexity: O(n log n).
    /// - Source: Kendall, Biometrika 33 (1945); counting by sorting: Knight, JASA 61 (1966).
    public static func kendall(_ x: [Double], _ y: [Double]) -> Double? {
        let n = min(x.count, y.count)
        guard n > 1 else { return nil }
        let order = (0..<n).sorted { (x[$0], y[$0]) < (x[$1], y[$1]) }
        let tiesX = tiedPairs(order) { x[$0] == x[$1] }
        let tiesBoth = tiedPairs(order) { x[$0] == x[$1] && y[$0] == y[$1] }
        var sorted = order.map { y[$0] }
        var scratch = sorted
        let discordant = sorted.withUnsafeMutableBufferPointer { values in
            scratch.withUnsafeMutableBufferPointer { inversions(values, $0) }
        }
        let tiesY = tiedPairs(Array(sorted.indices)) { sorted[$0] == sorted[$1] }
        let pairs = n * (n - 1) / 2
        let denominator = Double(pairs - tiesX).squareRoot() * Double(pairs - tiesY).squareRoot()
        guard denominator > 0 else { return nil }
        return Double(pairs - tiesX - tiesY + tiesBoth - 2 * discordant) / denominator
    }

    private static func tiedPairs(_ order: [Int], _ equal: (Int, Int) -> Bool) -> Int {
        var (ties, run) = (0, 1)
        for place in 1..<max(order.count, 1) {
            if equal(order[place - 1], order[place]) {
                ties += run
                run += 1
            } else {
                run = 1
            }
        }
        return ties
    }

    /// Merge-sorts the values and returns the number of inversions.
    private static func inversions(
        _ values: UnsafeMutableBufferPointer<Double>, _ scratch: UnsafeMutableBufferPointer<Double>
    ) -> Int {
        var count = 0
        var width = 1
        while width < values.count {
            for start in stride(from: 0, to: values.count, by: 2 * width) {
                let (middle, end) = (min(start + width, values.count), min(start + 2 * width, values.count))
                var (left, right) = (start, middle)
                for place in start..<end {
                    if left < middle, right >= end || values[left] <= values[right] {
                        scratch[place] = values[left]
                        left += 1
                    } else {
                        scratch[place] = values[right]
                        right += 1
                        count += middle - left
                    }
                }
            }
            for place in values.indices { values[place] = scratch[place] }
            width *= 2
        }
        return count
    }
}
