import Statistics
import TestFixtures
import Testing

/// Simulations with fewer runs than `orrery-bench eval simulation`.
@Suite("Simulated coverage, level, and power")
struct SimulationTests {
    /// Divisor for numbers of runs: unoptimized code takes ten times as long.
    private static let shortening = TestBuild.isOptimized ? 1 : 10
    private static let clusteredRuns = 4_000 / shortening

    @Test("all checks hold")
    func checks() {
        for check in Simulation.checks(runs: 250 / Self.shortening) {
            // Within four standard errors, a correct check fails for one seed in 16,000.
            #expect(check.holds(within: 4), "\(check.name): \(check.share), expected \(check.wanted)")
        }
    }

    // 4,000 runs distinguish 89 % from 94 %: four standard errors are two percentage points.
    @Test("intervals of pass rates in clusters cover the true rate")
    func clusteredShares() {
        for check in Simulation.shares(runs: Self.clusteredRuns, seed: 8) {
            #expect(check.holds(within: 4), "\(check.name): \(check.share), expected \(check.wanted)")
        }
    }

    @Test("intervals of pass rates cover the true rate in a subset of the benchmark's cases")
    func benchmarkCases() {
        // The subset includes cases with few and many failures, and clusters of equal and unequal size.
        let runs = 500 / Self.shortening
        let cases = Simulation.cases.enumerated().filter { $0.offset % 53 == 7 && $0.element.count <= 500 }
        #expect(cases.count > 10)
        for found in Simulation.coverage(of: cases.map(\.element), runs: runs, seed: 2) {
            let (one, share) = (found.name, found.shown.coverage)
            // Four standard errors of 500 runs are about four percentage points.
            let slack = 4 * (max(share * (1 - share), 0.01) / Double(runs)).squareRoot()
            #expect(share > 0.93 - slack, "\(one): \(share)")
            if one.shape == .alone || one.shape == .nearlyAlone {
                #expect(found.shown.width < 1.15 * found.wilson.width, "\(one)")
            }
        }
    }

    @Test("intervals that ignore clusters have too little coverage")
    func ignoredClusters() {
        let one = CoverageCase(share: 0.9, count: 200, shape: .each(10), correlation: 0.3, model: .beta)
        let found = Simulation.coverage(of: [one], runs: 500, seed: 3)[0]
        #expect(found.wilson.coverage < 0.8 && found.shown.coverage > 0.91)
        // Mean ± t SE covers less than its level if failures are rare.
        let rare = CoverageCase(share: 0.99, count: 100, shape: .alone, correlation: 0, model: .beta)
        #expect(Simulation.coverage(of: [rare], runs: 500, seed: 3)[0].student.coverage < 0.75)
    }

    @Test("checks fail for intervals with too little coverage", .enabled(if: TestBuild.isOptimized))
    func tooNarrow() {
        // The plain standard error of clustered values is far too small.
        let check = Simulation.coverage(runs: 150, seed: 1, isClustered: false)
        #expect(!check.holds(within: 4) && check.share < 0.85, "\(check.share)")
        // Mean ± t SE covers proportions near 1 too rarely and leaves [0, 1].
        let student = Simulation.shares(runs: Self.clusteredRuns, seed: 8) { values, clusters in
            MeanEstimate(of: values, clusters: clusters)?.interval()
        }
        #expect(student.count { !$0.holds(within: 4) } >= 4, "\(student)")
        #expect(student.last?.holds == false)
    }

    @Test("checks fail for intervals that are too wide", .enabled(if: TestBuild.isOptimized))
    func tooWide() {
        // At 99 % instead of 95 %, all checks fail except the range check and the population whose coverage is always
        // too high.
        let wide = Simulation.shares(runs: Self.clusteredRuns, seed: 8) { values, clusters in
            MeanEstimate(of: values, clusters: clusters)?.interval(of: values, level: 0.99)
        }
        #expect(wide.count { !$0.holds(within: 4) } >= 5, "\(wide)")
    }
}
