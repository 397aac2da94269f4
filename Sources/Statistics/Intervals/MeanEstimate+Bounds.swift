extension MeanEstimate {
    /// The interval of the mean of scores: the one to show, whatever they are; nil where nothing is known of how they vary.
    ///
    /// Scores in [0, 1] never leave it. Hits that stand alone have Wilson's interval; hits in clusters have that of
    /// ``ClusteredShare``, and Wilson's with the clustered standard error where clusters with hits and misses are many. Other
    /// scores in [0, 1] have Wilson's with the number of hits and misses that would have their standard error; all others
    /// have mean ± t SE. Scores that are all the same may still vary: in [0, 1] the interval is then Wilson's with clusters,
    /// or values, as what is counted (no values with that mean vary more than hits and misses do).
    /// - Parameters:
    ///   - values: those that this is the mean of.
    ///   - level: how often such an interval holds the true mean.
    public func interval(of values: [Double], level: Double = 0.95) -> Interval? {
        guard !values.isEmpty, values.allSatisfy({ $0 >= 0 && $0 <= 1 }) else {
            return unboundedInterval(values, level)
        }
        // Sums in another order differ in their last bits.
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
            most: most(values, level), level: level)
    }

    /// For hits in clusters, the clustered standard error is enough if it has many degrees of freedom; below
    /// `enough.lowerBound`, the average over correlations replaces it.
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
                most: z * (share * (1 - share) * shape.meanSize / Double(count)).squareRoot(), level: level)
        let weight = min(
            max((degrees - Self.enough.lowerBound) / (Self.enough.upperBound - Self.enough.lowerBound), 0), 1)
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

    /// Degrees of freedom over which one interval for clustered hits blends into the other.
    private static let enough = 20.0...60.0

    /// t SE of values that agree fully within clusters of this shape; infinite if values are independent.
    private func most(_ values: [Double], _ level: Double) -> Double {
        guard let shape, let plain = MeanEstimate(of: values)?.standardError, count > 1 else { return .infinity }
        let t = StudentDistribution(degrees: Double(count - 1)).quantile((1 + level) / 2)
        return t * plain * shape.meanSize.squareRoot()
    }

    /// Of values that are all the same, and may be any, nothing is known.
    private func unboundedInterval(_ values: [Double], _ level: Double) -> Interval? {
        let largest = values.reduce(0) { max($0, abs($1)) }
        guard let standardError, standardError > 1e-12 * largest else { return nil }
        return interval(level: level)
    }
}
