public import EvalLogs
internal import Statistics
public import System
internal import Traces

/// The change from run A to run B by one measure: per sample, regressions first, and in total.
///
/// Epochs of a sample are reduced first, as in the run's task (``EvalRun/reducer``). If they are averaged, a sample
/// passes if at least half of its epochs pass.
public struct EvalDiff: Sendable {
    /// Run A, the baseline; run B is the candidate.
    public let a: EvalRun
    public let b: EvalRun
    /// Measure to compare by.
    public let measure: EvalMeasure
    public let options: EvalDiffOptions
    /// Pairs of samples: broken ones with the largest loss first, then other losses, fixed ones, gains, and the rest.
    public let pairs: [EvalPair]
    /// Estimate over all samples with a value in both runs; `nil` if there are none.
    public let total: EvalDiffEstimate?
    /// Properties of samples that both runs record.
    public let sliceNames: [String]
    /// Slices by property and value. Their p values and intervals are Holm-corrected over all slices.
    public let slices: [EvalSliceDiff]
    /// Number of joined samples without a value in A, and in B.
    public private(set) var unscoredA = 0
    public private(set) var unscoredB = 0
    /// Number of joined samples with a value in A but not in B.
    public private(set) var lost = 0
    /// Number of those samples that ended in an error in B.
    public private(set) var lostToErrors = 0
    /// Number of joined samples with the same recorded answer in both runs, which proves nothing about equality.
    public let copies: Int
    /// Whether A and B are the same run, so that a comparison says nothing.
    public let isOfOneRun: Bool
    /// Number of samples with a value in A that B lacks: it ended early, or covers fewer samples.
    public let missing: Int
    /// Whether most inputs differ, so that samples match by name only.
    let isOfOtherSamples: Bool
    /// Warnings about the runs, as whole sentences without a full stop.
    public let warnings: [String]
    /// Number of rows in one run only.
    public let onlyA: Int
    public let onlyB: Int

    /// Creates the comparison of two runs. O(n log n) for n samples.
    public init(_ join: EvalJoin, measure: EvalMeasure, options: EvalDiffOptions = EvalDiffOptions()) {
        a = join.a
        b = join.b
        self.measure = measure
        self.options = options
        onlyA = join.onlyA.count
        onlyB = join.onlyB.count
        warnings = join.warnings
        isOfOtherSamples = join.isOfOtherSamples
        isOfOneRun = join.isOfOneRun
        var missing = Set<String>()
        for place in join.onlyA where measure.value(join.rowsA[place], isB: false) != nil {
            missing.insert(join.rowsA[place].id)
        }
        self.missing = missing.count
        let shared = join.a.slices.filter { join.b.slices.contains($0) }
        sliceNames = options.slices.map { wanted in shared.filter { wanted.contains($0) } } ?? shared
        let pairing = EvalPairing(join, measure, options, sliceNames)
        let pairs = join.samples.map { pairing.pair($0) }
        copies = pairs.count(where: \.isCopy)
        for (pair, sample) in zip(pairs, join.samples) where !pair.change.isScored {
            if pair.valueA.isNaN { unscoredA += 1 }
            if pair.valueB.isNaN { unscoredB += 1 }
            guard pair.change == .lost else { continue }
            lost += 1
            if sample.b.contains(where: { join.rowsB[$0].outcome == .error }) { lostToErrors += 1 }
        }
        let scored = pairs.indices.filter { pairs[$0].change.isScored }
        let hasClusters = pairs.contains { $0.cluster != nil }
        // Slices share the clusters of the whole; numbering in the order of A keeps sums reproducible.
        let clusters = hasClusters ? clusterNumbers(pairs.map(\.cluster)) : nil
        func estimate(_ places: [Int]) -> EvalDiffEstimate? {
            var flips = EvalFlips()
            for place in places { flips.count(pairs[place].change) }
            return EvalDiffEstimate(
                a: places.map { pairs[$0].valueA }, b: places.map { pairs[$0].valueB },
                clusters: clusters.map { numbers in places.map { numbers[$0] } }, flips: flips,
                options: options)
        }
        total = estimate(scored)
        var slices: [EvalSliceDiff] = []
        for (column, name) in sliceNames.enumerated() {
            let groups = Dictionary(grouping: scored) { pairs[$0].slices[column] }
            // A property with a different value for almost every sample is not a slice.
            guard groups.count <= max(EvalSliceDiff.most, scored.count / 4) else { continue }
            let largest = groups.sorted { ($1.value.count, $0.key) < ($0.value.count, $1.key) }
            for (value, places) in largest.prefix(EvalSliceDiff.most) {
                guard let estimate = estimate(places) else { continue }
                slices.append(EvalSliceDiff(name: name, value: value, estimate: estimate))
            }
        }
        let tested = slices.indices.filter { slices[$0].estimate.p != nil }
        let factors = Multiplicity.factors(tested.map { slices[$0].estimate.p ?? 1 }, by: .holm)
        for (place, factor) in zip(tested, factors) {
            slices[place].estimate.adjust(by: factor, level: options.level)
        }
        self.slices = slices
        let keys = pairs.indices.map { place in
            // Losses from the largest, then gains from the largest.
            let rank = pairs[place].rank
            return (rank: rank, gain: rank < 3 ? pairs[place].gain : -pairs[place].gain, place: place)
        }
        let order = keys.sorted { $0 < $1 }.map(\.place)
        self.pairs = order.map { pairs[$0] }
    }

    /// Joins two runs and compares them by the measure with this name (default: the first score).
    public init(
        _ join: EvalJoin, measure name: String?, options: EvalDiffOptions = EvalDiffOptions()
    ) throws(Problem) {
        self.init(join, measure: try join.measure(named: name), options: options)
    }

    /// Returns the index in `pairs` of the next regression after an index (-1: the first regression); `nil` if there is
    /// none.
    public func nextRegression(after place: Int) -> Int? {
        let start = max(place + 1, 0)
        return start < pairs.count && pairs[start].isRegression ? start : nil
    }
}

/// The difference between two runs on the samples with one value of a property.
public struct EvalSliceDiff: Hashable, Sendable {
    /// Name of the property.
    public var name: String
    /// Value of the property.
    public var value: String
    /// Estimate over these samples.
    public var estimate: EvalDiffEstimate

    /// Maximum number of values of a property, those with the most samples.
    static let most = 50
}
