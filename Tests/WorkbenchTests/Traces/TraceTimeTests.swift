import Console
import LanguageModels
import Testing
import Traces
import Workbench

@Suite("The time of a run")
struct TraceTimeTests {
    /// A run of an hour: an agent, thirty steps of a second each, an idle hour, thirty more.
    private static func workspace() throws -> TestWorkspace {
        let made = try TestWorkspace()
        var trace = Trace(summary: TraceSummary(externalID: "hour", format: "made"))
        trace.summary.name = "an hour"
        let start: Int64 = 1_790_000_000_000_000_000
        let second: Int64 = 1_000_000_000
        trace.spans = [
            Span(ordinal: 0, kind: .agent, name: "agent", start: start, end: start + 3_720 * second, externalID: "0")
        ]
        for step in 1...60 {
            let at = start + Int64(step <= 30 ? step : 3_600 + step) * second
            trace.spans.append(
                Span(
                    ordinal: step, parent: 0, kind: step % 2 == 0 ? .tool : .model, name: "s\(step)", start: at,
                    end: at + second * 9 / 10, externalID: "\(step)"))
        }
        try made.store.insert([trace])
        return made
    }

    /// The widths of the bars that a screen draws, by row.
    private func bars(_ driver: TraceDriver) -> [Int] {
        driver.text.split(separator: "\n").map { row in row.count { $0 == "▆" } }
    }

    @Test("the selected step and its neighbors are wide enough to distinguish, and the part is named")
    func around() throws {
        let made = try Self.workspace()
        let driver = TraceDriver(made.workspace)
        driver.press("open")
        for _ in 0..<14 { driver.press("step") }
        let wide = bars(driver).count { $0 >= 2 }
        #expect(wide >= 5, "\(driver.text)")
        #expect(driver.text.contains("step 15 of 60   "))
        #expect(driver.text.contains(" s to "))
        #expect(driver.text.contains("━"), "the border shows where the part lies")
    }

    @Test("an idle hour between two steps is left out of the time around the cursor")
    func idle() throws {
        let made = try Self.workspace()
        let driver = TraceDriver(made.workspace)
        driver.press("open")
        for _ in 0..<29 { driver.press("step") }
        #expect(driver.text.contains("step 30 of 60"))
        #expect(bars(driver).max() ?? 0 >= 2, "\(driver.text)")
    }

    @Test("0 switches between the whole run and the part around the step; an agent is shown with all its steps")
    func whole() throws {
        let made = try Self.workspace()
        let driver = TraceDriver(made.workspace)
        driver.press("open", "timeline-all")
        #expect(driver.text.contains("whole run"))
        driver.press("step")
        #expect(driver.text.contains("whole run"), "it stays so from step to step")
        driver.press("timeline-all")
        #expect(!driver.text.contains("whole run"))
        driver.press("up", "up", "up")
        #expect(driver.text.contains("whole run"))
    }

    @Test("+ and - choose a length that stays while the part follows the cursor")
    func chosen() throws {
        let made = try Self.workspace()
        let driver = TraceDriver(made.workspace)
        driver.press("open", "timeline-all", "timeline-in", "timeline-in")
        #expect(driver.text.contains(" to ") && !driver.text.contains("whole run"))
        driver.press("timeline-out", "timeline-out", "timeline-out")
        #expect(driver.text.contains("whole run"))
    }
}

@Suite("Marks in a run")
struct TraceMarkTests {
    @Test("marks differ from the symbols of all span kinds", arguments: [false, true])
    func glyph(isASCII: Bool) {
        let glyphs = isASCII ? Glyphs.ascii : Glyphs.unicode
        let others = [glyphs.dot, glyphs.ring, glyphs.diamond, glyphs.collapsed, glyphs.bullet, glyphs.failed]
        #expect(!others.contains(glyphs.mark))
    }
}
