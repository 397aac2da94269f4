internal import Glibc

/// Returns the logarithm of the gamma function, for `x` above 0.
func logGamma(_ x: Double) -> Double {
    var sign: Int32 = 0
    return lgamma_r(x, &sign)
}

/// Returns the regularized incomplete beta function I_x(a, b), for `a` and `b` above 0.
///
/// - Parameter complement: 1 - x, for callers that know it more accurately than the subtraction would give.
/// - Source: the continued fraction of DLMF 8.17.22 by Lentz's method; I_x(a, b) = 1 - I_{1-x}(b, a) if that converges
///   faster.
func incompleteBeta(_ x: Double, complement: Double, _ a: Double, _ b: Double) -> Double {
    guard x > 0 else { return x.isNaN ? .nan : 0 }
    guard complement > 0 else { return complement.isNaN ? .nan : 1 }
    let front = exp(logGamma(a + b) - logGamma(a) - logGamma(b) + a * log(x) + b * log(complement))
    if x < (a + 1) / (a + b + 2) { return min(1, front * betaFraction(x, a, b) / a) }
    return max(0, 1 - front * betaFraction(complement, b, a) / b)
}

func incompleteBeta(_ x: Double, _ a: Double, _ b: Double) -> Double { incompleteBeta(x, complement: 1 - x, a, b) }

private func betaFraction(_ x: Double, _ a: Double, _ b: Double) -> Double {
    let tiny = 1e-300
    func nonzero(_ value: Double) -> Double { abs(value) < tiny ? tiny : value }
    var c = 1.0
    var d = 1 / nonzero(1 - (a + b) * x / (a + 1))
    var fraction = d
    // The number of steps grows with the square root of the larger parameter.
    let limit = 300 + Int(min(1e6, 5 * max(a, b).squareRoot()))
    for step in 1...limit {
        let m = Double(step)
        let even = m * (b - m) * x / ((a + 2 * m - 1) * (a + 2 * m))
        d = 1 / nonzero(1 + even * d)
        c = nonzero(1 + even / c)
        fraction *= c * d
        let odd = -(a + m) * (a + b + m) * x / ((a + 2 * m) * (a + 2 * m + 1))
        d = 1 / nonzero(1 + odd * d)
        c = nonzero(1 + odd / c)
        let factor = c * d
        fraction *= factor
        if abs(factor - 1) < 1e-16 { break }
    }
    return fraction
}
