internal import Glibc

/// The normal distribution.
public struct NormalDistribution: Hashable, Sendable {
    /// Where it is highest.
    public var mean: Double
    /// Standard deviation, greater than 0.
    public var deviation: Double

    /// Deviation above 0.
    public init(mean: Double = 0, deviation: Double = 1) {
        self.mean = mean
        self.deviation = deviation
    }

    /// Mean 0, deviation 1.
    public static let standard = NormalDistribution()

    /// How likely a value is at most `x`: erfc(-(x - mean) / (deviation sqrt 2)) / 2.
    public func cumulative(_ x: Double) -> Double { erfc(-(x - mean) / deviation * 0.5.squareRoot()) / 2 }

    /// How likely a value is above `x`, exact far out too.
    public func survival(_ x: Double) -> Double { erfc((x - mean) / deviation * 0.5.squareRoot()) / 2 }

    /// The density at x.
    public func density(_ x: Double) -> Double {
        let z = (x - mean) / deviation
        return exp(-z * z / 2) / (deviation * (2 * Double.pi).squareRoot())
    }

    /// The value below which a share `p` lies; -inf at 0, +inf at 1, NaN outside.
    ///
    /// Abramowitz and Stegun, formula 26.2.23, then steps of Halley's method on the error function.
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
