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

    /// Returns a driver with a run in progress of 300 samples, whose streams the test runs.
    private func live() throws -> (EvalDriver, MemoryEvalLog) {
        let run = EvalWorkspace.run("4", "live", model: "m", minutes: 1, value: 0.8, count: 300, state: .running)
        let log = MemoryEvalLog(run, EvalWorkspace.rows(300))
        let driver = try EvalDriver(
            MemoryEvalDesk(own: [log] + EvalWorkspace.desk().own), runsStreams: false)
        try driver.finishStream("rows")
        return (driver, log)
    }

    /// Adds 40 samples to the run and returns the replies of the second reading.
    private func grow(_ log: MemoryEvalLog, _ driver: EvalDriver) throws -> [any Sendable] {
        log.grow(Array(EvalWorkspace.rows(340).suffix(40)))
        driver.pass("watch")
        let replies = try driver.replies(ofStream: "rows")
        #expect(replies.count == 2)
        return replies
    }

    @Test("the list of a run in progress keeps its place at every step of a second reading")
    func place() throws {
        let (driver, log) = try live()
        driver.press("open", "end", "up", "up", "up", "up", "up")
        let rows = driver.rows(with: " flag-")
        for reply in try grow(log, driver) {
            #expect(driver.page.selection?.path == [4, 294])
            driver.hear(reply)
            #expect(driver.page.selection?.path == [4, 294])
            #expect(driver.rows(with: " flag-") == rows)
        }
        #expect(driver.text.contains("Samples ─ 340"))
    }

    @Test("W keeps its groups and its cursor during a second reading, and then groups again")
    func groups() throws {
        let (driver, log) = try live()
        try driver.finishStream("failures")
        driver.press("what-went-wrong", "down", "open")
        let group = driver.notices.last
        driver.press("back")
        for reply in try grow(log, driver) {
            driver.hear(reply)
            #expect(driver.text.contains(" of 300 ─"))
            driver.press("open")
            #expect(driver.notices.last == group)
            driver.press("back")
        }
        try driver.finishStream("failures")
        #expect(driver.text.contains(" of 340 ─"))
    }

    @Test("W shows no example of another run while the run of the cursor is read")
    func example() throws {
        let (driver, _) = try live()
        try driver.finishStream("failures")
        driver.press("what-went-wrong")
        #expect(driver.text.contains("Dunancrest-"))
        driver.press("back", "down", "what-went-wrong")
        #expect(driver.text.contains("reading the failures"))
        #expect(!driver.text.contains("Dunancrest-"))
    }
}
