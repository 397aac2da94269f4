extension MeanEstimate {
    /// Returns the interval to show for a mean, chosen to fit the scores.
    ///
    /// The interval for scores in [0, 1] never leaves that range:
    /// - Independent hits and misses: Wilson's interval.
    /// - Hits and misses in clusters: the interval of ``ClusteredShare``, or Wilson's with the clustered standard error
    ///   if many clusters have hits and misses.
    /// - Other scores in [0, 1]: Wilson's, with the number of hits and misses that would have the same standard error.
    /// - Equal scores in [0, 1], although the population may vary: Wilson's, with the number of clusters or values as
    ///   the count. No scores with that mean vary more than hits and misses do.
    ///
    /// All other scores have mean ± t SE.
    /// - Parameters:
    ///   - values: Values that this estimate is the mean of.
    ///   - level: Confidence level.
    /// - Returns: `nil` if the variation of the scores is unknown.
    public func interval(of values: [Double], level: Double = 0.95) -> Interval? {
        guard !values.isEmpty, values.allSatisfy({ $0 >= 0 && $0 <= 1 }) else {
            return unboundedInterval(values, level)
        }
        // Rounding may move the mean slightly outside [0, 1].
        let share = min(max(mean, 0), 1)
        if clusters == nil, values.allSatisfy({ $0 == 0 || $0 == 1 }) {
            return ProportionInterval.wilson(share: share, count: count, level: level).map {
                ProportionInterval.modified($0, share: share)
            }
        }
        guard let standardError, let degrees else { return nil }
        let isConstant = standardError <= 1e-12 * share || share == 1
        if let shape, let clustered = ClusteredShare(shape) {
            return interval(clustered, shape, share, level, isConstant: isConstant)
        }
        guard !isConstant else {
            return ProportionInterval.wilson(share: share, count: clusters ?? count, level: level)
        }
        return ProportionInterval.wilson(
            share: share, standardError: standardError, degrees: spreadDegrees ?? degrees,
            limit: largestHalfWidth(values, level), level: level)
    }

    /// Returns the interval for hits in clusters.
    ///
    /// The clustered standard error is reliable if it has many degrees of freedom; below `blendedDegrees.lowerBound`,
    /// the average over correlations replaces it.
    private func interval(
        _ clustered: ClusteredShare, _ shape: ClusterShape, _ share: Double, _ level: Double, isConstant: Bool
    ) -> Interval? {
        let z = -NormalDistribution.standard.quantile((1 - level) / 2)
        let degrees = isConstant ? 0 : spreadDegrees ?? 0
        let known =
            isConstant
            ? nil
            : ProportionInterval.wilson(
                share: share, standardError: standardError ?? 0, degrees: degrees,
                limit: z * (share * (1 - share) * shape.meanSize / Double(count)).squareRoot(), level: level)
        let (low, high) = (Self.blendedDegrees.lowerBound, Self.blendedDegrees.upperBound)
        let weight = min(max((degrees - low) / (high - low), 0), 1)
        guard let known, weight > 0 else {
            return ProportionInterval.modified(clustered.interval(level: level), share: share)
        }
        guard weight < 1 else { return ProportionInterval.modified(known, share: share) }
        let averaged = clustered.interval(level: level)
        let between = Interval(
            lower: averaged.lower + weight * (known.lower - averaged.lower),
            upper: averaged.upper + weight * (known.upper - averaged.upper), level: level)
        return ProportionInterval.modified(between, share: share)
    }

    /// Degrees of freedom over which one interval for hits in clusters blends into the other.
    private static let blendedDegrees = 20.0...60.0

    /// Returns t SE for values that agree fully within clusters of this shape; infinite if values are independent.
    private func largestHalfWidth(_ values: [Double], _ level: Double) -> Double {
        guard let shape, let plain = MeanEstimate(of: values)?.standardError, count > 1 else { return .infinity }
        let t = StudentDistribution(degrees: Double(count - 1)).quantile((1 + level) / 2)
        return t * plain * shape.meanSize.squareRoot()
    }

    /// Returns mean ± t SE; `nil` for equal values, because nothing is known about how unbounded values vary.
    private func unboundedInterval(_ values: [Double], _ level: Double) -> Interval? {
        let largest = values.reduce(0) { max($0, abs($1)) }
        guard let standardError, standardError > 1e-12 * largest else { return nil }
        return interval(level: level)
    }
}
