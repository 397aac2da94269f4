extension ProportionInterval {
    /// The interval of a share of hits that hang together in clusters, never outside [0, 1].
    ///
    /// Clopper's and Pearson's with the number of hits and misses n* = p (1 - p) / SE² that would have this standard error,
    /// at most `count`, times (z / t)² for the few clusters that it was estimated from. In simulations with 10 to 200
    /// clusters and correlations of 0 to 0.5 it covers 94 to 96 % where each side has some ten clusters with a hit or a
    /// miss; up to 99 % where it has fewer (they tell too little for a shorter one), and 93.5 % at the least, with 95 %
    /// of hits in 50 clusters of very different size.
    /// - Parameters:
    ///   - standardError: above 0; see `MeanEstimate`.
    ///   - degrees: clusters - 1.
    ///   - count: how many hits and misses there are.
    /// - Source: Korn, Graubard, Survey Methodology 24 (1998).
    public static func clustered(
        share p: Double, standardError: Double, degrees: Double, count: Int, level: Double = 0.95
    ) -> Interval? {
        guard p > 0, p < 1, standardError > 0, degrees > 0, count > 0 else { return nil }
        let z = NormalDistribution.standard.quantile((1 + level) / 2)
        let t = StudentDistribution(degrees: degrees).quantile((1 + level) / 2)
        let n = min(Double(count), p * (1 - p) / (standardError * standardError)) * (z / t) * (z / t)
        let (hits, misses) = (p * n, (1 - p) * n)
        let tail = (1 - level) / 2
        return Interval(
            lower: min(p, BetaDistribution(hits, misses + 1).quantile(tail)),
            upper: max(p, BetaDistribution(hits + 1, misses).quantile(1 - tail)), level: level)
    }

    /// Wilson's interval of a mean of scores in [0, 1] with this standard error, never outside [0, 1].
    ///
    /// As of n* = p (1 - p) / SE² hits and misses, with t for z. With many scores it is mean ± t SE.
    /// - Parameter standardError: above 0.
    static func wilson(
        share p: Double, standardError: Double, degrees: Double, level: Double
    ) -> Interval? {
        guard p > 0, p < 1, standardError > 0, degrees > 0 else { return nil }
        let t = StudentDistribution(degrees: degrees).quantile((1 + level) / 2)
        return score(p, count: p * (1 - p) / (standardError * standardError), quantile: t, level: level)
    }
}
