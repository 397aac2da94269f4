import Hashing

extension Simulation {
    /// Result of one case: the coverage and mean width of each kind of interval.
    package struct Coverage: Hashable, Sendable {
        package var name: CoverageCase
        package var runs: Int
        /// The interval shown to users.
        package var shown: Score
        /// Wilson's interval, which ignores clusters.
        package var wilson: Score
        /// Mean ± t SE with the clustered standard error, clamped to [0, 1].
        package var student: Score
        /// Wilson's interval with the true correlation, which is unknown in practice: the best achievable.
        package var known: Score
    }

    /// Coverage and mean width of an interval.
    package struct Score: Hashable, Sendable {
        package var coverage = 0.0
        package var width = 0.0

        mutating func add(_ interval: Interval?, truth: Double) {
            // A missing interval excludes no value, so it counts as covering the true value.
            let interval = interval ?? Interval(lower: 0, upper: 1, level: 0.95)
            if interval.contains(truth) { coverage += 1 }
            width += interval.width
        }

        func mean(_ runs: Int) -> Score {
            Score(coverage: coverage / Double(max(runs, 1)), width: width / Double(max(runs, 1)))
        }
    }

    /// Cases of the benchmark: pass rates of 90 to 99.9 %, 20 to 1,000 samples, clusters of 1 to 20, correlations of 0
    /// to 0.5, and at least two clusters.
    package static let cases: [CoverageCase] = {
        var cases: [CoverageCase] = []
        for share in [0.9, 0.95, 0.99, 0.999] {
            for count in [20, 50, 100, 200, 500, 1_000] {
                let shapes: [CoverageCase.Shape] = [
                    .alone, .nearlyAlone, .each(2), .each(5), .each(10), .each(20), .mixed,
                ]
                for shape in shapes {
                    for correlation in shape == .alone ? [0] : [0, 0.1, 0.3, 0.5] {
                        for model in correlation == 0 ? [.beta] : [CoverageCase.Model.beta, .common] {
                            let one = CoverageCase(
                                share: share, count: count, shape: shape, correlation: correlation, model: model)
                            if one.clusterCount > 1 { cases.append(one) }
                        }
                    }
                }
            }
        }
        return cases
    }()

    /// Measures how often the 95 % interval of a pass rate covers the true rate.
    ///
    /// Each run draws its failure rate within 20 % of the case's rate. Failure counts are integers, so the coverage of
    /// every interval, including Wilson's, jumps by whole percentage points as the true rate changes.
    /// - Parameter rule: Interval to measure (default: ``shown``).
    package static func coverage(
        of cases: [CoverageCase], runs: Int, seed: UInt64, rule: @escaping IntervalRule = shown
    ) -> [Coverage] {
        let found = Pieces.map(cases.count) { place in
            coverage(of: cases[place], runs: runs, seed: seed, stream: UInt64(place), rule)
        }
        return found ?? []
    }

    private static func coverage(
        of one: CoverageCase, runs: Int, seed: UInt64, stream: UInt64, _ rule: IntervalRule
    ) -> Coverage {
        var random = SplitMix64(seed: seed, stream: 0xC0_0000 + stream)
        var (shown, wilson, student, known) = (Score(), Score(), Score(), Score())
        let z = -NormalDistribution.standard.quantile(0.025)
        let design = 1 + (one.meanSize - 1) * one.correlation
        // Draws with few failures repeat, so their intervals are cached.
        var before: [[Int]: (shown: Interval?, student: Interval?)] = [:]
        for _ in 0..<runs {
            let truth = 1 - (1 - one.share) * (0.8 + 0.4 * random.nextUnit())
            let values = one.draw(share: truth, &random)
            let share = values.reduce(0, +) / Double(one.count)
            let key = one.misses(values)
            let found =
                before[key] ?? (
                    rule(values, one.clusters),
                    MeanEstimate(of: values, clusters: one.clusters)?.interval().map {
                        Interval(lower: max(0, $0.lower), upper: min(1, $0.upper), level: 0.95)
                    }
                )
            if key.count < 12 { before[key] = found }
            shown.add(found.shown, truth: truth)
            student.add(found.student, truth: truth)
            wilson.add(ProportionInterval.wilson(share: share, count: one.count), truth: truth)
            let best = ProportionInterval.score(share, spread: z * z * design / Double(one.count), level: 0.95)
            known.add(ProportionInterval.modified(best, share: share), truth: truth)
        }
        return Coverage(
            name: one, runs: runs, shown: shown.mean(runs), wilson: wilson.mean(runs), student: student.mean(runs),
            known: known.mean(runs))
    }
}

extension CoverageCase {
    /// Returns the sizes and failures of the clusters that have failures, in ascending order.
    fileprivate func misses(_ values: [Double]) -> [Int] {
        var sizes = [Int](repeating: 0, count: clusterCount)
        var misses = sizes
        for (value, cluster) in zip(values, clusters) {
            sizes[cluster] += 1
            if value == 0 { misses[cluster] += 1 }
        }
        return zip(sizes, misses).filter { $1 > 0 }.map { 1_000_000 * $0 + $1 }.sorted()
    }
}
