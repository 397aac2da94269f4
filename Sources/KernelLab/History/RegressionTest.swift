internal import Formatting

/// Decides whether a kernel has become slower, from its ratios to the ceiling of the same moment.
///
/// A run is compared with the last good runs of the same kernel, sizes, threads, machine and ceiling. What clock and
/// temperature do is in neither, since each ratio is taken within some ms; what remains is the scatter between runs,
/// which is estimated from those runs without being moved by a few bad ones.
///
/// A run that lies below their median by two deviations and 2 % is suspicious, but raises no alarm yet: it is measured
/// again. The kernel has regressed if the second measurement is suspicious too, and both together are lower by three
/// deviations and 2.5 %. Two looks find small drops that one look must leave to chance, and a neighbor who disturbs one
/// of them raises no alarm.
///
/// With a scatter of σ, n earlier runs and k looks, the difference of their mean to the median has a deviation of about
/// σ √(1/k + π/2n) (the median of n normal values has the variance πσ²/2n).
public struct RegressionTest: Hashable, Sendable {
    /// A drop that is too small to matter, whatever the noise: 2.5 %.
    public var smallestDrop = 0.025
    /// How many deviations a drop must have: 3.
    public var deviations = 3.0
    /// The same for a suspicion: 2 % and 2 deviations.
    public var smallestSuspicion = 0.02
    public var suspiciousDeviations = 2.0
    /// The least scatter that is believed, of a few runs that happen to agree: 0.4 %.
    public var leastScatter = 0.004
    /// Earlier runs below which nothing is judged.
    public var fewestRuns = 5
    /// Earlier runs that are looked at, the latest.
    public var window = 20

    public init() {}

    /// What a comparison found.
    public struct Judgement: Hashable, Sendable {
        /// The median share of the earlier runs.
        public var baseline: Double
        /// How much lower the looks are on average, as a part of it; negative where they are higher.
        public var drop: Double
        /// Drop beyond which these samples together are lower than noise explains.
        public var threshold: Double
        /// Whether every look is suspicious: worth another.
        public var isSuspicious: Bool

        /// Whether the looks are suspicious one by one and too low together.
        public var isLower: Bool { isSuspicious && drop > threshold }
    }

    /// Compares one look with earlier runs.
    public func judge(_ share: Double, against earlier: [Double]) -> Judgement? {
        judge([share], against: earlier)
    }

    /// Compares looks at the same kernel with earlier runs, the oldest first; nil with too few of those.
    public func judge(_ looks: [Double], against earlier: [Double]) -> Judgement? {
        let recent = earlier.suffix(window).filter { $0 > 0 }
        guard recent.count >= fewestRuns, !looks.isEmpty, looks.allSatisfy(\.isFinite) else { return nil }
        let baseline = median(recent)
        let scatter = max(leastScatter, Self.scatter(recent.map { $0 / baseline }))
        func deviation(_ count: Int) -> Double {
            scatter * (1 / Double(count) + Double.pi / 2 / Double(recent.count)).squareRoot()
        }
        let drops = looks.map { 1 - $0 / baseline }
        let suspicious = max(smallestSuspicion, suspiciousDeviations * deviation(1))
        return Judgement(
            baseline: baseline, drop: drops.reduce(0, +) / Double(looks.count),
            threshold: max(smallestDrop, deviations * deviation(looks.count)),
            isSuspicious: drops.allSatisfy { $0 > suspicious })
    }

    /// The standard deviation of normal values by the median distance from their median, with the factors that make
    /// it right for few values.
    ///
    /// Source: Croux, Rousseeuw, "Time-efficient algorithms for two highly robust estimators of scale", COMPSTAT 1992.
    static func scatter(_ values: [Double]) -> Double {
        let factors = [0, 0, 1.196, 1.495, 1.363, 1.206, 1.200, 1.140, 1.129, 1.107]
        guard values.count >= 2 else { return 0 }
        let center = median(values)
        let count = Double(values.count)
        let factor = values.count < factors.count ? factors[values.count] : count / (count - 0.8)
        return 1.4826 * factor * median(values.map { abs($0 - center) })
    }
}

/// A kernel that has become slower.
public struct Regression: Hashable, Sendable {
    public var run: KernelRun
    /// The expected share.
    public var baseline: Double
    /// How much lower it is, as a part.
    public var drop: Double
    /// The drop that noise explains.
    public var threshold: Double

    public init?(_ run: KernelRun) {
        guard run.verdict == .regressed, let baseline = run.baseline, let threshold = run.threshold,
            let drop = run.drop
        else { return nil }
        self.run = run
        self.baseline = baseline
        self.drop = drop
        self.threshold = threshold
    }

    /// `gemm-f32/avx512 (m=256 n=256 k=256) fell by 5.1 % to 0.874 of FMA f32 AVX-512; noise explains 2.7 %.`
    public var sentence: String {
        "\(run.operation)/\(run.variant) (\(run.shape)) fell by \(Format.percent(drop, digits: 1)) to "
            + "\(Format.fixed(run.share, digits: 3)) of \(run.ceiling); noise explains up to \(Format.percent(threshold, digits: 1))."
    }
}
