/// Confidence intervals of a proportion of hits.
public enum ProportionInterval {
    /// Returns Wilson's score interval, which suits small counts and proportions of 0 or 1.
    ///
    /// (p + z²/2n ± z sqrt(p (1 - p)/n + z²/4n²)) / (1 + z²/n)
    /// - Returns: `nil` if `count` is 0 or `hits` is out of range.
    /// - Source: Wilson, JASA 22 (1927).
    public static func wilson(hits: Int, count: Int, level: Double = 0.95) -> Interval? {
        guard count > 0, hits >= 0, hits <= count else { return nil }
        return wilson(share: Double(hits) / Double(count), count: count, level: level)
    }

    /// Returns Wilson's score interval of a proportion that is not necessarily a whole number of hits.
    ///
    /// - Returns: `nil` if `count` is 0 or the proportion is outside [0, 1].
    public static func wilson(share p: Double, count: Int, level: Double = 0.95) -> Interval? {
        guard count > 0, p >= 0, p <= 1 else { return nil }
        let z = -NormalDistribution.standard.quantile((1 - level) / 2)
        return score(p, spread: z * z / Double(count), level: level)
    }

    /// Returns (p + s/2 ± sqrt(s p (1 - p) + s²/4)) / (1 + s), the bounds of all q with (p - q)² <= s q (1 - q).
    ///
    /// For n independent values, the spread s is z²/n.
    static func score(_ p: Double, spread: Double, level: Double) -> Interval {
        let center = p + spread / 2
        let half = (spread * p * (1 - p) + spread * spread / 4).squareRoot()
        let scale = 1 + spread
        return Interval(
            lower: p == 0 ? 0 : max(0, (center - half) / scale), upper: p == 1 ? 1 : min(1, (center + half) / scale),
            level: level)
    }

    /// Returns the interval of the difference B - A of two independent proportions, from Wilson's interval of each.
    ///
    /// d - sqrt((p_B - l_B)² + (u_A - p_A)²) to d + sqrt((u_B - p_B)² + (p_A - l_A)²)
    /// - Returns: `nil` if a count is 0 or its hits are out of range.
    /// - Source: Newcombe, Statistics in Medicine 17 (1998), method 10.
    public static func newcombe(
        hitsA: Int, countA: Int, hitsB: Int, countB: Int, level: Double = 0.95
    ) -> Interval? {
        guard let a = wilson(hits: hitsA, count: countA, level: level),
            let b = wilson(hits: hitsB, count: countB, level: level)
        else { return nil }
        let (p, q) = (Double(hitsA) / Double(countA), Double(hitsB) / Double(countB))
        func length(_ x: Double, _ y: Double) -> Double { (x * x + y * y).squareRoot() }
        return Interval(
            lower: max(-1, q - p - length(q - b.lower, a.upper - p)),
            upper: min(1, q - p + length(b.upper - q, p - a.lower)), level: level)
    }

    /// Returns the exact interval from quantiles of the beta distribution: never too narrow, often too wide.
    ///
    /// - Returns: `nil` if `count` is 0 or `hits` is out of range.
    ///
    /// Source: Clopper, Pearson, Biometrika 26 (1934).
    public static func clopperPearson(hits: Int, count: Int, level: Double = 0.95) -> Interval? {
        guard count > 0, hits >= 0, hits <= count else { return nil }
        let tail = (1 - level) / 2
        let (k, n) = (Double(hits), Double(count))
        return Interval(
            lower: hits == 0 ? 0 : BetaDistribution(k, n - k + 1).quantile(tail),
            upper: hits == count ? 1 : BetaDistribution(k + 1, n - k).quantile(1 - tail), level: level)
    }
}
