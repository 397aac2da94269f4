import Hashing

/// Simulations that check the coverage of intervals, the level of tests, and power on synthetic data.
package enum Simulation {
    /// Runs all checks with fixed seeds.
    ///
    /// - Parameter rule: Interval for a pass rate of clustered samples (default: ``shown``).
    package static func checks(
        runs: Int = 10_000, seed: UInt64 = 8, rule: IntervalRule = shown
    ) -> [SimulationCheck] {
        [
            coverage(runs: runs, seed: seed), falsePositives(runs: runs, seed: seed), power(runs: runs, seed: seed),
            peeking(runs: runs, seed: seed), sequentialPower(runs: runs, seed: seed),
        ] + shares(runs: runs, seed: seed, rule: rule)
    }

    /// Measures how often the clustered 95 % interval of a mean covers the true mean.
    ///
    /// - Parameter isClustered: Pass `false` to use the plain standard error and see the check fail.
    package static func coverage(runs: Int, seed: UInt64, isClustered: Bool = true) -> SimulationCheck {
        let population = ClusteredPopulation(correlation: 0.2)
        let t = StudentDistribution(degrees: 49).quantile(0.975)
        var random = SplitMix64(seed: seed, stream: 1)
        var hits = 0
        for _ in 0..<runs {
            let values = population.draw(mean: 0.3, &random)
            let clustered = MeanEstimate(of: values, clusters: population.clusters)
            guard let estimate = isClustered ? clustered : MeanEstimate(of: values),
                let error = estimate.standardError
            else { continue }
            if abs(estimate.mean - 0.3) <= t * error { hits += 1 }
        }
        return check("coverage of the clustered 95 % interval", hits, runs, 0.94...0.96)
    }

    /// Measures how often the paired clustered test at 5 % detects a difference between two runs that differ only by
    /// chance.
    package static func falsePositives(runs: Int, seed: UInt64) -> SimulationCheck {
        let hits = detections(effect: 0, runs: runs, seed: seed, stream: 2)
        return check("false positives of the paired clustered test", hits, runs, 0.04...0.06)
    }

    /// Measures how often the paired clustered test detects the effect that it should detect in 80 % of all runs.
    package static func power(runs: Int, seed: UInt64) -> SimulationCheck {
        let effect = Power.smallestEffect(standardError: differences.standardError * 2.0.squareRoot(), degrees: 49)
        let hits = detections(effect: effect, runs: runs, seed: seed, stream: 3)
        return check("power at the smallest detectable effect", hits, runs, 0.78...0.82)
    }

    /// Measures how often the sequential test at 5 % reaches a decision within 1,000 samples although there is no
    /// difference.
    package static func peeking(runs: Int, seed: UInt64) -> SimulationCheck {
        check("false positives of the sequential test", decisions(effect: 0, runs, seed, stream: 4), runs, 0...0.05)
    }

    /// Measures how often the sequential test picks the better side within 1,000 samples if it is 8 points better and
    /// one in five samples changes.
    package static func sequentialPower(runs: Int, seed: UInt64) -> SimulationCheck {
        let hits = decisions(effect: 0.08, runs, seed, stream: 5)
        return check("power of the sequential test at 8 points within 1,000 samples", hits, runs, 0.8...1)
    }

    /// Part of each score that the sample does not determine, drawn separately for A and B.
    private static let differences = ClusteredPopulation(correlation: 0.15)

    private static func detections(effect: Double, runs: Int, seed: UInt64, stream: UInt64) -> Int {
        let t = StudentDistribution(degrees: 49).quantile(0.975)
        let questions = ClusteredPopulation(correlation: 0.5)
        var random = SplitMix64(seed: seed, stream: stream)
        var hits = 0
        for _ in 0..<runs {
            let common = questions.draw(mean: 0, &random)
            let a = zip(common, differences.draw(mean: 0, &random)).map { $0 + $1 }
            let b = zip(common, differences.draw(mean: effect, &random)).map { $0 + $1 }
            guard let estimate = PairedDifference.estimate(a: a, b: b, clusters: differences.clusters),
                let error = estimate.standardError
            else { continue }
            if abs(estimate.mean) > t * error { hits += 1 }
        }
        return hits
    }

    private static func decisions(effect: Double, _ runs: Int, _ seed: UInt64, stream: UInt64) -> Int {
        var random = SplitMix64(seed: seed, stream: stream)
        var hits = 0
        for _ in 0..<runs {
            var comparison = SequentialComparison(alpha: 0.05)
            for _ in 0..<1000 where comparison.decision == .undecided {
                // One in five samples changes; the effect sets the direction.
                let draw = random.nextUnit()
                comparison.add(draw < 0.1 + effect / 2 ? 1 : draw < 0.2 ? -1 : 0)
            }
            if comparison.decision == (effect == 0 ? comparison.decision : .better), comparison.decision != .undecided {
                hits += 1
            }
        }
        return hits
    }

    private static func check(
        _ name: String, _ hits: Int, _ runs: Int, _ wanted: ClosedRange<Double>
    ) -> SimulationCheck {
        SimulationCheck(name: name, runs: runs, share: Double(hits) / Double(max(runs, 1)), wanted: wanted)
    }
}
