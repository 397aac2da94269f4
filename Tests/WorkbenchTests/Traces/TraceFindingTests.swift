import Testing
import Traces
import Workbench

@Suite("Finding in the trace panel")
struct TraceFindingTests {
    let made: TestWorkspace
    let driver: PanelDriver

    init() throws {
        made = try TestWorkspace.holding(
            SmallSession.text(), SmallSession.text(id: "ivy", prompt: "Water the ivy", day: 3))
        driver = PanelDriver(made.workspace)
    }

    @Test("/ in the list shows only matching runs, and Esc shows all runs")
    func filtersRuns() {
        driver.act(.search)
        driver.type("\"Water the ivy\"")
        #expect(driver.text.contains("Water the ivy"))
        #expect(!driver.text.contains(SmallSession.prompt))
        driver.act(.back)
        #expect(driver.text.contains(SmallSession.prompt))
    }

    @Test("a filter without matches says so and names the next step")
    func filtersAll() {
        driver.act(.search)
        driver.type("errors>100")
        #expect(driver.text.contains("No run matches the filter. Press Esc to clear it."))
    }

    @Test("an invalid filter is reported and changes nothing")
    func wrongFilter() {
        driver.act(.search)
        driver.type("kind:tol")
        #expect(driver.notices.count == 1)
        #expect(driver.notices.first?.contains("tol") == true)
        #expect(driver.saved("filter") == "")
        #expect(driver.text.contains(SmallSession.prompt))
    }

    @Test("completion offers the valid words at the cursor")
    func completes() throws {
        driver.act(.search)
        let asked = try #require(driver.prompt)
        #expect(asked.complete("kind:to") == ["kind:tool"])
        #expect(asked.complete("errors>0 kind:to") == ["kind:tool"])
        #expect(asked.complete("(kind:to") == ["(kind:tool"])
        #expect(asked.complete("sta").contains("status:"))
    }

    @Test("/ in a run goes to the first match; n and N cycle through the matches")
    func search() {
        driver.act(.open, .search)
        driver.type("kind:tool")
        #expect(driver.notices == ["2 spans found: n and N step through them, f shows only matches"])
        #expect(driver.text.contains("step 2 of 5"))
        driver.act(.nextMatch)
        #expect(driver.text.contains("step 4 of 5"))
        driver.act(.nextMatch)
        #expect(driver.text.contains("step 2 of 5"))
        driver.act(.previousMatch)
        #expect(driver.text.contains("step 4 of 5"))
    }

    @Test("a search covers results as well as names")
    func searchesTexts() {
        driver.act(.open, .search)
        driver.type("\"can is empty\"")
        #expect(driver.text.contains("step 4 of 5"))
    }

    @Test("f shows only matches and their context, and then all steps again")
    func onlyMatches() {
        driver.act(.open, .search)
        driver.type("status:error")
        let all = driver.text
        driver.act(.onlyMatches)
        #expect(driver.text.contains("only 1: status:error"))
        #expect(driver.text != all)
        driver.act(.stepForward)
        #expect(driver.text.contains("step 5 of 5"))
        driver.act(.previousMatch, .onlyMatches)
        #expect(driver.text.contains("step 4 of 5"))
    }

    @Test("a search without matches is reported, and the cursor stays")
    func noMatch() {
        driver.act(.open)
        let there = driver.span
        driver.act(.search)
        driver.type("name:Nothing")
        #expect(driver.notices == ["no match for name:Nothing"])
        #expect(driver.span == there)
    }

    @Test("an empty search ends the search")
    func emptySearch() {
        driver.act(.open, .search)
        driver.type("kind:tool")
        driver.act(.search)
        driver.type("  ")
        #expect(!driver.text.contains("kind:tool"))
        #expect(driver.panel.disabledReason(.nextMatch) == "search first: press /")
    }

    @Test("in the detail, / searches during typing and n goes to the next match")
    func findInText() {
        driver.act(.open, .next(.error), .open, .search)
        driver.type("water")
        #expect(driver.text.contains("1 of 3"))
        driver.act(.nextMatch)
        #expect(driver.text.contains("2 of 3"))
    }

    @Test("canceling a search leaves nothing marked")
    func leaveFind() {
        driver.act(.open, .open)
        let before = driver.text
        driver.act(.search)
        driver.leaveLine()
        #expect(driver.text == before)
    }

    @Test("m marks a step, ' returns to it, and m removes the mark")
    func marks() throws {
        driver.act(.open, .next(.error), .mark)
        #expect(driver.notices == ["marked a: ' returns here"])
        #expect(driver.text.contains("marked"))
        let there = driver.span
        driver.act(.stepBack, .stepBack, .nextMark)
        #expect(driver.span == there)
        let trace = try #require(driver.trace)
        #expect(try made.store.marks(of: trace).map(\.letter) == ["a"])
        #expect(driver.restarted().text.contains("marked"))
        driver.act(.mark)
        #expect(driver.notices.last == "mark removed")
        #expect(try made.store.marks(of: trace).isEmpty)
        driver.act(.nextMark)
        #expect(driver.panel.disabledReason(.nextMark) == "No step is marked. Press m to mark one.")
    }
}
