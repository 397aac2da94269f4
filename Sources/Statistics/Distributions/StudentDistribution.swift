internal import Glibc

/// Student's t distribution.
public struct StudentDistribution: Hashable, Sendable {
    /// Degrees of freedom, above 0; infinity gives the normal distribution.
    public var degrees: Double

    /// Creates a distribution from degrees of freedom above 0.
    public init(degrees: Double) { self.degrees = degrees }

    /// Returns the probability of a value above `t`: I_{v / (v + t²)}(v / 2, 1 / 2) / 2 for nonnegative `t`.
    ///
    /// Source: DLMF 8.17; Johnson, Kotz, Balakrishnan, Continuous Univariate Distributions 2, chapter 28.
    public func survival(_ t: Double) -> Double {
        guard degrees.isFinite else { return NormalDistribution.standard.survival(t) }
        guard t.isFinite else { return t.isNaN ? .nan : t > 0 ? 0 : 1 }
        let square = t * t
        let sum = degrees + square
        guard sum.isFinite else { return t > 0 ? 0 : 1 }
        let tail = incompleteBeta(degrees / sum, complement: square / sum, degrees / 2, 0.5) / 2
        return t >= 0 ? tail : 1 - tail
    }

    /// Returns the probability of a value up to `t`.
    public func cumulative(_ t: Double) -> Double { survival(-t) }

    /// Returns the density at `t`.
    public func density(_ t: Double) -> Double {
        guard degrees.isFinite else { return NormalDistribution.standard.density(t) }
        return exp(
            logGamma((degrees + 1) / 2) - logGamma(degrees / 2) - log(degrees * Double.pi) / 2
                - (degrees + 1) / 2 * log1p(t * t / degrees))
    }

    /// Returns the `p` quantile, by Newton's method within bounds; NaN if `p` is outside [0, 1].
    public func quantile(_ p: Double) -> Double {
        guard p >= 0, p <= 1, degrees > 0 else { return .nan }
        if p == 0.5 { return 0 }
        if p == 0 || p == 1 { return p == 0 ? -.infinity : .infinity }
        if !degrees.isFinite { return NormalDistribution.standard.quantile(p) }
        let tail = min(p, 1 - p)
        // The tails are at least as heavy as the normal ones, so the upper bound may start too low.
        var lower = 0.0
        var upper = max(1, -NormalDistribution.standard.quantile(tail))
        while survival(upper) > tail, upper < 1e300 {
            lower = upper
            upper *= 2
        }
        var t = min(max(-NormalDistribution.standard.quantile(tail), lower), upper)
        for _ in 0..<200 {
            let excess = survival(t) - tail
            if excess > 0 { lower = t } else { upper = t }
            var next = t + excess / density(t)
            if !(next > lower && next < upper) { next = lower + (upper - lower) / 2 }
            if abs(next - t) <= 1e-15 * abs(t) {
                t = next
                break
            }
            t = next
        }
        return p < 0.5 ? -t : t
    }
}
