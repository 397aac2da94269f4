internal import Glibc

/// The difference of two shares of the same samples, B - A, by the score: test and interval are one procedure, so that the
/// interval leaves 0 out exactly where p is below 1 - level.
///
/// T(d) = (b - c - n d) / sqrt(n (2 q + d (1 - d))), for b fixed and c broken of n samples, with q the most likely share of
/// broken ones where the difference is d. At d = 0 it is McNemar's (b - c) / sqrt(b + c).
///
/// Sources: Tango, Statistics in Medicine 17 (1998); McNemar, Psychometrika 12 (1947).
public struct PairedShares: Hashable, Sendable {
    public var fixed: Int
    public var broken: Int
    public var count: Int

    /// - Returns: nil for no samples, or more that turned than there are.
    public init?(fixed: Int, broken: Int, count: Int) {
        guard count > 0, fixed >= 0, broken >= 0, fixed <= count - min(broken, count), broken <= count else {
            return nil
        }
        self.fixed = fixed
        self.broken = broken
        self.count = count
    }

    public var difference: Double { (Double(fixed) - Double(broken)) / Double(count) }

    /// Both sides; 1 where nothing turned.
    public var p: Double { fixed + broken == 0 ? 1 : min(1, 2 * NormalDistribution.standard.survival(abs(score(0)))) }

    /// All differences that the test does not reject.
    public func interval(level: Double = 0.95) -> Interval {
        let z = -NormalDistribution.standard.quantile((1 - level) / 2)
        // The score falls as the difference grows.
        return Interval(
            lower: edge(from: -1, to: difference) { $0 > z }, upper: edge(from: difference, to: 1) { $0 >= -z },
            level: level)
    }

    private func edge(from start: Double, to end: Double, _ isBelow: (Double) -> Bool) -> Double {
        var (low, high) = (start, end)
        for _ in 0..<60 {
            let middle = (low + high) / 2
            if isBelow(score(middle)) { low = middle } else { high = middle }
        }
        return (low + high) / 2
    }

    private func score(_ d: Double) -> Double {
        let (b, c, n) = (Double(fixed), Double(broken), Double(count))
        let linear = -b - c + (2 * n - b + c) * d
        let constant = -c * d * (1 - d)
        let root = max(0, linear * linear - 8 * n * constant).squareRoot()
        // Of the two forms of the solution the one that does not subtract what is nearly equal.
        let q = linear <= 0 ? (root - linear) / (4 * n) : -2 * constant / (root + linear)
        let variance = n * (2 * q + d * (1 - d))
        let gap = b - c - n * d
        guard variance > 0 else { return gap == 0 ? 0 : gap > 0 ? .infinity : -.infinity }
        return gap / variance.squareRoot()
    }
}
