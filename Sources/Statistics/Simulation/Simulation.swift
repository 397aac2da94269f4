/// Whether intervals, tests and power mean what they say: each promise is tried on made-up data many times.
package enum Simulation {
    /// All checks, with fixed seeds.
    ///
    /// - Parameter rule: the interval of a share in clusters that is tried.
    package static func checks(
        runs: Int = 10_000, seed: UInt64 = 8, rule: IntervalRule = shown
    ) -> [SimulationCheck] {
        [
            coverage(runs: runs, seed: seed), falsePositives(runs: runs, seed: seed), power(runs: runs, seed: seed),
            peeking(runs: runs, seed: seed), sequentialPower(runs: runs, seed: seed),
        ] + shares(runs: runs, seed: seed, rule: rule)
    }

    /// How often the clustered 95 % interval of a mean holds the true one.
    ///
    /// - Parameter isClustered: false takes the plain error instead, which is wrong here, to see the check fail.
    package static func coverage(runs: Int, seed: UInt64, isClustered: Bool = true) -> SimulationCheck {
        let population = ClusteredPopulation(correlation: 0.2)
        let t = StudentDistribution(degrees: 49).quantile(0.975)
        var random = Splitmix64(seed: seed, stream: 1)
        var hits = 0
        for _ in 0..<runs {
            let values = population.draw(mean: 0.3, &random)
            let clustered = MeanEstimate(of: values, clusters: population.clusters)
            guard let estimate = isClustered ? clustered : MeanEstimate(of: values),
                let error = estimate.standardError
            else { continue }
            if abs(estimate.mean - 0.3) <= t * error { hits += 1 }
        }
        return check("clustered 95 % interval covers", hits, runs, 0.94...0.96)
    }

    /// How often the paired clustered test at 5 % finds a difference between two runs that differ by chance alone.
    package static func falsePositives(runs: Int, seed: UInt64) -> SimulationCheck {
        let share = found(effect: 0, runs: runs, seed: seed, stream: 2)
        return check("paired clustered test, no difference, found", share, runs, 0.04...0.06)
    }

    /// How often it finds the smallest effect that it is said to detect in 80 % of all runs.
    package static func power(runs: Int, seed: UInt64) -> SimulationCheck {
        let effect = Power.smallestEffect(standardError: differences.standardError * 2.0.squareRoot(), degrees: 49)
        let share = found(effect: effect, runs: runs, seed: seed, stream: 3)
        return check("smallest detectable effect, found", share, runs, 0.78...0.82)
    }

    /// How often the sequential test at 5 % decides in 1,000 samples without a difference, looked at after each.
    package static func peeking(runs: Int, seed: UInt64) -> SimulationCheck {
        check("sequential test, no difference, decided", decided(effect: 0, runs, seed, stream: 4), runs, 0...0.05)
    }

    /// How often it decides for the better side within 1,000 samples, one in five of which changes: 8 points better.
    package static func sequentialPower(runs: Int, seed: UInt64) -> SimulationCheck {
        let share = decided(effect: 0.08, runs, seed, stream: 5)
        return check("sequential test, 8 points better, decided within 1,000", share, runs, 0.8...1)
    }

    /// The part of A's and of B's score that is not the question's own; each is drawn anew in both runs.
    private static let differences = ClusteredPopulation(correlation: 0.15)

    private static func found(effect: Double, runs: Int, seed: UInt64, stream: UInt64) -> Int {
        let t = StudentDistribution(degrees: 49).quantile(0.975)
        let questions = ClusteredPopulation(correlation: 0.5)
        var random = Splitmix64(seed: seed, stream: stream)
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

    private static func decided(effect: Double, _ runs: Int, _ seed: UInt64, stream: UInt64) -> Int {
        var random = Splitmix64(seed: seed, stream: stream)
        var hits = 0
        for _ in 0..<runs {
            var comparison = SequentialComparison(alpha: 0.05)
            for _ in 0..<1000 where comparison.decision == .undecided {
                // One sample in five changes; the effect decides which way.
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
