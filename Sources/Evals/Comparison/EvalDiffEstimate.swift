public import Statistics

/// The difference between two runs on some samples, with its uncertainty.
public struct EvalDiffEstimate: Hashable, Sendable {
    /// Number of pairs with a value in both runs.
    public var samples: Int
    /// Number of clusters; `nil` if samples are independent.
    public var clusters: Int?
    /// Mean over samples of A, on the scale of the measure.
    public var meanA: Double
    public var meanB: Double
    /// Difference B - A.
    public var difference: Double
    /// Standard error of the difference; `nil` for a single sample or cluster.
    public var standardError: Double?
    /// Degrees of freedom of the standard error; `nil` if unknown.
    public var degrees: Double?
    /// Interval of the difference by `test`; it excludes 0 exactly if `p` is below 1 - level.
    public var interval: Interval?
    /// Two-sided p value of `test`.
    public var p: Double?
    /// The test that gives both `p` and `interval`.
    public var test: PairedTest.Kind
    /// `p` and `interval`, corrected for multiple comparisons; `nil` for a single comparison.
    public var adjusted: Adjusted?
    /// p value of McNemar's exact test, if all values are 0 or 1. For reports that name that test; it has no interval.
    public var exactP: Double?
    /// The mean difference in standard deviations of the differences (Cohen's d_z).
    public var effectSize: Double?
    /// Number of samples that changed in each direction.
    public var flips: EvalFlips
    /// The smallest true difference that a comparison like this finds in 80 % (`EvalDiffOptions.power`) of all cases.
    public var smallestDetectable: Double?
    /// Power: how often a comparison like this detects a true difference of the observed size.
    public var power: Double?
    /// Number of samples needed to detect a difference of the observed size with that power.
    public var neededSamples: Int?
    /// Whether all values are 0 or 1.
    public var isBinary: Bool
    /// Whether all values are in [0, 1], so that differences are shown in points (hundredths).
    public var isShare: Bool
    private let paired: PairedTest

    /// A p value and an interval corrected for multiple comparisons; they agree as `p` and `interval` do.
    public struct Adjusted: Hashable, Sendable {
        public var p: Double
        /// Interval whose level holds for all comparisons together.
        public var interval: Interval?
    }

    /// - Parameters:
    ///   - clusters: Cluster of each sample; `nil` if samples are independent.
    ///   - flips: Number of samples that changed between passing and failing.
    /// - Returns: `nil` if there are no samples.
    init?(
        a: [Double], b: [Double], clusters: [Int]?, flips: EvalFlips, options: EvalDiffOptions
    ) {
        guard let paired = PairedTest(a: a, b: b, clusters: clusters) else { return nil }
        self.paired = paired
        let estimate = paired.estimate
        samples = estimate.count
        self.clusters = estimate.clusters
        let count = Double(samples)
        meanA = a.reduce(0, +) / count
        meanB = b.reduce(0, +) / count
        difference = estimate.mean
        standardError = estimate.standardError
        degrees = estimate.degrees
        interval = paired.interval(level: options.level)
        p = paired.p
        test = paired.kind
        self.flips = flips
        isBinary = a.allSatisfy { $0 == 0 || $0 == 1 } && b.allSatisfy { $0 == 0 || $0 == 1 }
        isShare = a.allSatisfy { $0 >= 0 && $0 <= 1 } && b.allSatisfy { $0 >= 0 && $0 <= 1 }
        var squares = 0.0
        for (was, now) in zip(a, b) { squares += (now - was - difference) * (now - was - difference) }
        if samples > 1, squares > 0 { effectSize = difference / (squares / (count - 1)).squareRoot() }
        if isBinary {
            exactP = McNemarTest(fixed: zip(a, b).count { $0 < $1 }, broken: zip(a, b).count { $0 > $1 }).exactP
        }
        guard let error = paired.error(level: options.level), error.standardError > 0 else { return }
        let alpha = 1 - options.level
        smallestDetectable = Power.smallestEffect(
            standardError: error.standardError, degrees: error.degrees, alpha: alpha, power: options.power)
        power = Power.achieved(
            effect: difference, standardError: error.standardError, degrees: error.degrees, alpha: alpha)
        neededSamples = Power.neededSamples(
            effect: difference, standardError: error.standardError, samples: samples, alpha: alpha, power: options.power
        )
    }

    /// Corrects `p` and `interval` for multiple comparisons.
    ///
    /// - Parameter factor: Factor for `p`; see `Multiplicity.factors`.
    mutating func adjust(by factor: Double, level: Double) {
        adjusted = p.map {
            Adjusted(
                p: min(1, $0 * factor),
                interval: paired.interval(level: 1 - (1 - level) / factor).map {
                    Interval(lower: $0.lower, upper: $0.upper, level: level)
                })
        }
    }
}

/// Options of a comparison.
public struct EvalDiffOptions: Hashable, Sendable {
    /// Confidence level of the interval.
    public var level: Double
    /// Statistical power for the smallest detectable effect and the needed samples.
    public var power: Double
    /// Whether a sample that ended in an error counts as 0 (for a score for which higher is better), instead of as a
    /// sample without a score.
    public var countsErrorsAsFailures: Bool
    /// Properties to group by (default: all that both runs have).
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
