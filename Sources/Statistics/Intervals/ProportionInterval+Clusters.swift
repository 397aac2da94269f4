extension ProportionInterval {
    /// Returns Wilson's interval for a mean of scores in [0, 1] with this standard error; it never leaves [0, 1].
    ///
    /// This is the interval of n* = p (1 - p) / SE² hits and misses, with t in place of z; for many scores it approaches
    /// mean ± t SE.
    /// - Parameters:
    ///   - standardError: Above 0; see ``MeanEstimate``.
    ///   - degrees: Effective degrees of freedom of the standard error.
    ///   - limit: Largest possible t SE for clusters of this shape, reached by values that agree fully within clusters.
    /// - Source: Kott, Survey Methodology 43 (2017); Franco, Little, Louis, Slud, Journal of Survey Statistics and
    ///   Methodology 7 (2019), who compare it with other intervals.
    static func wilson(
        share p: Double, standardError: Double, degrees: Double, limit: Double, level: Double
    ) -> Interval? {
        guard p > 0, p < 1, standardError > 0, degrees > 0 else { return nil }
        let t = StudentDistribution(degrees: degrees).quantile((1 + level) / 2)
        let halfWidth = min(t * standardError, limit)
        return score(p, spread: halfWidth * halfWidth / (p * (1 - p)), level: level)
    }

    /// Returns a score interval with its bound near 0 (or 1) moved outward for up to three hits (or misses).
    ///
    /// With one hit in many samples, Wilson's lower bound is .18 / n, and the intervals of up to 16 % of repeated runs
    /// miss a true proportion just below that bound. At the moved bound, 5 % of repeated runs have at least the
    /// observed number of hits, and the interval covers at least 92.7 %. In clusters, the number of hits is the number
    /// that gives independent samples an interval of the same width. Between three and four hits, the bound returns to
    /// Wilson's.
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
        // An unmoved bound stays identical to the last bit.
        let (below, above) = (1 - interval.upper, 1 - share)
        let moved = edge(below, above)
        return Interval(
            lower: edge(interval.lower, share), upper: moved == below ? interval.upper : 1 - moved, level: level)
    }
}
