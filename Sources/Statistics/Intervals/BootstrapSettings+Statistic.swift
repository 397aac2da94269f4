extension BootstrapSettings {
    /// The interval of any figure of samples; nil for fewer than two clusters, where half of the draws or more give no
    /// figure, and where it was cancelled. O(draws × (count + the figure's own cost) / cores).
    ///
    /// Percentiles of the draws, moved by the bias that they show (BCa without its acceleration, which would need the
    /// figure once more for each cluster left out), and as wide as to hold the observed figure: figures that chance makes
    /// larger, as errors of calibration, lie below all draws. Every draw has random numbers of its own, so the interval
    /// does not depend on the number of threads.
    /// - Parameters:
    ///   - count: how many samples there are.
    ///   - clusters: the cluster of each sample; nil where each stands alone.
    ///   - observed: the figure of all samples.
    ///   - statistic: the figure of these places, in ascending order, as often as they were drawn; nil where it is not
    ///     defined.
    /// - Source: Efron, Tibshirani, An Introduction to the Bootstrap (1993), chapter 14.
    public func interval(
        count: Int, clusters: [Int]? = nil, observed: Double, threads: Int? = nil,
        isCancelled: @Sendable () -> Bool = { false }, statistic: @Sendable ([Int]) -> Double?
    ) -> Interval? {
        let groups = clusters.map { ClusterSums($0.prefix(count)).places } ?? Array(0..<max(count, 0))
        let groupCount = (groups.max() ?? -1) + 1
        guard observed.isFinite, groups.count == count, groupCount > 1 else { return nil }
        let drawn = Pieces.map(draws, threads: threads, isCancelled: isCancelled) { draw -> Double? in
            var random = Splitmix64(seed: seed, stream: Self.figureStream << 32 + UInt64(draw))
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
