import EvalLogs
import Evals
import Statistics
import Testing
import Traces

/// Reading of runs with missing records, and warnings about doubtful comparisons.
struct EvalJoinTests {
    @Test("samples after a missing record are read") func missingRecords() throws {
        let rows = (0..<20_000).map { MadeRuns.row($0, "s\($0)", [1]) }
        let whole = GappedLog(MadeRuns.run("A"), rows, total: 20_000)
        var holes = rows
        // A whole window is missing, and a single sample.
        holes.removeSubrange(8_192..<16_384)
        holes.remove(at: 17)
        let cut = GappedLog(MadeRuns.run("B"), holes, total: 20_000)
        let join = try EvalJoin(whole, cut)
        #expect(join.samples.count == 11_807)
        #expect(join.onlyA.count == 8_193)
        #expect(cut.read <= 20_000)
    }

    @Test("a wrong total in the log of another program is ignored", arguments: [nil, -1, 3, Int.max] as [Int?])
    func anotherProgramsTotalIsNotBelieved(total: Int?) throws {
        let rows = (0..<9_000).map { MadeRuns.row($0, "s\($0)", [1]) }
        var run = MadeRuns.run("A")
        run.path = "/tmp/log.eval"
        let log = GappedLog(run, rows, total: total)
        #expect(try log.allRows().count == 9_000)
    }

    @Test("runs of different tasks, versions, or inputs give warnings") func warnings() throws {
        var (a, b) = (MadeRuns.run("A"), MadeRuns.run("B"))
        #expect(EvalJoin(a, MadeRuns.rows([1, 0]), b, MadeRuns.rows([1, 0])).warnings.isEmpty)
        a.taskVersion = "1"
        b.taskVersion = "2"
        #expect(
            EvalJoin(a, MadeRuns.rows([1, 0]), b, MadeRuns.rows([1, 0])).warnings
                == ["A used version 1 of the task, B used version 2"])
        b.task = "products"
        var rows = MadeRuns.rows([Double](repeating: 1, count: 200))
        let before = rows
        for place in rows.indices { rows[place].input = "something else" }
        let join = EvalJoin(a, before, b, rows)
        #expect(
            join.warnings == [
                "A ran task sums, B ran task products: samples are matched by name only",
                "200 of 200 samples have different input in B",
            ])
        let verdict = try EvalGate("exact>=-0.5").check(join)
        #expect(verdict.outcome == .cannotTell)
        #expect(verdict.junit.contains("matched by name only"))
    }

    @Test("different epochs and duplicate rows are reported") func epochsAndDuplicates() {
        let a = [MadeRuns.row(0, "x", [1]), MadeRuns.row(1, "x", epoch: 2, [1]), MadeRuns.row(2, "x", [0])]
        let join = EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), [MadeRuns.row(0, "x", [1])])
        #expect(
            join.warnings == [
                "1 sample with different epochs in A and B", "1 row left out as duplicates (same name and epoch)",
            ])
    }
}

/// A log in memory, whose rows have their position as index.
final class GappedLog: EvalLog {
    let run: EvalRun
    private let rows: [EvalRow]
    /// Index of the last sample that was read.
    nonisolated(unsafe) private(set) var read = 0

    init(_ run: EvalRun, _ rows: [EvalRow], total: Int?) {
        var run = run
        run.total = total
        self.run = run
        self.rows = rows
    }

    func rows(_ range: Range<Int>, isCancelled: @Sendable () -> Bool) throws(EvalLogError) -> [EvalRow] {
        read = max(read, range.upperBound)
        return rows.filter { range.contains($0.index) }
    }

    func sample(_ index: Int) throws(EvalLogError) -> EvalSampleRecord { throw EvalLogError(path: "", problem: "none") }
    func spans(of index: Int) throws(EvalLogError) -> [SpanRecord] { [] }
}
