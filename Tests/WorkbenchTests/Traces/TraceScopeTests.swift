import Console
import LanguageModels
import Testing
import Traces
import Workbench

@Suite("Runs of agents and the other runs")
struct TraceScopeTests {
    let made: TestWorkspace

    /// An agent's session, two chats, and an eval sample.
    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        for (number, origin) in [(1, TraceOrigin.chat), (2, .chat), (3, .eval)] {
            var trace = Trace(summary: TraceSummary(externalID: "other-\(number)", format: "made"))
            trace.summary.name = "\(origin.name) number \(number)"
            trace.summary.origin = origin
            trace.summary.project = origin == .eval ? "reading" : "orrery"
            let start = 1_790_000_000_000_000_000 + Int64(number)
            trace.spans = [
                Span(
                    ordinal: 0, kind: .model, status: number == 2 ? .error : .ok, name: "chat", start: start,
                    end: start + 5, externalID: "1")
            ]
            try made.store.insert([trace])
        }
    }

    private func names(_ driver: TraceDriver) -> [String] {
        [SmallSession.prompt, "chat number 1", "chat number 2", "eval number 3"].filter { driver.text.contains($0) }
    }

    @Test("agents are listed first, with the counts of other origins above")
    func agents() {
        let driver = TraceDriver(made.workspace)
        #expect(names(driver) == [SmallSession.prompt])
        #expect(driver.text.contains("agents 1   chats 2   evals 1   all 4"))
    }

    @Test("O cycles through the origins with runs, then all runs")
    func cycle() {
        let driver = TraceDriver(made.workspace)
        driver.press("origin")
        #expect(names(driver) == ["chat number 1", "chat number 2"])
        driver.press("origin")
        #expect(names(driver) == ["eval number 3"])
        driver.press("origin")
        #expect(names(driver).count == 4)
        #expect(driver.text.contains("origin") && driver.text.contains("project"))
        #expect(driver.restarted().text.contains("chat number 2"), "the next start shows the same runs")
        driver.press("origin")
        #expect(names(driver) == [SmallSession.prompt])
    }

    @Test("a click on a scope shows its runs")
    func click() throws {
        let driver = TraceDriver(made.workspace)
        let line = try #require(driver.text.split(separator: "\n").dropFirst().first)
        let column = try #require(line.firstRange(of: "evals 1")).lowerBound
        driver.click(.press, column: line.distance(from: line.startIndex, to: column), row: 1)
        #expect(names(driver) == ["eval number 3"])
    }

    @Test("with only agents, no other origin appears, and the key gives the reason")
    func alone() throws {
        let made = try TestWorkspace.holding(SmallSession.text())
        let driver = TraceDriver(made.workspace)
        #expect(!driver.text.contains("agents 1"))
        driver.press("origin")
        #expect(driver.refusals == ["no chats, evals, or retrievals in this workspace"])
    }

    @Test("an empty list shows the number of runs in another scope and the key that lists them")
    func empty() throws {
        try made.store.delete([try made.store.find("fern").id])
        let driver = TraceDriver(made.workspace)
        #expect(driver.text.contains("No agents yet. Press O to show 2 chats and 1 eval"))
        driver.press("filter")
        driver.answer("errors>0")
        #expect(driver.text.contains("No agents match the filter. Press O to show 1 chat, or Esc to clear the filter."))
        driver.press("origin")
        #expect(names(driver) == ["chat number 2"])
    }

    @Test("a filter with an origin lists its runs, whatever the scope")
    func filter() {
        let driver = TraceDriver(made.workspace)
        driver.press("filter")
        driver.answer("origin:eval")
        #expect(names(driver) == ["eval number 3"])
        driver.press("origin")
        #expect(driver.refusals == ["The filter already names origins. Press Esc to clear it."])
        driver.press("back")
        #expect(names(driver) == [SmallSession.prompt])
    }

    @Test("opening a run of another origin by reference switches the list to its origin")
    func opens() throws {
        let driver = TraceDriver(made.workspace, size: Size(160, 40))
        #expect(driver.open(Reference(try made.store.find("other-3"))))
        #expect(driver.pane == "run")
        driver.press("back")
        #expect(driver.saved("scope") == "eval")
        #expect(driver.trace == (try made.store.find("other-3").id))
    }

    @Test("opening a hidden run by reference clears the filter, with a message")
    func opensFiltered() throws {
        let driver = TraceDriver(made.workspace, size: Size(160, 40))
        driver.press("filter")
        driver.answer("errors>100")
        #expect(driver.open(Reference(try made.store.find("fern"))))
        #expect(driver.saved("filter") == "")
        #expect(driver.notices == ["cleared the filter because it hid this run"])
        #expect(names(driver) == [SmallSession.prompt])
    }

    @Test("several projects get a column, with the last part of a folder's path")
    func projects() throws {
        let other = SmallSession.text(id: "ivy", prompt: "Water the ivy", day: 3)
            .replacing(#""sessionId""#, with: #""cwd":"/home/mara/ivy","sessionId""#)
        let first = SmallSession.text().replacing(#""sessionId""#, with: #""cwd":"/home/mara/fern","sessionId""#)
        let two = try TestWorkspace.holding(first, other)
        let driver = TraceDriver(two.workspace)
        let rows = driver.text.split(separator: "\n")
        #expect(rows[1].contains(" project "))
        #expect(rows[2].contains(" ivy ") && !rows[2].contains("/home/mara"))
        let one = try TestWorkspace.holding(first)
        #expect(!TraceDriver(one.workspace).text.contains(" project  model"))
    }
}

@Suite("The first look at a run")
struct TraceOverviewTests {
    @Test("the summary of the selected run appears below the list: question, answer, failures, and note")
    func overview() throws {
        let made = try TestWorkspace.holding(
            SmallSession.text(), SmallSession.text(id: "ivy", prompt: "Water the ivy", day: 3))
        try made.store.describe(try made.store.find("ivy").id, name: "the ivy", note: "An invented session.")
        let driver = TraceDriver(made.workspace)
        #expect(driver.pane == "runs")
        for text in [
            "note      An invented session.", "asked     Water the ivy", "answered  The can is empty", "step 4",
        ] {
            #expect(driver.text.contains(text), "\(text)")
        }
        driver.press("down")
        #expect(driver.text.contains("asked     \(SmallSession.prompt)"))
        #expect(!driver.text.contains("An invented session."))
    }

    @Test("a click on the summary keeps the focus in the list, and a double click opens the run")
    func clicks() throws {
        let made = try TestWorkspace.holding(SmallSession.text())
        let driver = TraceDriver(made.workspace)
        driver.click(column: 20, row: 30)
        #expect(driver.pane == "runs")
        driver.click(.doubleClick, column: 20, row: 30)
        #expect(driver.pane == "run" && driver.text.contains("step 1 of 5"))
    }

    @Test("]e in the list opens the run at its first failed step, with its context")
    func firstFailure() throws {
        let made = try TestWorkspace.holding(SmallSession.text())
        let driver = TraceDriver(made.workspace)
        #expect(driver.hint("]e") == "first failed step")
        driver.press("next-error")
        #expect(driver.pane == "run")
        #expect(driver.text.contains("step 4 of 5") && driver.text.contains("Context at step 4"))
        #expect(driver.text.contains(SmallSession.failure))
    }

    @Test("]e on a run without a failed step says so")
    func noFailure() throws {
        let made = try TestWorkspace.holding(
            SmallSession.text().replacing(#""is_error":true"#, with: #""is_error":false"#))
        let driver = TraceDriver(made.workspace)
        driver.press("next-error")
        #expect(driver.refusals == ["no step of this run failed"])
        #expect(driver.pane == "runs")
    }

    @Test("a fresh sample workspace shows a failed step with its context after two keys")
    func sample() throws {
        let made = try TestWorkspace.sample()
        for size in [Size(80, 24), Size(120, 40), Size(200, 60)] {
            let start = try Workbench.show(
                panel: "traces", workspace: made.workspace, settings: Place.settings(), size: size, clock: Place.now)
            #expect(start.textDump.contains("Sample. An agent delegates to two"), "\(size)")
            let screen = try Workbench.show(
                panel: "traces", workspace: made.workspace, settings: Place.settings(), size: size, keys: "]e",
                clock: Place.now)
            #expect(screen.textDump.contains("no such column"), "\(size)")
            #expect(screen.textDump.contains("Context at step"), "\(size)")
        }
    }
}

@Suite("Small screens of the trace panel")
struct TraceSizeTests {
    @Test("every screen shows a row of data", arguments: [Size(20, 3), Size(20, 4), Size(33, 6), Size(40, 8)])
    func rows(size: Size) throws {
        let made = try TestWorkspace.sample()
        let driver = TraceDriver(made.workspace, size: size)
        #expect(driver.text.contains("duty-eng"), "\(driver.text)")
        driver.press("next-error")
        #expect(driver.text.contains("✗"), "\(driver.text)")
    }
}
