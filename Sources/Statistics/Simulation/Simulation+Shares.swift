import Formatting
import Hashing

extension Simulation {
    /// A function that returns the interval of the mean of values with these clusters.
    package typealias IntervalRule = @Sendable ([Double], [Int]) -> Interval?

    /// Interval that Orrery shows for the mean of clustered values.
    package static let shown: IntervalRule = { values, clusters in
        MeanEstimate(of: values, clusters: clusters)?.interval(of: values)
    }

    /// Measures how often the 95 % interval of a pass rate in clusters covers the true rate.
    ///
    /// The expected range is 94 to 96.5 % if about ten clusters or more have failures, or if every cluster has many. If
    /// only a few clusters have failures, the sample says little about the correlation, and an interval that allows for strong correlations
    /// covers too much for weak ones. The limit for these cases is higher, and their names include "few with failures".
    /// ``coverage(of:runs:seed:rule:)`` measures many more cases.
    /// - Parameter rule: Interval to measure. A program that prints intervals passes the interval that it prints.
    package static func shares(runs: Int, seed: UInt64, rule: IntervalRule = shown) -> [SimulationCheck] {
        let cases: [(share: Double, correlation: Double, clusters: Int, sizes: ClosedRange<Int>, highest: Double)] = [
            (0.8, 0.2, 50, 4...40, 0.965), (0.95, 0.2, 200, 4...4, 0.965), (0.9, 0.2, 30, 2...20, 0.975),
            (0.9, 0.2, 10, 2...20, 0.975), (0.5, 0.2, 10, 2...20, 0.965), (0.95, 0.2, 10, 2...20, 0.99),
        ]
        var outside = 0
        var checks = cases.enumerated().map { number, one in
            let population = ClusteredShares(
                share: one.share, correlation: one.correlation, clusters: one.clusters, sizes: one.sizes)
            var random = SplitMix64(seed: seed, stream: 6 + UInt64(number))
            var hits = 0
            for _ in 0..<runs {
                guard let interval = rule(population.draw(&random), population.clusters) else { continue }
                if interval.contains(population.truth) { hits += 1 }
                if interval.lower < 0 || interval.upper > 1 { outside += 1 }
            }
            return SimulationCheck(
                name: "coverage of the 95 % interval: pass rate \(Format.percent(one.share, digits: 0)), "
                    + "\(one.clusters) clusters" + (one.highest > 0.965 ? ", few with failures" : ""), runs: runs,
                share: Double(hits) / Double(max(runs, 1)), wanted: 0.94...one.highest)
        }
        let all = runs * cases.count
        checks.append(
            SimulationCheck(
                name: "intervals of pass rates outside [0, 1]", runs: all, share: Double(outside) / Double(max(all, 1)),
                wanted: 0...0))
        return checks
    }
}
