import Testing
import Workbench

@Suite("Playing a run")
struct TracePlaybackTests {
    let made: TestWorkspace

    init() throws { made = try TestWorkspace.holding(SmallSession.text()) }

    private func driver(pace: String) -> TraceDriver {
        let driver = TraceDriver(made.workspace, settings: ["pace": pace])
        driver.press("open")
        return driver
    }

    @Test(
        "stays on a step as long as the run did, scaled by the pace",
        arguments: [("real", 2_000), ("2x", 1_000), ("10x", 200), ("fixed", 1_000)])
    func pace(name: String, milliseconds: Int) throws {
        let driver = driver(pace: name)
        driver.press("step", "play")
        #expect(driver.waits["play"]?.duration == .milliseconds(milliseconds))
    }

    @Test("continues at the right time, and ends with the run and a message")
    func plays() throws {
        let driver = driver(pace: "10x")
        driver.press("play")
        #expect(driver.text.contains("playing 10x"))
        for step in 2...5 {
            driver.pass("play")
            #expect(driver.text.contains("step \(step) of 5"))
        }
        driver.pass("play")
        #expect(driver.notices == ["This is the end of the run."])
        #expect(driver.waits["play"] == nil)
        #expect(!driver.text.contains("playing"))
    }

    @Test("at the last step, playing is rejected with a message")
    func atTheEnd() throws {
        let driver = driver(pace: "10x")
        driver.press("step", "step", "step", "step", "play")
        driver.pass("play")
        #expect(driver.notices == ["This is the end of the run."])
        #expect(!driver.text.contains("playing"))
    }

    @Test("Space pauses; a step that was already due does nothing")
    func pauses() throws {
        let driver = driver(pace: "10x")
        driver.press("play")
        driver.pass("play")
        driver.press("play")
        #expect(driver.waits["play"] == nil)
        #expect(!driver.text.contains("playing"))
        #expect(driver.text.contains("step 2 of 5"))
    }

    @Test("> and < change the pace between slowest and fastest, and show it")
    func changesPace() throws {
        let driver = driver(pace: "real")
        driver.press("step", "play", "faster")
        #expect(driver.waits["play"]?.duration == .milliseconds(1_000))
        driver.press("faster", "faster")
        #expect(driver.waits["play"]?.duration == .milliseconds(200))
        driver.press("slower", "slower", "slower", "slower")
        #expect(
            driver.notices == [
                "pace 2x", "pace 10x", "pace 10x", "pace 2x", "pace 1x", "pace 1 step/s", "pace 1 step/s",
            ])
    }

    @Test("Esc stops playing before it goes back")
    func escapeStops() throws {
        let driver = driver(pace: "10x")
        driver.press("play", "back")
        #expect(!driver.text.contains("playing"))
        #expect(driver.pane == "run")
    }

    @Test("replay waits at most ten seconds for a step, however long the run took")
    func longPause() throws {
        let later = SmallSession.text(id: "slow").replacing("T03:04:03", with: "T05:00:00")
            .replacing("T03:04:05", with: "T05:10:00").replacing("T03:04:08", with: "T05:11:00")
            .replacing("T03:04:10", with: "T05:12:00")
        let made = try TestWorkspace.holding(later)
        let driver = TraceDriver(made.workspace, settings: ["pace": "real"])
        driver.press("open", "step", "step", "play")
        #expect(driver.waits["play"]?.duration == .seconds(10))
    }
}
