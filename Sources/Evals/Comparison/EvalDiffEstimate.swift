public import Statistics

/// How two runs differ on some samples, and how sure that is.
public struct EvalDiffEstimate: Hashable, Sendable {
    /// Where p is from.
    public enum Test: String, Hashable, Sendable, CaseIterable {
        /// t test of the differences; of their clusters where there are some.
        case paired
        /// McNemar's test, where all values are 0 or 1 and each sample stands alone; the interval is Tango's, of the same
        /// score.
        case mcNemar
        /// From the bound of Wilson where all samples (or clusters) differ by the same; without bounds the sign test.
        case sign
    }

    /// Pairs that both runs have a value for.
    public var samples: Int
    /// nil where each sample stands alone.
    public var clusters: Int?
    /// Over samples, on the scale of the measure.
    public var meanA: Double
    public var meanB: Double
    /// B - A.
    public var difference: Double
    /// nil where it cannot be told: one sample, one cluster.
    public var standardError: Double?
    /// Degrees of freedom of the t distribution; nil where no t test was made.
    public var degrees: Double?
    /// Of the difference.
    public var interval: Interval?
    /// Both sides.
    public var p: Double?
    /// Which test `p` is of.
    public var test: Test
    /// p by Holm's rule among the slices; nil for the whole.
    public var adjustedP: Double?
    /// p of McNemar's exact test, where all values are 0 or 1.
    public var mcNemarP: Double?
    /// The mean difference in standard deviations of the differences (Cohen's d_z).
    public var effectSize: Double?
    /// How many samples turned which way.
    public var flips: EvalFlips
    /// The smallest true difference that a comparison like this finds in 80 % (`EvalDiffOptions.power`) of all cases.
    public var smallestDetectable: Double?
    /// How often a comparison like this finds a true difference of the size that was seen.
    public var power: Double?
    /// How many such samples it takes to find a difference of the size that was seen with that power.
    public var neededSamples: Int?
    /// Whether all values are 0 or 1.
    public var isBinary: Bool
    /// Whether all values lie in [0, 1], so that a hundredth is a point.
    public var isShare: Bool

    /// Fewer samples than this that turned are too few to tell by how much clusters differ.
    static let fewFlips = 25

    /// - Parameters:
    ///   - clusters: of each sample; nil where each stands alone.
    ///   - flips: how many of these samples turned.
    /// - Returns: nil for no samples.
    init?(
        a: [Double], b: [Double], clusters: [Int]?, flips: EvalFlips, options: EvalDiffOptions
    ) {
        guard let estimate = PairedDifference.estimate(a: a, b: b, clusters: clusters) else { return nil }
        samples = estimate.count
        self.clusters = estimate.clusters
        let count = Double(samples)
        meanA = a.reduce(0, +) / count
        meanB = b.reduce(0, +) / count
        difference = estimate.mean
        standardError = estimate.standardError
        degrees = estimate.degrees
        interval = estimate.interval(level: options.level)
        p = estimate.pValue()
        test = .paired
        self.flips = flips
        isBinary = a.allSatisfy { $0 == 0 || $0 == 1 } && b.allSatisfy { $0 == 0 || $0 == 1 }
        isShare = a.allSatisfy { $0 >= 0 && $0 <= 1 } && b.allSatisfy { $0 >= 0 && $0 <= 1 }
        var squares = 0.0
        var (up, down) = (0, 0)
        for (was, now) in zip(a, b) {
            let gap = now - was
            squares += (gap - difference) * (gap - difference)
            if gap > 0 { up += 1 } else if gap < 0 { down += 1 }
        }
        if samples > 1, squares > 0 { effectSize = difference / (squares / (count - 1)).squareRoot() }
        if isBinary { mcNemarP = McNemarTest(fixed: up, broken: down).exactP }
        // Sums of the same numbers in another order differ in their last bits; those are no deviation.
        let size = zip(a, b).reduce(0) { max($0, abs($1.0), abs($1.1)) }
        let isConstant = samples > 1 && standardError.map { $0 <= 1e-12 * size } ?? false
        var error = standardError
        var freedom = degrees ?? .infinity
        let hasNoTurn = isShare && up + down == 0
        if clusters == nil, isBinary || hasNoTurn, samples > 1,
            let shares = PairedShares(fixed: up, broken: down, count: samples)
        {
            let found = shares.interval(level: options.level)
            interval = found
            p = shares.p
            test = .mcNemar
            error = found.width / 2 / Self.quantile(options.level)
            freedom = .infinity
            if isConstant { standardError = error }
        } else if isConstant {
            settle(level: options.level)
            error = standardError
            freedom = degrees ?? .infinity
        } else if isBinary {
            error = widen(up: up, down: down, level: options.level)
        }
        guard let error, error > 0 else { return }
        let alpha = 1 - options.level
        smallestDetectable = Power.smallestEffect(
            standardError: error, degrees: freedom, alpha: alpha, power: options.power)
        power = Power.achieved(effect: difference, standardError: error, degrees: freedom, alpha: alpha)
        neededSamples = Power.neededSamples(
            effect: difference, standardError: error, samples: samples, alpha: alpha, power: options.power)
    }

    /// z such that a normal interval of this level is ± z errors wide.
    private static func quantile(_ level: Double) -> Double {
        -NormalDistribution.standard.quantile((1 - level) / 2)
    }

    /// What can be said where all samples, or all clusters in sum, differ by the same, so that the deviation is 0.
    ///
    /// None of n units was other than the rest: by Wilson's bound for 0 of n up to q = z² / (n + z²) of all may be, and each
    /// of those may differ by anything from -1 to 1. p is of the z at which that bound reaches 0: z² = n |difference|. Of a
    /// figure without such bounds nothing is said before `fewestEqual` units, and p is that of the sign test.
    private mutating func settle(level: Double) {
        let units = clusters ?? samples
        test = .sign
        guard units > 1, isShare else {
            p = difference == 0 ? 1 : McNemarTest(fixed: units, broken: 0).exactP
            if units < Self.fewestEqual { interval = nil }
            standardError = units < Self.fewestEqual ? nil : 0
            return
        }
        let other = ProportionInterval.wilson(hits: 0, count: units, level: level)?.upper ?? 1
        interval = Interval(
            lower: difference - other * (1 + difference), upper: difference + other * (1 - difference), level: level)
        let reach = (Double(units) * abs(difference)).squareRoot()
        p = min(1, 2 * NormalDistribution.standard.survival(reach))
        standardError = other / Self.quantile(level)
        degrees = Double(units - 1)
    }

    /// So many equal differences, and fewer, say nothing of a figure without bounds.
    static let fewestEqual = 20

    /// Where few samples of clusters turned: the interval holds Tango's of the samples as well, since clusters that happen
    /// to agree do not mean that all would. p is the larger one, so that interval and p still say the same.
    ///
    /// - Returns: the standard error that fits.
    private mutating func widen(up: Int, down: Int, level: Double) -> Double? {
        guard up + down < Self.fewFlips, let own = interval,
            let shares = PairedShares(fixed: up, broken: down, count: samples)
        else { return standardError }
        let alone = shares.interval(level: level)
        interval = Interval(lower: min(own.lower, alone.lower), upper: max(own.upper, alone.upper), level: level)
        p = max(p ?? 1, shares.p)
        let error = max(standardError ?? 0, alone.width / 2 / Self.quantile(level))
        standardError = error
        return error
    }
}

/// How a comparison goes about it.
public struct EvalDiffOptions: Hashable, Sendable {
    /// Of the interval.
    public var level: Double
    /// What smallest detectable effect and needed samples are told for.
    public var power: Double
    /// Whether a sample that ended in an error counts as 0 (of a score that is better the higher it is), instead of as one
    /// without a score.
    public var countsErrorsAsFailures: Bool
    /// The properties to group by; nil takes all that both runs have.
    public var slices: [String]?

    public init(
        level: Double = 0.95, power: Double = 0.8, countsErrorsAsFailures: Bool = false, slices: [String]? = nil
    ) {
        self.level = min(max(level, 0.5), 0.999_999)
        self.power = min(max(power, 0.01), 0.999_999)
        self.countsErrorsAsFailures = countsErrorsAsFailures
        self.slices = slices
    }
}
