import LanguageModels
import Testing
import Traces
import Workbench

@Suite("Finding in the trace panel")
struct TraceFindingTests {
    let made: TestWorkspace
    let driver: TraceDriver

    init() throws {
        made = try TestWorkspace.holding(
            SmallSession.text(), SmallSession.text(id: "ivy", prompt: "Water the ivy", day: 3))
        driver = TraceDriver(made.workspace)
    }

    @Test("/ in the list shows only matching runs, and Esc shows all runs")
    func filtersRuns() {
        driver.press("filter")
        driver.answer("\"Water the ivy\"")
        #expect(driver.text.contains("Water the ivy"))
        #expect(!driver.text.contains(SmallSession.prompt))
        driver.press("back")
        #expect(driver.text.contains(SmallSession.prompt))
    }

    @Test("a filter without matches says so and names the next step")
    func filtersAll() {
        driver.press("filter")
        driver.answer("errors>100")
        #expect(driver.text.contains("No run matches the filter. Press Esc to clear it."))
    }

    @Test("an invalid filter is reported and changes nothing")
    func wrongFilter() {
        driver.press("filter")
        driver.answer("kind:tol")
        #expect(driver.notices.count == 1)
        #expect(driver.notices.first?.contains("tol") == true)
        #expect(driver.saved("filter") == "")
        #expect(driver.text.contains(SmallSession.prompt))
    }

    @Test("completion offers the valid words at the cursor")
    func completes() throws {
        driver.press("filter")
        let asked = try #require(driver.prompt)
        #expect(asked.complete("kind:to") == ["kind:tool"])
        #expect(asked.complete("errors>0 kind:to") == ["kind:tool"])
        #expect(asked.complete("(kind:to") == ["(kind:tool"])
        #expect(asked.complete("sta").contains("status:"))
    }

    @Test("completion offers the values read with the list")
    func completesValues() throws {
        driver.press("filter")
        try made.store.delete([1, 2])
        let asked = try #require(driver.prompt)
        #expect(asked.complete("model:cl") == ["model:claude-opus-4-6"])
        #expect(asked.complete("name:ba") == ["name:Bash"])
    }

    @Test("the same filter again reads the list again")
    func repeatsFilter() throws {
        driver.press("filter")
        driver.answer("errors>0")
        try TraceStore(try made.reopened()).rename(1, to: "the dry fern")
        #expect(!driver.text.contains("the dry fern"))
        driver.press("filter")
        driver.answer("errors>0")
        #expect(driver.text.contains("the dry fern"))
    }

    @Test("a search that is still running when another run opens shows nothing there")
    func lateSearch() throws {
        var short = Trace(summary: TraceSummary(externalID: "short", format: "made"))
        short.spans = [Span(ordinal: 0, kind: .model, name: "chat", start: 1, end: 2, externalID: "1")]
        try made.store.insert([short])
        driver.press("open")
        driver.holds = true
        #expect(driver.open(Reference(try made.store.find("short"))))
        driver.press("filter")
        driver.answer("kind:tool")
        driver.release()
        #expect(driver.text.contains("step 1 of 1"))
        #expect(driver.reason("next-match") == "search first: press /")
    }

    @Test("/ in a run goes to the first match; n and N cycle through the matches")
    func search() {
        driver.press("open", "filter")
        driver.answer("kind:tool")
        #expect(driver.notices == ["2 spans found: n and N step through them, f shows only matches"])
        #expect(driver.text.contains("step 2 of 5"))
        driver.press("next-match")
        #expect(driver.text.contains("step 4 of 5"))
        driver.press("next-match")
        #expect(driver.text.contains("step 2 of 5"))
        driver.press("previous-match")
        #expect(driver.text.contains("step 4 of 5"))
    }

    @Test("a search covers results as well as names")
    func searchesTexts() {
        driver.press("open", "filter")
        driver.answer("\"can is empty\"")
        #expect(driver.text.contains("step 4 of 5"))
    }

    @Test("f shows only matches and their context, and then all steps again")
    func onlyMatches() {
        driver.press("open", "filter")
        driver.answer("status:error")
        let all = driver.text
        driver.press("only-matches")
        #expect(driver.text.contains("only 1: status:error"))
        #expect(driver.text != all)
        driver.press("step")
        #expect(driver.text.contains("step 5 of 5"))
        driver.press("previous-match", "only-matches")
        #expect(driver.text.contains("step 4 of 5"))
    }

    @Test("a search without matches is reported, and the cursor stays")
    func noMatch() {
        driver.press("open")
        let there = driver.span
        driver.press("filter")
        driver.answer("name:Nothing")
        #expect(driver.notices == ["no match for name:Nothing"])
        #expect(driver.span == there)
    }

    @Test("an empty search ends the search")
    func emptySearch() {
        driver.press("open", "filter")
        driver.answer("kind:tool")
        driver.press("filter")
        driver.answer("  ")
        #expect(!driver.text.contains("kind:tool"))
        #expect(driver.reason("next-match") == "search first: press /")
    }

    @Test("in the detail, / searches during typing and n goes to the next match")
    func findInText() {
        driver.press("open", "next-error", "open", "filter")
        driver.answer("water")
        #expect(driver.text.contains("1 of 3"))
        driver.press("next-match")
        #expect(driver.text.contains("2 of 3"))
    }

    @Test("canceling a search leaves nothing marked")
    func leaveFind() {
        driver.press("open", "open")
        let before = driver.text
        driver.press("filter")
        driver.leave()
        #expect(driver.text == before)
    }

    @Test("m marks a step, ' returns to it, and m removes the mark")
    func marks() throws {
        driver.press("open", "next-error", "mark")
        #expect(driver.notices == ["marked a: ' returns here"])
        #expect(driver.text.contains("marked"))
        let there = driver.span
        driver.press("step-back", "step-back", "next-mark")
        #expect(driver.span == there)
        let trace = try #require(driver.trace)
        #expect(try made.store.marks(of: trace).map(\.letter) == ["a"])
        #expect(driver.restarted().text.contains("marked"))
        driver.press("mark")
        #expect(driver.notices.last == "mark removed")
        #expect(try made.store.marks(of: trace).isEmpty)
        driver.press("next-mark")
        #expect(driver.reason("next-mark") == "No step is marked. Press m to mark one.")
    }

    @Test("m pressed twice removes the mark, however long the writes take")
    func marksQuickly() throws {
        driver.press("open", "next-error")
        driver.holds = true
        driver.press("mark")
        #expect(driver.reason("next-mark") == nil)
        driver.press("mark")
        driver.release()
        #expect(driver.reason("next-mark") == "No step is marked. Press m to mark one.")
        #expect(try made.store.marks(of: try #require(driver.trace)).isEmpty)
    }

    @Test("a step has one letter, even if another process marked it")
    func marksOnce() throws {
        let other = TraceDriver(made.workspace)
        other.press("open", "next-error")
        driver.press("open", "next-error", "mark")
        other.press("mark")
        #expect(other.notices == ["marked a: ' returns here"])
        #expect(try made.store.marks(of: try #require(driver.trace)).map(\.letter) == ["a"])
    }

    @Test("a mark that cannot be saved disappears")
    func marksFail() throws {
        driver.press("open", "next-error")
        let trace = try #require(driver.trace)
        for letter in "abcdefghijklmnopqrstuvwxyz" { try made.store.mark(letter, span: 0, of: trace) }
        driver.press("mark")
        #expect(driver.failures.count == 1)
        #expect(driver.reason("next-mark") == "No step is marked. Press m to mark one.")
    }
}
