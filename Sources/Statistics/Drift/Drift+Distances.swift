extension Drift {
    /// The largest gap between both empirical distributions, and how likely one as large is by chance.
    public static func kolmogorovSmirnov(reference: [Double], current: [Double]) -> (statistic: Double, p: Double)? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        var gap = 0.0
        forEachStep(reference, current) { _, _, r, c in gap = max(gap, abs(r - c)) }
        return (gap, KolmogorovDistribution.twoSample(distance: gap, m: reference.count, n: current.count))
    }

    /// The area between both empirical distributions: how far values must be carried on average.
    ///
    /// Source: Vallender, Theory of Probability and its Applications 18 (1974).
    public static func wasserstein(reference: [Double], current: [Double]) -> Double? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        var area = 0.0
        forEachStep(reference, current) { value, next, r, c in
            if let next { area += abs(r - c) * (next - value) }
        }
        return area
    }

    /// In units of the reference's standard deviation (over n), at least 0.001, as Evidently has it.
    public static func wassersteinNormed(reference: [Double], current: [Double]) -> Double? {
        guard let distance = wasserstein(reference: reference, current: current) else { return nil }
        let mean = reference.reduce(0, +) / Double(reference.count)
        let squares = reference.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return distance / max((squares / Double(reference.count)).squareRoot(), 0.001)
    }

    /// Which test Evidently takes by itself for numbers; a drift is called at a distance of 0.1 or a p below 0.05.
    public static func defaultTest(reference: [Double]) -> DefaultTest {
        let distinct = Set(reference).count
        if reference.count > 1000 { return distinct > 5 ? .wasserstein : .jensenShannon }
        return distinct > 5 ? .kolmogorovSmirnov : distinct <= 2 ? .proportions : .chiSquared
    }

    /// The tests among which the default chooses.
    public enum DefaultTest: String, Hashable, Sendable, CaseIterable {
        case kolmogorovSmirnov
        case chiSquared
        /// The z test of two shares.
        case proportions
        case wasserstein
        case jensenShannon
    }

    /// Each distinct value of both samples with the next one and the shares of both at or below it.
    private static func forEachStep(
        _ first: [Double], _ second: [Double],
        _ body: (_ value: Double, _ next: Double?, _ first: Double, _ second: Double) -> Void
    ) {
        let (first, second) = (first.sorted(), second.sorted())
        var (i, j) = (0, 0)
        while i < first.count || j < second.count {
            let value = min(i < first.count ? first[i] : .infinity, j < second.count ? second[j] : .infinity)
            let start = i + j
            while i < first.count, first[i] <= value { i += 1 }
            while j < second.count, second[j] <= value { j += 1 }
            // Values that are no numbers are not in order with anything.
            guard i + j > start else { return }
            let isEnd = i == first.count && j == second.count
            let next = min(i < first.count ? first[i] : .infinity, j < second.count ? second[j] : .infinity)
            body(
                value, isEnd ? nil : next, Double(i) / Double(first.count), Double(j) / Double(second.count))
        }
    }
}
