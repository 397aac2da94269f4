internal import Glibc

/// What a comparison can see, from the standard error of its difference.
///
/// Two-sided tests at level `alpha` throughout. With degrees of freedom the quantiles of Student's distribution stand in
/// for those of the normal one.
/// - Source: Miller, arXiv 2411.00640, section 5; for the t quantiles: Bloom, Evaluation Review 19 (1995).
public enum Power {
    /// The smallest true difference that is found in a share `power` of all runs: (t_{1-alpha/2} + t_{power}) SE.
    public static func smallestEffect(
        standardError: Double, degrees: Double = .infinity, alpha: Double = 0.05, power: Double = 0.8
    ) -> Double {
        let t = StudentDistribution(degrees: degrees)
        return (t.quantile(1 - alpha / 2) + t.quantile(power)) * standardError
    }

    /// The share of runs in which a true difference of `effect` is found; nil for a standard error of 0.
    public static func achieved(
        effect: Double, standardError: Double, degrees: Double = .infinity, alpha: Double = 0.05
    ) -> Double? {
        guard standardError > 0 else { return nil }
        let t = StudentDistribution(degrees: degrees)
        let critical = t.quantile(1 - alpha / 2)
        let shift = abs(effect) / standardError
        return min(1, t.survival(critical - shift) + t.cumulative(-critical - shift))
    }

    /// How many samples it takes to find a true difference of `effect`, where `samples` of the same kind gave this
    /// standard error: samples ((z_{1-alpha/2} + z_{power}) SE / effect)², rounded up.
    ///
    /// - Returns: nil for an effect of 0 and where the number is beyond all use.
    public static func neededSamples(
        effect: Double, standardError: Double, samples: Int, alpha: Double = 0.05, power: Double = 0.8
    ) -> Int? {
        let ratio = smallestEffect(standardError: standardError, alpha: alpha, power: power) / abs(effect)
        let needed = (Double(samples) * ratio * ratio).rounded(.up)
        return needed.isFinite && needed < 1e15 ? max(2, Int(needed)) : nil
    }
}

/// The parts of the variance of a paired difference whose samples are asked several times.
///
/// n = (z_{1-alpha/2} + z_{power})² (w² + s_A²/K_A + s_B²/K_B) / delta².
/// - Source: Miller, arXiv 2411.00640, equation 9.
public struct PairedDesign: Hashable, Sendable {
    /// w²: the variance between samples of the true differences.
    public var betweenVariance: Double
    /// s²: the mean variance within a sample, from one answer to the next.
    public var varianceA: Double
    /// The same of B.
    public var varianceB: Double
    /// K: how often each sample is asked.
    public var epochsA: Int
    /// The same of B.
    public var epochsB: Int

    /// Variances within and between questions, as planned.
    public init(
        betweenVariance: Double, varianceA: Double = 0, epochsA: Int = 1, varianceB: Double = 0, epochsB: Int = 1
    ) {
        self.betweenVariance = betweenVariance
        self.varianceA = varianceA
        self.epochsA = max(epochsA, 1)
        self.varianceB = varianceB
        self.epochsB = max(epochsB, 1)
    }

    /// The variance of one sample's difference.
    public var variance: Double {
        betweenVariance + varianceA / Double(epochsA) + varianceB / Double(epochsB)
    }

    /// Samples needed to find `effect`; nil for an effect of 0.
    public func sampleSize(effect: Double, alpha: Double = 0.05, power: Double = 0.8) -> Int? {
        Power.neededSamples(
            effect: effect, standardError: variance.squareRoot(), samples: 1, alpha: alpha, power: power)
    }

    /// The smallest effect that is found with this power.
    public func smallestEffect(samples: Int, alpha: Double = 0.05, power: Double = 0.8) -> Double? {
        guard samples > 0 else { return nil }
        return Power.smallestEffect(
            standardError: (variance / Double(samples)).squareRoot(), alpha: alpha, power: power)
    }

    /// How often an effect of this size is found.
    public func power(effect: Double, samples: Int, alpha: Double = 0.05) -> Double? {
        guard samples > 0 else { return nil }
        return Power.achieved(effect: effect, standardError: (variance / Double(samples)).squareRoot(), alpha: alpha)
    }
}
