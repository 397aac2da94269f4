/// Intervals of a share of hits.
public enum ProportionInterval {
    /// Wilson's score interval; nil where there is nothing to count.
    ///
    /// (p + z²/2n ± z sqrt(p (1 - p)/n + z²/4n²)) / (1 + z²/n). It is good for small n and for no hits at all.
    /// - Source: Wilson, JASA 22 (1927).
    public static func wilson(hits: Int, count: Int, level: Double = 0.95) -> Interval? {
        guard count > 0, hits >= 0, hits <= count else { return nil }
        return wilson(share: Double(hits) / Double(count), count: count, level: level)
    }

    /// The same of a share that need not be a whole number of hits; nil where there is nothing to count.
    public static func wilson(share p: Double, count: Int, level: Double = 0.95) -> Interval? {
        guard count > 0, p >= 0, p <= 1 else { return nil }
        let z = -NormalDistribution.standard.quantile((1 - level) / 2)
        return score(p, spread: z * z / Double(count), level: level)
    }

    /// (p + s/2 ± sqrt(s p (1 - p) + s²/4)) / (1 + s): all q with (p - q)² <= s q (1 - q), s = z²/n for n values that stand
    /// alone.
    static func score(_ p: Double, spread: Double, level: Double) -> Interval {
        let center = p + spread / 2
        let half = (spread * p * (1 - p) + spread * spread / 4).squareRoot()
        let scale = 1 + spread
        return Interval(
            lower: p == 0 ? 0 : max(0, (center - half) / scale), upper: p == 1 ? 1 : min(1, (center + half) / scale),
            level: level)
    }

    /// The interval of the difference B - A of two shares that have nothing to do with each other, made of Wilson's of each;
    /// nil where one has nothing to count.
    ///
    /// d - sqrt((p_B - l_B)² + (u_A - p_A)²) to d + sqrt((u_B - p_B)² + (p_A - l_A)²).
    /// - Source: Newcombe, Statistics in Medicine 17 (1998), method 10.
    public static func newcombe(
        hitsA: Int, countA: Int, hitsB: Int, countB: Int, level: Double = 0.95
    ) -> Interval? {
        guard let a = wilson(hits: hitsA, count: countA, level: level),
            let b = wilson(hits: hitsB, count: countB, level: level)
        else { return nil }
        let (p, q) = (Double(hitsA) / Double(countA), Double(hitsB) / Double(countB))
        func long(_ one: Double, _ other: Double) -> Double { (one * one + other * other).squareRoot() }
        return Interval(
            lower: max(-1, q - p - long(q - b.lower, a.upper - p)),
            upper: min(1, q - p + long(b.upper - q, p - a.lower)), level: level)
    }

    /// The exact interval from quantiles of the beta distribution: never too narrow, often too wide.
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
