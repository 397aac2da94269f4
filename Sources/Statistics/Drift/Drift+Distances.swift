extension Drift {
    /// Returns the Kolmogorov-Smirnov statistic, the largest gap between the empirical distributions, and its p value.
    public static func kolmogorovSmirnov(reference: [Double], current: [Double]) -> (statistic: Double, p: Double)? {
        guard !reference.isEmpty, !current.isEmpty else { return nil }
        var gap = 0.0
        forEachStep(reference, current) { _, _, r, c in gap = max(gap, abs(r - c)) }
        return (gap, KolmogorovDistribution.twoSample(distance: gap, m: reference.count, n: current.count))
    }

    /// Returns the Wasserstein distance: the area between the empirical distributions.
    ///
    /// The area equals the mean distance by which values must move to turn one sample into the other.
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

    /// Returns the Wasserstein distance divided by the standard deviation of the reference.
    ///
    /// As in Evidently, the standard deviation divides by n and is at least 0.001.
    public static func wassersteinNormed(reference: [Double], current: [Double]) -> Double? {
        guard let distance = wasserstein(reference: reference, current: current) else { return nil }
        let mean = reference.reduce(0, +) / Double(reference.count)
        let squares = reference.reduce(0) { $0 + ($1 - mean) * ($1 - mean) }
        return distance / max((squares / Double(reference.count)).squareRoot(), 0.001)
    }

    /// Returns the test that Evidently chooses for numeric values.
    ///
    /// Evidently reports drift at a distance of 0.1 or a p value below 0.05.
    public static func defaultTest(reference: [Double]) -> DefaultTest {
        let distinct = Set(reference).count
        if reference.count > 1000 { return distinct > 5 ? .wasserstein : .jensenShannon }
        return distinct > 5 ? .kolmogorovSmirnov : distinct <= 2 ? .proportions : .chiSquared
    }

    /// Tests that ``defaultTest(reference:)`` chooses from.
    public enum DefaultTest: String, Hashable, Sendable, CaseIterable {
        /// Kolmogorov-Smirnov test.
        case kolmogorovSmirnov
        /// Chi-squared test.
        case chiSquared
        /// z test of two proportions.
        case proportions
        /// Wasserstein distance.
        case wasserstein
        /// Jensen-Shannon distance.
        case jensenShannon
    }

    /// Calls `body` for each distinct value with the next value and the shares of both samples at or below it.
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
            // Every comparison with NaN is false, so no value was consumed.
            guard i + j > start else { return }
            let isEnd = i == first.count && j == second.count
            let next = min(i < first.count ? first[i] : .infinity, j < second.count ? second[j] : .infinity)
            body(
                value, isEnd ? nil : next, Double(i) / Double(first.count), Double(j) / Double(second.count))
        }
    }
}
