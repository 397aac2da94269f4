import Console
import LanguageModels
import ModelLab
import TestFixtures
import Testing
import Workbench

@Suite("The tokens page by the names of its actions")
struct TokenPageTests {
    let made: TestWorkspace
    let driver: PageDriver<TokenPage>

    init() throws {
        made = try TestWorkspace.conversed()
        driver = PageDriver(made.workspace, opening: Reference(.generation, [1], title: ""))
    }

    @Test("Enter goes to the text and the alternatives, Tab visits the panes in order, and Esc goes back")
    func focus() {
        driver.press("open")
        #expect(driver.page.screen.focus == .text)
        driver.press("open")
        #expect(driver.page.screen.focus == .alternatives)
        driver.press("next-pane")
        #expect(driver.page.screen.focus == .live)
        driver.press("open")
        #expect(driver.notices == ["Kernels has no kernel for this operation"])
        driver.press("back", "back")
        #expect(driver.page.screen.focus == .sessions)
        driver.press("back")
        #expect(driver.backs == 1)
    }

    @Test("Esc ends the zoom, then the comparison, then leaves the pane")
    func levels() {
        driver.press("next-pane", "compare", "zoom", "back", "back")
        #expect(!driver.text.contains("identical for"))
        #expect(driver.page.screen.focus == .text && !driver.page.screen.isZoomed)
    }

    @Test("a narrow screen keeps the lower pane that had the focus last")
    func lowerPane() {
        let narrow = PageDriver<TokenPage>(
            made.workspace, size: Size(80, 24), opening: Reference(.generation, [1], title: ""))
        #expect(narrow.text.contains("Token 1 ──"))
        narrow.press("previous-pane", "next-pane")
        #expect(narrow.page.screen.focus == .sessions)
        #expect(narrow.text.contains("─ Generation ─") && !narrow.text.contains("Token 1 ──"))
    }

    @Test("unavailable actions give the reason")
    func refusals() {
        driver.press("next-match", "cancel", "undo", "next-pane", "top", "branch")
        #expect(
            driver.refusals == [
                "search first: press /", "no generation is running",
                "nothing left to restore: u undoes deletions made on this page",
                "move to a token in the answer first",
            ])
    }

    @Test("an action in the Sessions pane opens the row first, and reports why it is unavailable there")
    func rows() {
        driver.press("end", "copy")
        #expect(driver.notices == ["open an answer first"])
        #expect(driver.copies.isEmpty && driver.text.contains("Translate"))
        driver.press("top", "copy")
        #expect(driver.notices.count == 1 && driver.copies.count == 1)
    }

    @Test("a screen that an earlier version saved is restored")
    func restores() {
        let saved = #"{"pane":"text","zoomed":true,"coloring":"entropy","session":4,"answer":2,"step":6}"#
        let restored = PageDriver<TokenPage>(made.workspace, saved: saved)
        #expect(restored.page.screen.focus == .text && restored.page.screen.isZoomed)
        #expect(restored.text.contains("entropy  ≤ 0.7 nat"))
        #expect(restored.page.selection == Reference(.token, [2, 6], title: "token 7 of an answer"))
        #expect(restored.host.save() == saved)
        let old = PageDriver<TokenPage>(
            made.workspace, saved: #"{"pane":"sessions","zoomed":false,"coloring":"time","session":1}"#)
        #expect(old.page.screen.focus == .sessions && old.text.contains("Once upon a time"))
        #expect(old.page.selection == Reference(.session, [1], title: "Once upon a time"))
    }

    @Test("the first start opens the newest session at its most surprising token")
    func first() throws {
        let answered = try TestWorkspace.answered(document: TokenRecords.document)
        let fresh = PageDriver<TokenPage>(answered.workspace)
        #expect(fresh.page.selection?.path == [1, 11])
        #expect(fresh.restarted().page.selection == fresh.page.selection)
    }

    @Test("leaving the line ends the search")
    func search() {
        driver.press("find")
        driver.answer("planet")
        #expect(driver.refusals.isEmpty)
        driver.press("next-match", "find")
        driver.leave()
        driver.press("next-match")
        #expect(driver.refusals == ["search first: press /"])
    }

    @Test("a model is chosen from the list, and a row of the list opens the file browser")
    func models() {
        driver.press("model")
        driver.answer("mini")
        #expect(driver.notices == ["this session now uses mini"])
        driver.press("add-model")
        driver.answer("find a file…")
        guard case .browse = driver.dialog else {
            Issue.record("the file browser is not open")
            return
        }
        driver.leave()
    }
}
