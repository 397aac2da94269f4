import EvalLogs
import Evals
import Statistics
import System
import Testing
import Traces

/// Drift between two runs, and fairness between groups.
struct EvalDriftTests {
    private final class MadeRunLog: EvalLog {
        let run: EvalRun
        private let samples: [EvalSampleRecord]

        init(_ run: EvalRun, _ samples: [EvalSampleRecord]) {
            self.run = run
            self.samples = samples
        }

        func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
            samples.map(\.row).filter { range.contains($0.index) }
        }
        func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord { samples[index] }
        func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] { [] }
    }

    private static func log(
        _ seconds: [Double], slices: [String] = [], answers: [String] = [" yes\n", "no"]
    ) -> MadeRunLog {
        var run = MadeRuns.run("r", slices: slices.isEmpty ? [] : ["group"])
        run.total = seconds.count
        let samples = seconds.indices.map { place in
            EvalSampleRecord(
                row: MadeRuns.row(
                    place, "s\(place)", [1], slices: slices.isEmpty ? [] : [slices[place]], seconds: seconds[place]),
                input: "", answer: answers[place % answers.count],
                targets: [place % 3 == 0 ? "yes" : "no"], scores: [])
        }
        return MadeRunLog(run, samples)
    }

    @Test("longer seconds are a drift") func longerSeconds() throws {
        let before = (0..<60).map { Double($0 % 10) + 1 }
        let drift = try EvalDrift(Self.log(before), Self.log(before.map { $0 * 3 }), of: "seconds")
        #expect(drift.isDrift && drift.figures.first?.name == "Kolmogorov-Smirnov" && drift.figures.count == 4)
        #expect(drift.medianReference == 5.5 && drift.medianCurrent == 16.5)
        #expect(
            drift.sentence.hasPrefix("seconds: drift detected (Kolmogorov-Smirnov 0.700, p < .001, drift if p < 0.05"))
        let same = try EvalDrift(Self.log(before), Self.log(before), of: "seconds")
        #expect(!same.isDrift && same.sentence.hasPrefix("seconds: no drift detected"))
        #expect(throws: Problem.self) { try EvalDrift(Self.log(before), Self.log(before), of: "secnds") }
        let silent = try EvalDrift(Self.log(before), Self.log(before), of: "tokens")
        #expect(silent.figures.isEmpty && silent.sentence == "r reports no tokens for any sample")
    }

    @Test("shares of a property are compared by chi-squared") func shares() throws {
        let values = [Double](repeating: 1, count: 100)
        let a = (0..<100).map { $0 < 30 ? "de" : "en" }
        let b = (0..<100).map { $0 < 55 ? "de" : "en" }
        let drift = try EvalDrift(Self.log(values, slices: a), Self.log(values, slices: b), of: "group")
        // By hand: 4 · 12.5² · (1 / 42.5 + 1 / 57.5) / 2 of the table [[30, 70], [55, 45]].
        let expected = 2 * 12.5 * 12.5 * (1 / 42.5 + 1 / 57.5)
        #expect(abs((drift.figures.first?.value ?? 0) - expected) < 1e-9 && drift.isDrift)
        #expect(drift.medianReference == nil)
    }

    @Test("groups are compared by their answers") func groups() throws {
        let slices = (0..<60).map { $0 < 30 ? "a" : "b" }
        let found = try EvalFairness(
            Self.log([Double](repeating: 1, count: 60), slices: slices), by: "group", positive: "yes")
        #expect(found.left == 0 && found.fairness.groups.map(\.count) == [30, 30])
        #expect(found.fairness.groups.first?.selection == 0.5 && found.fairness.groups.first?.truePositive == 0.5)
        #expect(found.fairness.parityDifference == 0)
        #expect(throws: Problem.self) {
            try EvalFairness(Self.log([1], slices: ["a"]), by: "group", positive: "maybe")
        }
        // The targets are "yes" and "no"; the answers are neither.
        let graded = Self.log([1, 1], slices: ["a", "b"], answers: ["5", "4"])
        let error = #expect(throws: Problem.self) { try EvalFairness(graded, by: "group", positive: "yes") }
        #expect(error?.remedy == "Answers: 4, 5. Targets: no, yes.")
        #expect(throws: Problem.self) { try EvalFairness(Self.log([1]), by: "none", positive: "yes") }
    }
}
