/// The beta distribution on [0, 1], with parameters above 0.
public struct BetaDistribution: Hashable, Sendable {
    /// First shape parameter, above 0.
    public var a: Double
    /// Second shape parameter, above 0.
    public var b: Double

    /// Creates a distribution with a density proportional to x^(a-1) (1-x)^(b-1).
    public init(_ a: Double, _ b: Double) {
        self.a = a
        self.b = b
    }

    /// Returns the probability of a value up to `x`: I_x(a, b), the regularized incomplete beta function.
    public func cumulative(_ x: Double) -> Double { incompleteBeta(min(max(x, 0), 1), a, b) }

    /// Returns the `p` quantile, to 1e-15, by bisection; NaN if `p` is outside [0, 1].
    public func quantile(_ p: Double) -> Double {
        guard p >= 0, p <= 1 else { return .nan }
        if p == 0 { return 0 }
        if p == 1 { return 1 }
        return increasingRoot(0, 1) { incompleteBeta($0, a, b) - p }
    }
}

/// Returns the root of an increasing function between two bounds, by bisection down to adjacent numbers.
func increasingRoot(_ lower: Double, _ upper: Double, _ function: (Double) -> Double) -> Double {
    var (lower, upper) = (lower, upper)
    for _ in 0..<200 {
        let middle = lower + (upper - lower) / 2
        if middle <= lower || middle >= upper { break }
        if function(middle) < 0 { lower = middle } else { upper = middle }
    }
    return lower + (upper - lower) / 2
}
