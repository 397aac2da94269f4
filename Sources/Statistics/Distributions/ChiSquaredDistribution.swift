internal import Glibc

/// The chi-squared distribution.
public struct ChiSquaredDistribution: Hashable, Sendable {
    /// Degrees of freedom, above 0.
    public var degrees: Double

    /// Creates a distribution from degrees of freedom above 0.
    public init(degrees: Double) { self.degrees = degrees }

    /// Returns the probability of a value up to `x`.
    public func cumulative(_ x: Double) -> Double { incompleteGamma(degrees / 2, x / 2).lower }
    /// Returns the probability of a value above `x`, accurate far into the tail.
    public func survival(_ x: Double) -> Double { incompleteGamma(degrees / 2, x / 2).upper }

    /// Returns the `p` quantile, by bisection; NaN if `p` is outside [0, 1].
    public func quantile(_ p: Double) -> Double {
        guard p >= 0, p <= 1, degrees > 0 else { return .nan }
        if p == 0 || p == 1 { return p == 0 ? 0 : .infinity }
        var upper = max(1, degrees)
        while cumulative(upper) < p, upper < 1e300 { upper *= 2 }
        return increasingRoot(0, upper) { p < 0.5 ? cumulative($0) - p : (1 - p) - survival($0) }
    }
}

/// Returns the regularized incomplete gamma functions P(a, x) and Q(a, x) = 1 - P(a, x), for `a` above 0.
///
/// Source: the series DLMF 8.11.4 for x below a + 1; otherwise the continued fraction DLMF 8.9.2 by Lentz's method.
func incompleteGamma(_ a: Double, _ x: Double) -> (lower: Double, upper: Double) {
    guard x > 0 else { return x.isNaN ? (.nan, .nan) : (0, 1) }
    guard x.isFinite else { return (1, 0) }
    let front = exp(a * log(x) - x - logGamma(a))
    let limit = 500 + Int(min(1e6, 10 * a.squareRoot()))
    if x < a + 1 {
        var term = 1 / a
        var sum = term
        for step in 1...limit {
            term *= x / (a + Double(step))
            sum += term
            if term < sum * 1e-17 { break }
        }
        let lower = min(1, front * sum)
        return (lower, 1 - lower)
    }
    var b = x + 1 - a
    var c = 1e300
    var d = 1 / b
    var fraction = d
    for step in 1...limit {
        let n = Double(step)
        let factor = -n * (n - a)
        b += 2
        d = 1 / (factor * d + b)
        c = b + factor / c
        fraction *= c * d
        if abs(c * d - 1) < 1e-16 { break }
    }
    let upper = min(1, front * fraction)
    return (1 - upper, upper)
}
