import EvalLogs
import Testing
import Workbench

@Suite("A log that another program is writing")
struct EvalFollowingTests {
    @Test("new samples are listed while the log is shown, and nothing is read if nothing is new")
    func grown() throws {
        let run = EvalWorkspace.run(
            "a1", "flags gpt", model: "gpt-4o-mini", minutes: 3, value: 0.8, count: 60, path: "/logs/live.eval",
            format: "inspect", state: .running)
        let log = MemoryEvalLog(run, Array(EvalWorkspace.rows(80).prefix(60)))
        let driver = try EvalDriver(MemoryEvalDesk(own: [], foreign: ["/logs/live.eval": [log]]))
        driver.command("open", "/logs/live.eval")
        driver.press("open")
        #expect(driver.text.contains("─ 60 ─"))
        let asked = log.asked.count
        driver.pass("follow")
        #expect(log.asked.count == asked)
        log.grow(Array(EvalWorkspace.rows(80).suffix(20)))
        driver.pass("follow")
        #expect(driver.text.contains("─ 80 ─"))
        #expect(driver.isWaiting(for: "follow"))
    }
}
