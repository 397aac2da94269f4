import EvalLogs
import Evals
import Statistics
import Testing

/// Figures, interval, and verdict agree for every kind of score.
struct EvalVerdictTests {
    @Test("interval and p value of a line never contradict each other", arguments: [40, 100, 1000])
    func agreement(count: Int) throws {
        for broken in 0...12 {
            for fixed in 0...12 {
                let found = try EvalDiff(MadeRuns.turned(count, broken: broken, fixed: fixed), measure: nil).total
                let total = try #require(found)
                let (interval, p) = (try #require(total.interval), try #require(total.p))
                #expect(interval.contains(0) == (p > 0.05), "\(broken) broken, \(fixed) fixed of \(count): \(p)")
            }
        }
    }

    @Test("the interval equals Tango's from an independent maximum likelihood fit")
    func tango() throws {
        let shares = try #require(PairedShares(fixed: 3, broken: 9, count: 40))
        let interval = shares.interval()
        #expect(abs(interval.lower + 0.320_865_3) < 1e-6 && abs(interval.upper - 0.021_988_0) < 1e-6)
        #expect(abs(shares.p - 0.083_264_5) < 1e-6)
    }

    @Test("an unchanged model passes") func unchanged() throws {
        let same = EvalVerdict(try EvalDiff(MadeRuns.turned(1000, broken: 0, fixed: 0), measure: nil))
        #expect(same.outcome == .allowed)
        #expect(same.words == "Allowed: no difference of more than a point.")
        let few = EvalVerdict(try EvalDiff(MadeRuns.turned(200, broken: 4, fixed: 4), measure: nil))
        #expect(few.outcome == .cannotTell)
        #expect(few.words.contains("--gate \"exact>=-0.0"), "\(few.words)")
    }

    @Test("graded losses and lost samples are named") func gradedLosses() throws {
        let run = MadeRuns.run("A", scores: [.unlimited("rouge1")])
        let join = EvalJoin(
            run, MadeRuns.rows([0.9, 0.8, 0.7, 0.5]), run, MadeRuns.rows([0.4, 0.7, .nan, 0.6]))
        let diff = try EvalDiff(join, measure: nil)
        #expect(
            diff.pairs.map { "\($0.id) \($0.word(diff.measure))" } == ["s0 worse", "s1 worse", "s2 lost", "s3 better"])
        #expect(diff.total?.flips.worse == 2 && diff.total?.flips.bothPass == 0)
        #expect(EvalVerdict(diff).junit.contains("worse: s0 (0.900 to 0.400)&#10;worse: s1"))
    }

    @Test("the reducer of the task applies to the comparison") func reducer() throws {
        var run = MadeRuns.run("A")
        run.settings = [EvalSetting("reducer", "max")]
        let a = (0..<20).map { MadeRuns.row($0, "s\($0 / 2)", epoch: $0 % 2 + 1, [$0 % 2 == 0 ? 1 : 0]) }
        let b = (0..<20).map { MadeRuns.row($0, "s\($0 / 2)", epoch: $0 % 2 + 1, [0]) }
        let diff = try EvalDiff(EvalJoin(run, a, run, b), measure: nil)
        #expect(diff.total?.meanA == 1 && diff.total?.meanB == 0)
        #expect(diff.sentence.contains("epochs are reduced with max"))
        #expect(EvalMatrix([EvalMatrix.Entry(run, a), EvalMatrix.Entry(run, b)]).means[0]?.mean == 1)
    }

    @Test("accuracy is the share of samples that pass") func accuracy() throws {
        let run = MadeRuns.run("A", scores: [EvalScoreKind("f1", passesAt: 0.5)])
        let join = EvalJoin(run, MadeRuns.rows([0.9, 0.6, 0.2]), run, MadeRuns.rows([0.6, 0.4, 0.3]))
        let diff = try EvalDiff(join, measure: "accuracy")
        #expect(diff.pairs.first { $0.id == "s0" }?.valueA == 1 && diff.total?.difference == -1.0 / 3)
    }

    @Test("answers from the cache are not evidence") func cached() throws {
        let a = MadeRuns.rows([Double](repeating: 1, count: 1000))
        var b = a
        for place in b.indices { b[place].wasCached = true }
        let diff = try EvalDiff(EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b), measure: nil)
        #expect(diff.copies == 1000 && EvalVerdict(diff).outcome == .cannotTell)
        #expect(diff.sentence.contains("1,000 of 1,000 pairs have the same answer, taken from the cache"))
    }

    @Test("a run is not compared with itself") func sameRun() throws {
        let rows = MadeRuns.rows([Double](repeating: 1, count: 999) + [.nan])
        let diff = try EvalDiff(EvalJoin(MadeRuns.run("A"), rows, MadeRuns.run("A"), rows), measure: nil)
        let verdict = EvalVerdict(diff)
        #expect(verdict.outcome == .cannotTell)
        #expect(verdict.words == "Inconclusive: A and B are the same run. Name another run as B.")
        #expect(diff.sentence.contains("A and B are the same run") && !diff.sentence.contains("cache"))
    }

    @Test("an incomplete run is named first") func incomplete() throws {
        var a = MadeRuns.run("A")
        a.state = .cancelled
        let rows = MadeRuns.rows([Double](repeating: 1, count: 100))
        let worse = MadeRuns.rows([Double](repeating: 0, count: 100))
        let join = EvalJoin(a, rows, MadeRuns.run("B"), worse)
        let verdict = EvalVerdict(try EvalDiff(join, measure: nil))
        #expect(verdict.outcome == .worse && verdict.words == "A is incomplete: B is worse.")
        let gate = try EvalGate("exact>=0").check(join)
        #expect(gate.words == "exact>=0: A is incomplete: B is worse than allowed.")
        #expect(gate.sentence.hasPrefix("exact>=0: A is incomplete, worse than allowed. B is"))
        let same = EvalVerdict(try EvalDiff(EvalJoin(a, rows, MadeRuns.run("B"), rows), measure: nil))
        #expect(same.words == "Inconclusive: A is incomplete. Finish it with orrery eval resume A.")
    }

    @Test("different inputs never pass") func differentInputs() throws {
        let a = MadeRuns.rows([Double](repeating: 1, count: 1000))
        var b = a
        for place in b.indices { b[place].input = "another question" }
        let join = EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b)
        #expect(try EvalGate("exact>=-0.5").check(join).outcome == .cannotTell)
    }

    @Test("samples that end first are not taken first") func samplingOrder() throws {
        var b = MadeRuns.run("B")
        b.state = .running
        let a = MadeRuns.rows([Double](repeating: 1, count: 100))
        var rows = MadeRuns.rows([Double](repeating: 0, count: 100))
        rows.remove(at: 3)
        let join = EvalJoin(MadeRuns.run("A"), a, b, rows)
        var watch = EvalWatch()
        try watch.look(join, EvalDiff(join, measure: nil))
        #expect(watch.comparison.count == 3 && watch.waiting == "s3")
    }
}
