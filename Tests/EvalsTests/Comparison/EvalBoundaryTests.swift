import EvalLogs
import Evals
import Statistics
import Testing

/// Verdicts on too few, too equal, or too short runs claim no certainty.
struct EvalBoundaryTests {
    @Test("a run that ended early does not pass") func endedEarly() throws {
        let values = [Double](repeating: 1, count: 1000)
        let gate = try EvalGate("exact>=-0.05")
        var b = MadeRuns.run("B")
        let whole = MadeRuns.rows(values)
        let part = Array(whole.prefix(400))
        #expect(try gate.check(EvalJoin(MadeRuns.run("A"), whole, b, whole)).outcome == .allowed)
        // B is done but has fewer samples: the missing ones count as lost.
        let fewer = try gate.check(EvalJoin(MadeRuns.run("A"), whole, b, part))
        #expect(fewer.outcome == .cannotTell)
        #expect(fewer.sentence.contains("B has no value for 600 of 1000 samples"), "\(fewer.sentence)")
        b.state = .cancelled
        let cut = try gate.check(EvalJoin(MadeRuns.run("A"), part, b, part))
        #expect(cut.outcome == .cannotTell && cut.exitCode == 2)
        #expect(cut.sentence.contains("B is incomplete"))
        // A loss that is already clear is reported.
        let zeros = MadeRuns.rows([Double](repeating: 0, count: 400))
        #expect(try gate.check(EvalJoin(MadeRuns.run("A"), part, b, zeros)).outcome == .worse)
    }

    @Test("two equal differences prove nothing") func twoEqualDifferences() throws {
        let kind = EvalScoreKind("f1", passesAt: 0.5)
        let runs = (MadeRuns.run("A", scores: [kind]), MadeRuns.run("B", scores: [kind]))
        func diff(_ a: [Double], _ b: [Double], clusters: [String?]? = nil) throws -> EvalDiff {
            try EvalDiff(
                EvalJoin(runs.0, MadeRuns.rows(a, clusters: clusters), runs.1, MadeRuns.rows(b, clusters: clusters)),
                measure: nil)
        }
        let two = try diff([0.75, 0.5], [0.5, 0.25])
        let total = try #require(two.total)
        #expect(total.test == .bound && (total.p ?? 0) > 0.4)
        #expect(try #require(total.interval).contains(0))
        #expect(EvalVerdict(two).outcome == .cannotTell)
        // The same difference 200 times counts as one; rounding errors of sums are not variance.
        let many = try diff([Double](repeating: 0.8, count: 200), [Double](repeating: 0.5, count: 200))
        let sure = try #require(many.total?.interval)
        #expect(sure.lower < -0.3 && sure.upper > -0.3 && sure.upper < -0.27 && sure.width > 0.01)
        #expect(EvalVerdict(many).outcome == .worse)
        // Clusters are the unit: 200 samples of two documents count as two.
        let clustered = try diff(
            [Double](repeating: 0.8, count: 200), [Double](repeating: 0.5, count: 200),
            clusters: (0..<200).map { "c\($0 % 2)" })
        #expect((clustered.total?.p ?? 0) > 0.4)
        #expect(EvalVerdict(clustered).outcome == .cannotTell)
    }

    @Test("equal values in clusters still have an interval") func equalClusters() throws {
        let clusters: [String?] = ["a", "a", "b", "b", "c"]
        let none = try EvalSlices(
            (0..<5).map { MadeRuns.row($0, "s\($0)", [0], cluster: clusters[$0], slices: ["x"]) },
            of: MadeRuns.run("A", slices: ["kind"]), by: "kind")
        let interval = try #require(none.slices.first?.interval)
        // Between Wilson's intervals of 0 of 5 and 0 of 3: two equal pairs do not show that all pairs are equal.
        #expect(interval.lower == 0 && interval.upper > 0.434_5 && interval.upper < 0.561_5)
    }
}
