import Console
import EvalLogs
import Evals
import Testing
import Workbench

@Suite("The evals page: hostile texts")
struct EvalHostileTests {
    private static let hostile = "\u{1b}[31mred\u{1b}]0;title\u{7}\u{1b}[2J\r\u{202e}right\u{200b}\u{0}\t漢字"

    private func desk() -> MemoryEvalDesk {
        func log(_ key: String) -> MemoryEvalLog {
            var run = EvalWorkspace.run(
                key, "\(key) \(Self.hostile)", model: Self.hostile, minutes: 5, value: 0.5, count: 12)
            run.slices = [Self.hostile, "language"]
            run.problem = Self.hostile
            run.settings = [EvalSetting("prompt", Self.hostile)]
            let rows = EvalWorkspace.rows(12).map { row in
                var row = row
                (row.id, row.answer, row.target) = ("\(row.index)\(Self.hostile)", Self.hostile, Self.hostile)
                (row.input, row.problem, row.slices) = (Self.hostile, Self.hostile, [Self.hostile, Self.hostile])
                return row
            }
            return MemoryEvalLog(run, rows)
        }
        return MemoryEvalDesk(own: [log("2"), log("1")])
    }

    @Test(
        "are shown escaped on every page",
        arguments: ["", "v", "vv", "ccc", "c", "<enter>", "<enter>]r", "d", "M", "Qp"], [Size(80, 24), Size(120, 40)])
    func shown(keys: String, size: Size) throws {
        let driver = try EvalDriver(desk(), size: size)
        try driver.type(keys)
        #expect(driver.failures == [])
        #expect(Hostile.dangers(on: driver.screen) == [])
        driver.press("copy")
        #expect(driver.copies.last?.unicodeScalars.contains { $0.value < 0x20 && $0 != "\n" } == false)
    }

    @Test("a run with gaps, NaN figures, and no total is listed with the rest of its figures")
    func gaps() throws {
        var run = EvalWorkspace.run("1", "gaps", model: "m", minutes: 1, value: .nan, count: 20)
        run.metrics = [EvalMetric(score: "exact", name: "mean", value: .nan, lower: .infinity, upper: .nan, count: 0)]
        let rows = EvalWorkspace.rows(20).filter { $0.index % 3 == 1 }
        let driver = try EvalDriver(MemoryEvalDesk(own: [MemoryEvalLog(run, rows, hasGaps: true)]))
        driver.press("chart", "open", "next-regression")
        #expect(driver.failures == [])
        #expect(driver.text.contains("Samples ─ 7 "))
        #expect(driver.page.selection?.path == [1, 13])
    }
}
