extension Simulation {
    /// What gives an interval of the mean of values with these clusters.
    package typealias IntervalRule = @Sendable ([Double], [Int]) -> Interval?

    /// The interval that is shown of a mean in clusters.
    package static let shown: IntervalRule = { values, clusters in
        MeanEstimate(of: values, clusters: clusters)?.interval(of: values)
    }

    /// How often the 95 % interval of a share of right answers in clusters holds the true one.
    ///
    /// The bar is 94 to 96.5 % if about ten clusters have a wrong answer or each has many. If only a few have any, the
    /// sample hardly shows the correlation, and an interval that covers strong correlations covers more for weak ones:
    /// the limit is higher there, and the name says so. ``coverage(of:runs:seed:rule:)`` tries many more cases.
    /// - Parameter rule: what is tried: whoever prints intervals hands over what it prints.
    package static func shares(runs: Int, seed: UInt64, rule: IntervalRule = shown) -> [SimulationCheck] {
        let cases: [(share: Double, correlation: Double, clusters: Int, sizes: ClosedRange<Int>, most: Double)] = [
            (0.8, 0.2, 50, 4...40, 0.965), (0.95, 0.2, 200, 4...4, 0.965), (0.9, 0.2, 30, 2...20, 0.975),
            (0.9, 0.2, 10, 2...20, 0.975), (0.5, 0.2, 10, 2...20, 0.965), (0.95, 0.2, 10, 2...20, 0.99),
        ]
        var outside = 0
        var checks = cases.enumerated().map { number, one in
            let population = ClusteredShares(
                share: one.share, correlation: one.correlation, clusters: one.clusters, sizes: one.sizes)
            var random = Splitmix64(seed: seed, stream: 6 + UInt64(number))
            var hits = 0
            for _ in 0..<runs {
                guard let interval = rule(population.draw(&random), population.clusters) else { continue }
                if interval.contains(population.truth) { hits += 1 }
                if interval.lower < 0 || interval.upper > 1 { outside += 1 }
            }
            return SimulationCheck(
                name: "\(Int((100 * one.share).rounded())) % right in \(one.clusters) clusters, "
                    + (one.most > 0.965 ? "few with a wrong answer, " : "") + "95 % interval covers", runs: runs,
                share: Double(hits) / Double(max(runs, 1)), wanted: 0.94...one.most)
        }
        let all = runs * cases.count
        checks.append(
            SimulationCheck(
                name: "intervals of shares outside 0 to 1", runs: all, share: Double(outside) / Double(max(all, 1)),
                wanted: 0...0))
        return checks
    }
}
