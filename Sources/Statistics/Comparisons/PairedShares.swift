internal import Glibc

/// A score test for the difference B - A of two pass rates on the same samples. Its interval agrees with its p value.
///
/// T(d) = (b - c - n d) / sqrt(n (2 q + d (1 - d))), for b fixed and c broken of n samples, where q is the most likely
/// share of broken samples given a difference of d. At d = 0, T is McNemar's (b - c) / sqrt(b + c).
///
/// In clusters, the variance is `effect` times as large, and T / sqrt(effect) follows Student's distribution. The
/// effect is limited so that samples count at least as much as if all samples of a cluster were copies of each other.
///
/// Sources: Tango, Statistics in Medicine 17 (1998); McNemar, Psychometrika 12 (1947); for clusters Obuchowski,
/// Statistics in Medicine 17 (1998).
public struct PairedShares: Hashable, Sendable {
    /// Number of samples that failed before and pass now.
    public var fixed: Int
    /// Number of samples that passed before and fail now.
    public var broken: Int
    /// Number of samples.
    public var count: Int
    /// Ratio of the variance in clusters to that of independent samples: at least 1, at most `meanSize`.
    public private(set) var effect = 1.0
    /// Degrees of freedom of `effect`.
    public private(set) var degrees = Double.infinity
    /// Mean cluster size, averaged over samples.
    private var meanSize = 1.0

    /// Creates a test for independent samples.
    ///
    /// - Returns: `nil` if there are no samples, or if the number of changed samples exceeds `count`.
    public init?(fixed: Int, broken: Int, count: Int) {
        guard count > 0, fixed >= 0, broken >= 0, fixed <= count - min(broken, count), broken <= count else {
            return nil
        }
        self.fixed = fixed
        self.broken = broken
        self.count = count
    }

    /// Creates a test for samples in clusters.
    ///
    /// - Parameters:
    ///   - differences: 1 for a fixed sample, -1 for a broken sample, 0 for all others.
    ///   - clusters: Cluster of each sample.
    /// - Returns: `nil` if there are no samples, if there is only one cluster, or if a difference is not 1, -1, or 0.
    public init?(differences: [Double], clusters: [Int]) {
        guard differences.count == clusters.count,
            let estimate = MeanEstimate(of: differences, clusters: clusters), let shape = estimate.shape,
            let error = estimate.standardError, let plain = MeanEstimate(of: differences)?.standardError,
            differences.allSatisfy({ $0 == 0 || abs($0) == 1 })
        else { return nil }
        self.init(fixed: differences.count { $0 > 0 }, broken: differences.count { $0 < 0 }, count: differences.count)
        meanSize = shape.meanSize
        // Equal differences support neither correlation nor independence.
        effect = plain > 0 ? min(max(1, error * error / (plain * plain)), meanSize) : meanSize
        degrees = plain > 0 ? estimate.degrees ?? .infinity : .infinity
    }

    /// Difference B - A of the pass rates.
    public var difference: Double { (Double(fixed) - Double(broken)) / Double(count) }

    /// Two-sided p value for no difference; 1 if no sample changed.
    public var p: Double {
        guard fixed + broken > 0 else { return 1 }
        let score = abs(score(0))
        let estimated = StudentDistribution(degrees: degrees).survival(score / effect.squareRoot())
        return min(1, 2 * min(estimated, NormalDistribution.standard.survival(score / meanSize.squareRoot())))
    }

    /// Returns the differences that the test does not reject.
    public func interval(level: Double = 0.95) -> Interval {
        let limit = criticalScore(level)
        // The score falls as the difference grows.
        return Interval(
            lower: edge(from: -1, to: difference) { $0 > limit }, upper: edge(from: difference, to: 1) { $0 >= -limit },
            level: level)
    }

    /// Returns the largest score that the test does not reject.
    private func criticalScore(_ level: Double) -> Double {
        let z = -NormalDistribution.standard.quantile((1 - level) / 2)
        guard degrees.isFinite else { return z * effect.squareRoot() }
        let t = StudentDistribution(degrees: degrees).quantile((1 + level) / 2)
        return min(t * effect.squareRoot(), z * meanSize.squareRoot())
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
        // Choose the form of the root that avoids cancellation.
        let q = linear <= 0 ? (root - linear) / (4 * n) : -2 * constant / (root + linear)
        let variance = n * (2 * q + d * (1 - d))
        let gap = b - c - n * d
        guard variance > 0 else { return gap == 0 ? 0 : gap > 0 ? .infinity : -.infinity }
        return gap / variance.squareRoot()
    }
}
