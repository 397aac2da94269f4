import Hashing

/// Settings for bootstrap confidence intervals, which resample whole clusters with replacement.
///
/// Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993): percentile interval in chapter 13, BCa in 14.3.
public struct BootstrapSettings: Hashable, Sendable {
    /// Methods that derive an interval from resampled values.
    public enum Method: Hashable, Sendable, CaseIterable {
        /// Percentiles of the resampled values.
        case percentile
        /// Bias-corrected and accelerated percentiles (BCa).
        case bca
    }

    /// Number of resamples.
    public var draws: Int
    /// Confidence level, such as 0.95.
    public var level: Double
    /// Seed for the random numbers.
    public var seed: UInt64
    /// Method that derives the interval from resampled values.
    public var method: Method

    /// Creates settings; values out of range are clamped.
    ///
    /// - Parameters:
    ///   - draws: 1 to 1,000,000.
    ///   - level: Between 0 and 1.
    public init(draws: Int = 10_000, level: Double = 0.95, seed: UInt64 = 1, method: Method = .percentile) {
        self.draws = min(max(draws, 1), 1_000_000)
        self.level = min(max(level, 0.000_001), 0.999_999)
        self.seed = seed
        self.method = method
    }

    /// Returns the bootstrap interval of a mean.
    ///
    /// Every resample has its own random stream, so the interval does not depend on the number of threads.
    /// - Parameters:
    ///   - threads: Maximum number of threads (default: one per core).
    ///   - progress: Called periodically with the completed share of the resamples.
    /// - Returns: `nil` if there are no values, or if canceled.
    /// - Complexity: O(draws × values / cores).
    public func interval(
        of values: [Double], clusters: [Int]? = nil, threads: Int? = nil,
        isCancelled: @Sendable () -> Bool = { false }, progress: (Double) -> Void = { _ in }
    ) -> Interval? {
        guard !values.isEmpty else { return nil }
        let groups = clusters.map { ClusterSums($0.prefix(values.count)).members }
        guard groups.map({ $0.reduce(0) { $0 + $1.count } == values.count }) ?? true else { return nil }
        // The mean needs only the sum and size of each cluster.
        let sums = groups?.map { $0.reduce(0.0) { $0 + values[$1] } } ?? values
        let sizes = groups?.map { Double($0.count) }
        let perPiece = max(1, min(draws, Self.pieceSize / sums.count))
        let pieces = (draws + perPiece - 1) / perPiece
        let drawn = Pieces.map(pieces, threads: threads, isCancelled: isCancelled, progress: progress) { piece in
            let places = piece * perPiece..<min((piece + 1) * perPiece, draws)
            return places.map { mean($0, sums, sizes) }
        }
        guard let means = drawn?.flatMap(\.self) else { return nil }
        let (total, count) = (sums.reduce(0, +), Double(values.count))
        let left = sums.indices.compactMap { place -> Double? in
            sums.count > 1 ? (total - sums[place]) / (count - (sizes?[place] ?? 1)) : nil
        }
        return interval(means, observed: total / count, leftOut: left)
    }

    /// Returns the mean of one resample.
    private func mean(_ draw: Int, _ sums: [Double], _ sizes: [Double]?) -> Double {
        var random = SplitMix64(seed: seed, stream: Self.stream << 32 + UInt64(draw))
        let groups = sums.count
        return sums.withUnsafeBufferPointer { sums in
            var (sum, size) = (0.0, 0.0)
            guard let sizes else {
                for _ in 0..<groups { sum += sums[random.next(below: groups)] }
                return sum / Double(groups)
            }
            for _ in 0..<groups {
                let group = random.next(below: groups)
                sum += sums[group]
                size += sizes[group]
            }
            return sum / size
        }
    }

    /// Number of values drawn per piece of work, which takes about 1 ms.
    private static let pieceSize = 500_000

    /// - Parameter leftOut: Statistic recomputed without each cluster in turn; `nil` corrects for bias alone.
    func interval(_ drawn: [Double], observed: Double, leftOut: [Double]?) -> Interval {
        var drawn = drawn
        drawn.sort()
        var (low, high) = ((1 - level) / 2, (1 + level) / 2)
        if method == .bca || leftOut == nil, let shares = accelerated(drawn, observed: observed, leftOut: leftOut) {
            (low, high) = shares
        }
        return Interval(lower: quantile(drawn, low), upper: quantile(drawn, high), level: level)
    }

    /// Returns percentiles corrected for the bias z0 and the acceleration a; `nil` if either is undefined.
    private func accelerated(_ sorted: [Double], observed: Double, leftOut: [Double]?) -> (Double, Double)? {
        guard leftOut.map({ $0.count > 1 }) ?? true else { return nil }
        let leftOut = leftOut ?? []
        let normal = NormalDistribution.standard
        // Ties count half because some statistics have only a few distinct values.
        let below = sorted.reduce(0.0) { $0 + ($1 < observed ? 1 : $1 == observed ? 0.5 : 0) }
        let bias = normal.quantile(below / Double(sorted.count))
        guard bias.isFinite else { return nil }
        let mean = leftOut.reduce(0, +) / Double(max(1, leftOut.count))
        var (squares, cubes) = (0.0, 0.0)
        for figure in leftOut {
            let gap = mean - figure
            squares += gap * gap
            cubes += gap * gap * gap
        }
        let acceleration = squares > 0 ? cubes / (6 * squares * squares.squareRoot()) : 0
        func moved(_ share: Double) -> Double {
            let z = bias + normal.quantile(share)
            return normal.cumulative(bias + z / (1 - acceleration * z))
        }
        return (moved((1 - level) / 2), moved((1 + level) / 2))
    }

    private static let stream: UInt64 = 0xB007
}

/// Returns the quantile of sorted values, interpolated linearly; NaN if there are no values.
///
/// - Source: definition 7 of Hyndman and Fan, The American Statistician 50 (1996).
public func quantile(_ sorted: [Double], _ share: Double) -> Double {
    guard !sorted.isEmpty, !share.isNaN else { return .nan }
    let place = min(max(share, 0), 1) * Double(sorted.count - 1)
    let low = Int(place)
    let high = min(low + 1, sorted.count - 1)
    let fraction = place - Double(low)
    guard fraction > 0 else { return sorted[low] }
    return sorted[low] + fraction * (sorted[high] - sorted[low])
}
