internal import Statistics

/// Bootstrap intervals of figures that are not means; clusters are resampled as a whole.
///
/// The number of resamples times samples is limited, so that a run ends soon: 1,000 resamples for 20,000 samples or
/// fewer, 200 for 100,000, at 20 to 50 ns per sample and resample, on all cores. More than ``mostSamples`` samples have
/// no interval.
enum MetricBootstrap {
    /// Minimum number of samples or clusters for an interval.
    private static let fewest = 10
    static let mostSamples = 100_000
    private static let work = 20_000_000
    private static let mostDraws = 1_000

    /// Returns an interval; `nil` for too few or too many samples, or if all resamples are equal, which does not imply
    /// certainty.
    ///
    /// - Parameters:
    ///   - value: Value for all samples.
    ///   - clusters: Cluster of each sample.
    ///   - statistic: Returns the value for samples at these indices.
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
