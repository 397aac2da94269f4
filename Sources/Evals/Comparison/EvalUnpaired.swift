public import EvalLogs
public import Statistics

/// The difference of the means of two runs with unrelated samples.
///
/// Epochs of a sample are averaged first. If all values are 0 or 1 and independent, the interval is Newcombe's and p is
/// the level at which it reaches 0; otherwise both are Welch's, with clusters if the samples have them.
public struct EvalUnpaired: Sendable {
    /// Run A, the baseline; run B is the candidate.
    public let a: EvalRun
    public let b: EvalRun
    /// Measure to compare by.
    public let measure: EvalMeasure
    /// Mean of A; `nil` if A has no value.
    public let meanA: MeanEstimate?
    public let meanB: MeanEstimate?
    /// B - A; `nil` if a run has no value.
    public let difference: Double?
    /// Confidence interval of the difference at 95 %; `nil` if a run has no value.
    public let interval: Interval?
    /// Two-sided p value of `test`; below 1 - level exactly if the interval excludes 0.
    public let p: Double?
    /// The test that gives both `p` and `interval`.
    public let test: Test
    /// The smallest true difference that a comparison like this finds in 80 of 100 cases.
    public let smallestDetectable: Double?
    /// Number of samples without a value.
    public let unscoredA: Int
    public let unscoredB: Int
    /// Number of samples in both runs, for which the paired comparison is more sensitive.
    public let shared: Int
    let isPoints: Bool

    /// Tests for unpaired samples.
    public enum Test: String, Hashable, Sendable, CaseIterable {
        /// Newcombe's interval for the difference of two shares, inverted.
        case newcombe
        /// Welch's test for two means.
        case welch

        /// The name on screens and in reports.
        public var name: String { self == .newcombe ? "Newcombe's method" : "Welch's t test" }
    }

    public init(_ join: EvalJoin, measure: EvalMeasure, options: EvalDiffOptions = EvalDiffOptions()) {
        a = join.a
        b = join.b
        self.measure = measure
        shared = join.samples.count
        let one = Side(join.a, join.rowsA, measure, isB: false)
        let other = Side(join.b, join.rowsB, measure, isB: true)
        unscoredA = one.unscored
        unscoredB = other.unscored
        meanA = one.mean
        meanB = other.mean
        isPoints = measure.passesAt != nil && (one.values + other.values).allSatisfy { (0...1).contains($0) }
        let found = UnpairedDifference(
            a: one.values, clustersA: one.clusters, b: other.values, clustersB: other.clusters)
        difference = found?.difference
        let isBinary = (one.values + other.values).allSatisfy { $0 == 0 || $0 == 1 }
        if isBinary, one.clusters == nil, other.clusters == nil {
            let (hitsA, hitsB) = (one.values.count { $0 == 1 }, other.values.count { $0 == 1 })
            func newcombe(_ level: Double) -> Interval? {
                ProportionInterval.newcombe(
                    hitsA: hitsA, countA: one.values.count, hitsB: hitsB, countB: other.values.count, level: level)
            }
            test = .newcombe
            interval = newcombe(options.level)
            p = Self.p { newcombe($0) }
        } else {
            test = .welch
            // Without any variance, the error is unknown.
            let isKnown = (found?.standardError ?? 0) > 0
            interval = isKnown ? found?.interval(level: options.level) : nil
            p = isKnown ? found?.pValue() : nil
        }
        smallestDetectable = found?.standardError.flatMap { error in
            error > 0
                ? Power.smallestEffect(
                    standardError: error, degrees: found?.estimate.degrees ?? .infinity, alpha: 1 - options.level,
                    power: options.power) : nil
        }
    }

    /// Returns the p value behind an interval: 1 - level for the level at which the interval just reaches 0.
    private static func p(_ interval: (Double) -> Interval?) -> Double? {
        var (low, high) = (0.0, 1.0)
        for _ in 0..<60 {
            let p = (low + high) / 2
            guard let found = interval(1 - p) else { return nil }
            if found.contains(0) { low = p } else { high = p }
        }
        return high > 1 - 1e-9 ? 1 : high
    }

    /// Worse if the whole interval is on the bad side of 0, allowed if none of it is.
    public var outcome: EvalVerdict.Outcome {
        guard let interval, a.state == .done, b.state == .done else { return .cannotTell }
        let (least, most) =
            measure.moreIsBetter ? (interval.lower, interval.upper) : (-interval.upper, -interval.lower)
        return most < 0 ? .worse : least >= 0 ? .allowed : .cannotTell
    }

    /// The samples of a run, with one value each.
    private struct Side {
        var values: [Double] = []
        /// Cluster of each sample; `nil` if samples are independent.
        var clusters: [Int]?
        var unscored = 0

        init(_ run: EvalRun, _ rows: [EvalRow], _ measure: EvalMeasure, isB: Bool) {
            // Joined with itself, each sample has one value, reduced as the task does.
            let itself = EvalJoin(run, rows, run, rows)
            let pairing = EvalPairing(itself, isB ? measure.mirrored : measure, EvalDiffOptions(), [])
            let samples = itself.samples.map { pairing.pair($0, isAlone: true) }
            let scored = samples.filter { !$0.valueA.isNaN }
            unscored = samples.count - scored.count
            values = scored.map(\.valueA)
            if scored.contains(where: { $0.cluster != nil }) { clusters = clusterNumbers(scored.map(\.cluster)) }
        }

        var mean: MeanEstimate? {
            clusters.map { MeanEstimate(of: values, clusters: $0) } ?? MeanEstimate(of: values)
        }
    }
}
