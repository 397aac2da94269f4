/// How two measures go together, in [-1, 1]; nil where one of them is constant or there are fewer than two.
public enum Correlation {
    /// The covariance in units of both standard deviations.
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
        let below = xx.squareRoot() * yy.squareRoot()
        return below > 0 ? min(1, max(-1, xy / below)) : nil
    }

    /// Pearson's coefficient of the ranks; equal values share the mean of theirs.
    ///
    /// Source: Spearman, American Journal of Psychology 15 (1904).
    public static func spearman(_ x: [Double], _ y: [Double]) -> Double? {
        let n = min(x.count, y.count)
        return pearson(averageRanks(Array(x.prefix(n))), averageRanks(Array(y.prefix(n))))
    }

    /// Kendall's tau-b: (concordant - discordant) / sqrt((pairs - ties in x) (pairs - ties in y)). O(n log n).
    ///
    /// Source: Kendall, Biometrika 33 (1945); counted by sorting: Knight, JASA 61 (1966).
    public static func kendall(_ x: [Double], _ y: [Double]) -> Double? {
        let n = min(x.count, y.count)
        guard n > 1 else { return nil }
        let order = (0..<n).sorted { (x[$0], y[$0]) < (x[$1], y[$1]) }
        let tiesX = tiedPairs(order) { x[$0] == x[$1] }
        let tiesBoth = tiedPairs(order) { x[$0] == x[$1] && y[$0] == y[$1] }
        var sorted = order.map { y[$0] }
        var room = sorted
        let discordant = sorted.withUnsafeMutableBufferPointer { values in
            room.withUnsafeMutableBufferPointer { swaps(values, $0) }
        }
        let tiesY = tiedPairs(Array(sorted.indices)) { sorted[$0] == sorted[$1] }
        let pairs = n * (n - 1) / 2
        let below = Double(pairs - tiesX).squareRoot() * Double(pairs - tiesY).squareRoot()
        guard below > 0 else { return nil }
        return Double(pairs - tiesX - tiesY + tiesBoth - 2 * discordant) / below
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

    /// Sorts by merging and counts how often a larger value stood before a smaller one.
    private static func swaps(
        _ values: UnsafeMutableBufferPointer<Double>, _ room: UnsafeMutableBufferPointer<Double>
    ) -> Int {
        var count = 0
        var width = 1
        while width < values.count {
            for start in stride(from: 0, to: values.count, by: 2 * width) {
                let (middle, end) = (min(start + width, values.count), min(start + 2 * width, values.count))
                var (left, right) = (start, middle)
                for place in start..<end {
                    if left < middle, right >= end || values[left] <= values[right] {
                        room[place] = values[left]
                        left += 1
                    } else {
                        room[place] = values[right]
                        right += 1
                        count += middle - left
                    }
                }
            }
            for place in values.indices { values[place] = room[place] }
            width *= 2
        }
        return count
    }
}
