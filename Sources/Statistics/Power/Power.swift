internal import Glibc

/// Statistical power of a comparison, from the standard error of its difference.
///
/// All tests are two-sided at level `alpha`. With degrees of freedom, Student's quantiles replace normal quantiles.
/// - Source: Miller, arXiv 2411.00640, section 5; for the t quantiles: Bloom, Evaluation Review 19 (1995).
public enum Power {
    /// Returns the smallest true difference detected with probability `power`: (t_{1-alpha/2} + t_{power}) SE.
    public static func smallestEffect(
        standardError: Double, degrees: Double = .infinity, alpha: Double = 0.05, power: Double = 0.8
    ) -> Double {
        let t = StudentDistribution(degrees: degrees)
        return (t.quantile(1 - alpha / 2) + t.quantile(power)) * standardError
    }

    /// Returns the probability of detecting a true difference of `effect`; `nil` if the standard error is 0.
    public static func achieved(
        effect: Double, standardError: Double, degrees: Double = .infinity, alpha: Double = 0.05
    ) -> Double? {
        guard standardError > 0 else { return nil }
        let t = StudentDistribution(degrees: degrees)
        let critical = t.quantile(1 - alpha / 2)
        let shift = abs(effect) / standardError
        return min(1, t.survival(critical - shift) + t.cumulative(-critical - shift))
    }

    /// Returns the number of samples needed to detect a true difference of `effect`.
    ///
    /// samples ((z_{1-alpha/2} + z_{power}) SE / effect)², rounded up, but at least 2.
    /// - Parameter samples: Number of samples of the same kind that gave this standard error.
    /// - Returns: `nil` if the effect is 0 or the number is at least 1e15.
    public static func neededSamples(
        effect: Double, standardError: Double, samples: Int, alpha: Double = 0.05, power: Double = 0.8
    ) -> Int? {
        let ratio = smallestEffect(standardError: standardError, alpha: alpha, power: power) / abs(effect)
        let needed = (Double(samples) * ratio * ratio).rounded(.up)
        return needed.isFinite && needed < 1e15 ? max(2, Int(needed)) : nil
    }
}

/// The variance components of a paired difference with several attempts per sample.
///
/// n = (z_{1-alpha/2} + z_{power})² (w² + s_A²/K_A + s_B²/K_B) / delta².
/// - Source: Miller, arXiv 2411.00640, equation 9.
public struct PairedDesign: Hashable, Sendable {
    /// Between-sample variance of the true differences, w².
    public var betweenVariance: Double
    /// Mean variance between attempts on the same sample in A, s_A².
    public var varianceA: Double
    /// Mean variance between attempts on the same sample in B, s_B².
    public var varianceB: Double
    /// Number of attempts per sample in A, K_A.
    public var epochsA: Int
    /// Number of attempts per sample in B, K_B.
    public var epochsB: Int

    /// Creates a design from the variances between and within samples.
    public init(
        betweenVariance: Double, varianceA: Double = 0, epochsA: Int = 1, varianceB: Double = 0, epochsB: Int = 1
    ) {
        self.betweenVariance = betweenVariance
        self.varianceA = varianceA
        self.epochsA = max(epochsA, 1)
        self.varianceB = varianceB
        self.epochsB = max(epochsB, 1)
    }

    /// Variance of one sample's difference.
    public var variance: Double {
        betweenVariance + varianceA / Double(epochsA) + varianceB / Double(epochsB)
    }

    /// Returns the number of samples needed to detect `effect`; `nil` for an effect of 0.
    public func sampleSize(effect: Double, alpha: Double = 0.05, power: Double = 0.8) -> Int? {
        Power.neededSamples(
            effect: effect, standardError: variance.squareRoot(), samples: 1, alpha: alpha, power: power)
    }

    /// Returns the smallest effect that `samples` detect with this power; `nil` if there are no samples.
    public func smallestEffect(samples: Int, alpha: Double = 0.05, power: Double = 0.8) -> Double? {
        guard samples > 0 else { return nil }
        return Power.smallestEffect(
            standardError: (variance / Double(samples)).squareRoot(), alpha: alpha, power: power)
    }

    /// Returns the probability of detecting `effect`; `nil` if there are no samples or the variance is 0.
    public func power(effect: Double, samples: Int, alpha: Double = 0.05) -> Double? {
        guard samples > 0 else { return nil }
        return Power.achieved(effect: effect, standardError: (variance / Double(samples)).squareRoot(), alpha: alpha)
    }
}
