internal import Glibc

/// The normal distribution.
public struct NormalDistribution: Hashable, Sendable {
    /// Mean of the distribution.
    public var mean: Double
    /// Standard deviation, above 0.
    public var deviation: Double

    /// Creates a distribution with a standard deviation above 0.
    public init(mean: Double = 0, deviation: Double = 1) {
        self.mean = mean
        self.deviation = deviation
    }

    /// The standard normal distribution: mean 0, deviation 1.
    public static let standard = NormalDistribution()

    /// Returns the probability of a value up to `x`: erfc(-(x - mean) / (deviation sqrt 2)) / 2.
    public func cumulative(_ x: Double) -> Double { erfc(-(x - mean) / deviation * 0.5.squareRoot()) / 2 }

    /// Returns the probability of a value above `x`, accurate far into the tail.
    public func survival(_ x: Double) -> Double { erfc((x - mean) / deviation * 0.5.squareRoot()) / 2 }

    /// Returns the density at `x`.
    public func density(_ x: Double) -> Double {
        let z = (x - mean) / deviation
        return exp(-z * z / 2) / (deviation * (2 * Double.pi).squareRoot())
    }

    /// Returns the `p` quantile: -infinity at 0, infinity at 1, NaN outside [0, 1].
    ///
    /// The initial value comes from formula 26.2.23 of Abramowitz and Stegun; Halley's method on the error function
    /// refines it.
    public func quantile(_ p: Double) -> Double {
        guard p >= 0, p <= 1 else { return .nan }
        if p == 0 { return -.infinity }
        if p == 1 { return .infinity }
        if p == 0.5 { return mean }
        let tail = min(p, 1 - p)
        let t = (-2 * log(tail)).squareRoot()
        var z =
            t - (2.515517 + t * (0.802853 + t * 0.010328))
            / (1 + t * (1.432788 + t * (0.189269 + t * 0.001308)))
        for _ in 0..<3 {
            let density = exp(-z * z / 2) / (2 * Double.pi).squareRoot()
            guard density > 0 else { break }
            let step = (erfc(z * 0.5.squareRoot()) / 2 - tail) / density
            z += step / (1 - z * step / 2)
        }
        return mean + deviation * (p < 0.5 ? -z : z)
    }
}
