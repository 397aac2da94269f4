import Console
import Testing
import Traces
import Workbench

@Suite("Moving about in the trace panel")
struct TraceNavigationTests {
    let made: TestWorkspace
    let driver: TraceDriver

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = TraceDriver(made.workspace)
    }

    @Test("Esc goes back one level at a time, and finally to the panel that opened this one")
    func escape() throws {
        driver.press("open", "open")
        #expect(driver.pane == "detail")
        driver.press("filter")
        driver.answer("can")
        driver.press("back")
        #expect(driver.pane == "run")
        driver.press("back")
        #expect(driver.pane == "runs")
        #expect(driver.backs == 0)
        driver.press("back")
        #expect(driver.backs == 1)
    }

    @Test("Esc leaves the zoom, then the search, then the run, then the filter")
    func escapeInOrder() throws {
        driver.resize(to: Size(160, 40))
        driver.press("filter")
        driver.answer("errors>0")
        driver.press("open", "filter")
        driver.answer("kind:tool")
        driver.press("zoom", "back")
        #expect(driver.text.contains("Context"))
        #expect(driver.text.contains("found 2: kind:tool"))
        driver.press("back")
        #expect(driver.pane == "run")
        #expect(!driver.text.contains("kind:tool"))
        driver.press("back")
        #expect(driver.pane == "runs")
        #expect(driver.saved("filter") == "errors>0")
        driver.press("back")
        #expect(driver.saved("filter") == "")
        #expect(driver.backs == 0)
    }

    @Test("Tab cycles through the panes, and Shift-Tab in reverse")
    func panes() {
        driver.press("open")
        var seen: [String] = []
        for _ in 0..<4 {
            driver.press("next-pane")
            seen.append(driver.pane)
        }
        #expect(seen == ["context", "detail", "runs", "run"])
        driver.press("previous-pane")
        #expect(driver.pane == "runs")
    }

    @Test("z shows only one pane, and then all panes again")
    func zoom() {
        driver.press("open", "open")
        #expect(driver.text.contains("Context at step"))
        driver.press("zoom")
        #expect(!driver.text.contains("Context at step"))
        driver.press("zoom")
        #expect(driver.text.contains("Context at step"))
    }

    @Test("a click selects the row under it, a double click opens it")
    func click() throws {
        let sample = try TestWorkspace.sample()
        let driver = TraceDriver(sample.workspace)
        let row = try #require(
            driver.text.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("reindex") || $0.contains("museum") })
        driver.click(.press, column: 10, row: row)
        let there = driver.trace
        #expect(driver.pane == "runs")
        driver.click(.doubleClick, column: 10, row: row)
        #expect(driver.pane == "run")
        #expect(driver.trace == there)
    }

    @Test("a click on a heading sorts by its column, and a second click reverses the order")
    func clickSorts() throws {
        let sample = try TestWorkspace.sample()
        let driver = TraceDriver(sample.workspace)
        let heading = try #require(driver.text.split(separator: "\n").dropFirst().first)
        let column = try #require(Array(heading).firstIndex(of: "k"))
        driver.click(.press, column: column, row: 1)
        #expect(driver.saved("order") == "tokens")
        let first = driver.text
        driver.click(.press, column: column, row: 1)
        #expect(driver.text != first)
    }

    @Test("the wheel scrolls the pane under the pointer")
    func wheel() throws {
        // A run that is longer than its pane.
        let made = try TestWorkspace.sample()
        let driver = TraceDriver(made.workspace)
        driver.press("open")
        let first = driver.span
        driver.click(.scrollDown, column: 60, row: 5)
        #expect(driver.span != first)
        driver.click(.scrollUp, column: 60, row: 5)
        #expect(driver.pane == "run")
    }

    @Test("the selection is the run in the list, and the span in the run")
    func selection() throws {
        let trace = try #require(driver.page.selection)
        #expect(trace.kind == .trace)
        driver.press("open")
        let span = try #require(driver.page.selection)
        #expect(span.kind == .span)
        #expect(span.path.first == trace.path.first)
    }

    @Test("a reference to a span opens its run at that span; other kinds are declined")
    func opensReferences() throws {
        driver.press("open", "next-error")
        let there = try #require(driver.page.selection)
        let other = TraceDriver(made.workspace)
        #expect(other.open(there))
        #expect(other.page.selection == there)
        #expect(!other.open(Reference(Reference.Kind(rawValue: "chunk"), [1], title: "")))
    }

    @Test("the list's cursor can leave a run that is being read")
    func leavesLoading() throws {
        let made = try TestWorkspace.holding(SmallSession.text(id: "a"), SmallSession.text(id: "b"))
        let driver = TraceDriver(made.workspace)
        driver.holds = true
        let first = driver.trace
        driver.press("open", "down")
        driver.workspaceChanged()
        driver.release("runs")
        driver.release("order")
        #expect(driver.trace != first)
        driver.release()
        #expect(driver.trace == first && driver.pane == "run")
    }

    @Test("a missing run is reported, and the list offers the others")
    func openMissing() {
        #expect(driver.open(Reference(.trace, [999], title: "lost")))
        #expect(driver.failures == ["The run is no longer in the workspace. Another program removed it."])
        #expect(driver.pane == "runs")
    }
}

@Suite("The saved state of the trace panel")
struct TraceMemoryTests {
    let made: TestWorkspace
    let driver: TraceDriver

    init() throws {
        made = try TestWorkspace.holding(
            SmallSession.text(), SmallSession.text(id: "ivy", prompt: "Water the ivy", day: 3))
        driver = TraceDriver(made.workspace)
    }

    @Test("the next start shows the same run at the same step, pane and filter")
    func restart() {
        driver.press("filter")
        driver.answer("errors>0")
        driver.press("open", "next-error", "open")
        let again = driver.restarted()
        #expect(again.pane == "detail")
        #expect(again.span == driver.span)
        #expect(again.trace == driver.trace)
        #expect(again.text == driver.text)
    }

    @Test("the saved pane is kept while its run is being read")
    func savedEarly() {
        driver.press("open", "next-error", "open")
        let again = driver.restarted(holds: true)
        #expect(again.page.screen.focus == .runs && again.pane == "detail")
        again.release()
        #expect(again.page.screen.focus == .detail && again.span == driver.span)
    }

    @Test("a run opens at the last visited step")
    func position() {
        driver.press("open", "next-error")
        let there = driver.span
        driver.press("back", "down", "open")
        #expect(driver.span != there)
        driver.press("back", "up", "open")
        #expect(driver.span == there)
        let again = driver.restarted()
        again.press("back", "down", "open", "back", "up", "open")
        #expect(again.span == there)
    }

    @Test(
        "state saved by another version or damaged state is ignored",
        arguments: ["", "{", "[]", #"{"pane":7,"trace":"x"}"#])
    func damaged(saved: String) {
        let again = TraceDriver(made.workspace, saved: saved)
        #expect(again.pane == "runs")
        #expect(again.text.contains("Water the ivy"))
    }

    @Test("state saved by earlier versions is restored")
    func earlier() throws {
        driver.press("open", "next-error")
        let (trace, span) = (try #require(driver.trace), try #require(driver.span))
        let saved = #"""
            {"pane":"detail","zoomed":true,"filter":"errors>0","scope":"all","order":"tokens","descending":false,
            "trace":\#(trace),"span":\#(span),"positions":{"\#(trace)":0,"99":4}}
            """#
        let again = TraceDriver(made.workspace, saved: saved)
        #expect(again.trace == trace && again.span == span)
        #expect(again.page.screen.isZoomed)
        for (key, value) in ["pane": "detail", "filter": "errors>0", "scope": "all", "order": "tokens"] {
            #expect(again.saved(key) == value)
        }
        #expect(again.host.save().contains(#""positions":{"\#(trace)":\#(span),"99":4}"#))
    }

    @Test("a saved run that no longer exists leaves the list on screen")
    func removed() throws {
        driver.press("open")
        let trace = try #require(driver.trace)
        try made.store.delete([trace])
        _ = try made.store.prune()
        let again = driver.restarted()
        #expect(again.pane == "runs")
        again.press("open")
        #expect(again.pane == "run")
    }
}
