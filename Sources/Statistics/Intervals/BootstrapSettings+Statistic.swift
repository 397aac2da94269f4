import Hashing

extension BootstrapSettings {
    /// Returns the bootstrap interval of any statistic of the samples.
    ///
    /// The bounds are percentiles of the resampled statistic, corrected for bias (BCa without the acceleration, which
    /// would require recomputing the statistic without each cluster in turn). The interval is widened to contain the observed value if
    /// necessary: resampling inflates some statistics, such as calibration error, so the observed value can be below
    /// all resampled values. Every resample has its own random stream, so the interval does not depend on the number of
    /// threads.
    /// - Parameters:
    ///   - count: Number of samples.
    ///   - clusters: Cluster of each sample; `nil` if samples are independent.
    ///   - observed: Statistic of all samples.
    ///   - threads: Maximum number of threads (default: one per core).
    ///   - statistic: Returns the statistic of resampled indices, which are in ascending order and repeat as often as
    ///     they were drawn; `nil` if it is undefined.
    /// - Returns: `nil` if there are fewer than two clusters, if the statistic is undefined for half of the resamples
    ///   or more, or if canceled.
    /// - Complexity: O(draws × (count + cost of the statistic) / cores).
    /// - Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993), chapter 14.
    public func interval(
        count: Int, clusters: [Int]? = nil, observed: Double, threads: Int? = nil,
        isCancelled: @Sendable () -> Bool = { false }, statistic: @Sendable ([Int]) -> Double?
    ) -> Interval? {
        let groups = clusters.map { ClusterSums($0.prefix(count)).places } ?? Array(0..<max(count, 0))
        let groupCount = (groups.max() ?? -1) + 1
        guard observed.isFinite, groups.count == count, groupCount > 1 else { return nil }
        let drawn = Pieces.map(draws, threads: threads, isCancelled: isCancelled) { draw -> Double? in
            var random = SplitMix64(seed: seed, stream: Self.figureStream << 32 + UInt64(draw))
            var times = [Int](repeating: 0, count: groupCount)
            for _ in 0..<groupCount { times[random.next(below: groupCount)] += 1 }
            var places: [Int] = []
            places.reserveCapacity(count)
            for (place, group) in groups.enumerated() {
                for _ in 0..<times[group] { places.append(place) }
            }
            return statistic(places)
        }
        guard let figures = drawn?.compactMap(\.self).filter(\.isFinite), figures.count * 2 > draws else { return nil }
        let found = interval(figures, observed: observed, leftOut: nil)
        return Interval(lower: min(found.lower, observed), upper: max(found.upper, observed), level: level)
    }

    private static let figureStream: UInt64 = 0xB057
}
