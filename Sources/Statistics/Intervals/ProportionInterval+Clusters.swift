extension ProportionInterval {
    /// Wilson's interval of a mean of scores in [0, 1] with this standard error, never outside [0, 1].
    ///
    /// As of n* = p (1 - p) / SE² hits and misses, with t for z; with many scores it is mean ± t SE.
    /// - Parameters:
    ///   - standardError: above 0; see `MeanEstimate`.
    ///   - degrees: of freedom of the standard error, as the clusters themselves tell them.
    ///   - most: the largest t SE that clusters of this shape allow: that of values that agree entirely within clusters.
    /// - Source: Kott, Survey Methodology 43 (2017); Franco, Little, Louis, Slud, Journal of Survey Statistics and
    ///   Methodology 7 (2019), who compare it with others.
    static func wilson(
        share p: Double, standardError: Double, degrees: Double, most: Double, level: Double
    ) -> Interval? {
        guard p > 0, p < 1, standardError > 0, degrees > 0 else { return nil }
        let t = StudentDistribution(degrees: degrees).quantile((1 + level) / 2)
        let reach = min(t * standardError, most)
        return score(p, spread: reach * reach / (p * (1 - p)), level: level)
    }

    /// Score intervals with the bound near 0 (or 1) moved out where at most three hits (or misses) were seen.
    ///
    /// One hit of many leaves Wilson's lower bound at .18 / n, and true shares just below it are then missed by as much as
    /// 16 % of all samples. Moved to the share with which that many hits or more are seen in 5 % of all samples, the interval
    /// covers at least 92.7 %. Hits are those that as long an interval would have were each to stand alone; between three
    /// and four the bound goes back to Wilson's.
    /// - Source: the modified Wilson interval of Brown, Cai, DasGupta, Statistical Science 16 (2001), section 4.1.1.
    static func modified(_ interval: Interval, share: Double) -> Interval {
        let level = interval.level
        let z = -NormalDistribution.standard.quantile((1 - level) / 2)
        func edge(_ bound: Double, _ share: Double) -> Double {
            guard share > 0, share <= 0.5, bound > 0, bound < share else { return bound }
            let count = z * z * bound * (1 - bound) / ((share - bound) * (share - bound))
            let hits = count * share
            guard hits < 4 else { return bound }
            let rare = ChiSquaredDistribution(degrees: 2 * hits).quantile(1 - level) / 2 / count
            return bound + min(rare - bound, 0) * min(4 - hits, 1)
        }
        // Unmoved bounds stay identical to the last bit.
        let (below, above) = (1 - interval.upper, 1 - share)
        let moved = edge(below, above)
        return Interval(
            lower: edge(interval.lower, share), upper: moved == below ? interval.upper : 1 - moved, level: level)
    }
}
