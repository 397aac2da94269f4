import Console
import JSON
import Retrieval
import Testing
import Workbench

@Suite struct `The retrieval page by action name` {
    let made: SearchedWorkspace

    init() throws { made = try SearchedWorkspace() }

    private func asked(_ saved: String? = nil) throws -> PageDriver<RetrievalPage> {
        let driver = PageDriver<RetrievalPage>(made.workspace, saved: saved)
        driver.press("ask")
        driver.answer(SearchedWorkspace.question)
        return driver
    }

    @Test func `a screen saved by earlier versions is restored`() throws {
        let saved = """
            {"pane":"why","zoomed":true,"view":"source","corpus":"dome","query":"guide star","pipeline":"hybrid",\
            "definition":"[fusion]\\nkeep = 1\\n","base":""}
            """
        let driver = PageDriver<RetrievalPage>(made.workspace, saved: saved)
        #expect(driver.page.screen.focus == .why && driver.page.screen.isZoomed)
        driver.press("zoom")
        #expect(driver.text.contains("│ guide star ") && driver.text.contains("hybrid, changed"))
        #expect(driver.text.contains("─ Source ── notes/2026-09-22.txt"))
        let keys = try #require(try JSONValue(json: driver.host.save()).members).map(\.key)
        #expect(Set(keys) == ["pane", "zoomed", "view", "corpus", "query", "pipeline", "definition", "base"])
    }

    @Test func `Esc in the question line keeps results and cancels the search for typed text`() throws {
        let driver = try asked()
        let before = driver.text
        driver.press("ask")
        driver.leave()
        #expect(driver.text == before)
        driver.press("ask")
        driver.type(soFar: "guide star")
        #expect(driver.text.contains("│ guide star "))
        driver.leave()
        #expect(driver.text.contains("│ \(SearchedWorkspace.question) "))
    }

    @Test func `an explained chunk that no stage ranks is shown until the cursor moves`() throws {
        let driver = try asked()
        driver.press("setting")
        driver.answer("lexical.k = 2, dense.k = 2")
        driver.press("why-not")
        driver.answer("notes/2026-09-21.txt")
        #expect(driver.text.contains("─ Chunk ── notes/2026-09-21.txt"))
        driver.press("back", "down")
        #expect(!driver.text.contains("─ Chunk ── notes/2026-09-21.txt"))
        #expect(driver.text.contains("─ Chunk ── "))
    }

    @Test func `a double click opens passages only, and a press on the question asks`() throws {
        let driver = try asked()
        let head = try #require(
            driver.text.split(separator: "\n", omittingEmptySubsequences: false)
                .firstIndex { $0.contains("fused  rrf 60") })
        driver.click(.doubleClick, column: 8, row: head)
        #expect(!driver.notices.contains { $0.contains("no change is needed") })
        driver.click(.doubleClick, column: 8, row: head + 2)
        #expect(driver.notices.contains { $0.contains("no change is needed") })
        driver.click(column: 20, row: 1)
        #expect(driver.dialog?.asked?.label == "ask ")
    }

    @Test func `Tab never goes to the question`() throws {
        let driver = try asked()
        var panes: [RetrievalPage.PaneName] = []
        for _ in 0..<4 {
            panes.append(driver.page.screen.focus)
            driver.press("next-pane")
        }
        #expect(panes == [.stages, .passage, .why, .questions] && driver.page.screen.focus == .stages)
    }

    @Test func `health is read again on request and left with Esc`() throws {
        let driver = try asked()
        driver.press("health", "health")
        #expect(driver.text.contains("Near-duplicates"))
        driver.press("back")
        #expect(driver.text.contains("fused  rrf 60"))
    }
}
