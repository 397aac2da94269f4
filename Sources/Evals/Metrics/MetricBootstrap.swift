internal import Statistics

/// Intervals of figures that are no means, by drawing samples anew, whole clusters at a time.
///
/// Draws times samples are bounded, so that a run ends soon: 1,000 draws for 20,000 samples or fewer, 200 for 100,000,
/// at 20 to 50 ns a sample and draw, on all cores. Of more samples than ``mostSamples`` no interval is made.
enum MetricBootstrap {
    /// Of fewer samples, or clusters, draws tell nothing.
    private static let fewest = 10
    static let mostSamples = 100_000
    private static let work = 20_000_000
    private static let mostDraws = 1_000

    /// nil where samples are too few or too many, and where all draws give the same: that is no sign of certainty.
    ///
    /// - Parameters:
    ///   - value: the figure of all samples.
    ///   - clusters: one a sample.
    ///   - statistic: the figure of these places.
    static func interval(
        of value: Double, clusters: [String?], _ statistic: @Sendable ([Int]) -> Double?
    ) -> Interval? {
        let numbers = clusters.contains { $0 != nil } ? clusterNumbers(clusters) : nil
        let units = numbers.map { Set($0).count } ?? clusters.count
        guard value.isFinite, units >= fewest, clusters.count <= mostSamples else { return nil }
        let settings = BootstrapSettings(draws: min(mostDraws, work / clusters.count))
        let interval = settings.interval(
            count: clusters.count, clusters: numbers, observed: value, statistic: statistic)
        return interval.flatMap { $0.width > 1e-12 * max(1, abs(value)) ? $0 : nil }
    }
}
