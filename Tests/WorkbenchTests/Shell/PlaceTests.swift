import Console
import Testing
import Workbench
import Workspace

@Suite("Places and pages")
struct PlaceTests {
    private static let entries = [
        PanelEntry(TracePage.self, in: .traces, letter: "t"),
        PanelEntry(ChoicePage.self, in: .shop, letter: "c"), PanelEntry(BasketPage.self, in: .shop, letter: "b"),
        PanelEntry(NotePage.self, letter: "n"),
    ]

    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = ShellDriver(made.workspace, panels: Self.entries)
    }

    private var title: String { driver.row(0) }
    private var front: String { driver.shell.panels[driver.shell.current].identifier }

    @Test("the title line shows the pages of the place in front")
    func titleLine() throws {
        #expect(title.contains("1 Traces  2 Shop  3 Notes"))
        try driver.type("2")
        #expect(title.contains("1 Traces  2 Shop [Choice] Basket  3 Notes"))
    }

    @Test("the title line of 80 columns shows five digits and the page in front")
    func narrow() throws {
        let driver = ShellDriver(made.workspace, size: Size(80, 24), panels: Panels.all)
        for page in driver.shell.panels.indices {
            driver.shell.show(page)
            let (line, panel) = (driver.row(0), driver.shell.panels[page])
            for digit in 1...5 { #expect(line.contains("\(digit)")) }
            #expect(line.contains(panel.title))
        }
        driver.shell.show(1)
        #expect(driver.row(0).contains("2 Models [Tokens] Attention Features Training  3 Retrieval"))
    }

    @Test("a digit opens the page shown last, and again the next page")
    func digits() throws {
        try driver.type("2")
        #expect(front == "choice")
        try driver.type("2")
        #expect(front == "basket")
        try driver.type("12")
        #expect(front == "basket")
        try driver.type("2")
        #expect(front == "choice")
        try driver.type("11")
        #expect(front == "traces")
    }

    @Test("the last pages are restored, and the identifier that older versions saved opens its page")
    func restoring() throws {
        let first = ShellDriver(made.workspace, panels: Self.entries, isHeadless: false)
        try first.type("221")
        first.shell.saveScreens()
        let again = ShellDriver(made.workspace, panels: Self.entries, isHeadless: false)
        #expect(again.shell.lastPanel == "traces")
        try again.type("2")
        #expect(again.shell.panels[again.shell.current].identifier == "basket")
        made.workspace.state.set("workbench.screen", to: "choice")
        again.shell.start(panel: again.shell.lastPanel, opening: nil)
        #expect(again.shell.panels[again.shell.current].identifier == "choice")
    }

    @Test("a click on a place opens it, and a click on a page shows the page")
    func clicks() throws {
        try click("2 Shop")
        #expect(front == "choice")
        try click("Basket")
        #expect(front == "basket")
        try click("2 Shop")
        #expect(front == "choice")
    }

    private func click(_ words: String) throws {
        let line = title
        let start = try #require(line.ranges(of: words).first).lowerBound
        let column = line.distance(from: line.startIndex, to: start)
        driver.handle(.mouse(Mouse(.press, at: Point(column: column, row: 0))))
    }

    @Test("g opens a menu of all pages, and a letter opens its page at once")
    func menu() throws {
        try driver.type("g")
        for part in ["─ Pages ─", "Basket", "2 Shop", "press a letter"] { #expect(driver.text.contains(part)) }
        try driver.type("b")
        #expect(front == "basket" && !driver.text.contains("─ Pages ─"))
        try driver.type("g<esc>gt")
        #expect(front == "traces")
        try driver.type("g<down><enter>")
        #expect(front == "choice")
    }

    @Test("sequences of a page that start with g still work, with the menu open")
    func sequences() throws {
        try driver.type("2jgg")
        #expect(front == "choice" && !driver.text.contains("─ Pages ─"))
        try driver.type("<space>2")
        #expect(driver.text.contains("Line 1 of book 1."))
        // The other page has an action for gr, which is unavailable.
        try driver.type("gngr")
        #expect(driver.text.contains("open a span here first") && !driver.text.contains("─ Pages ─"))
    }

    @Test("a letter without a page closes the menu with a message, and Esc without one")
    func otherLetters() throws {
        try driver.type("gy")
        #expect(driver.text.contains("g y has no action in Traces"))
        try driver.type("g<esc>")
        #expect(!driver.text.contains("has no action") && !driver.text.contains("─ Pages ─"))
        // Nothing is left of the sequence: the letter has its own meaning again.
        try driver.type("g<down><esc>n")
        #expect(front == "traces" && driver.shell.pendingKeys.isEmpty)
    }

    @Test("each page has a letter of its own, and g stays free for the first row")
    func letters() {
        let letters = Panels.all.compactMap(\.letter)
        #expect(letters.count == Panels.all.count && Set(letters).count == letters.count && !letters.contains("g"))
    }

    @Test("a user's key for the first row wins over the menu")
    func rebound() throws {
        let settings = Place.settings(file: "[keys]\ntop = \"g\"\n")
        let driver = ShellDriver(made.workspace, settings: settings, panels: Self.entries)
        try driver.type("g")
        #expect(!driver.text.contains("─ Pages ─"))
        try driver.type(":panel<enter>")
        #expect(driver.text.contains("─ Pages ─") && driver.text.contains("gb"))
    }

    @Test(
        "numbers and names of places and pages are commands",
        arguments: [("2", "choice"), ("shop", "choice"), ("basket", "basket"), ("notes", "notes")])
    func commands(line: String, page: String) throws {
        try driver.type("3:\(line)<enter>")
        #expect(front == page)
        try driver.type(":\(line)<enter>")
        #expect(front == page)
    }

    @Test("a number beyond the places is an unknown command, and Traces takes numbers as steps")
    func otherNumbers() throws {
        try driver.type(":2<enter>")
        #expect(front == "traces" && driver.text.contains("open a run first"))
        try driver.type("3:4<enter>")
        #expect(driver.text.contains("Unknown command \"4\""))
        try driver.type(":\(Int.min)<enter>")
        #expect(driver.text.contains("Unknown command"))
    }

    @Test("pages of a place share state: a change on one page shows on the other")
    func shared() throws {
        try driver.type("2<space>")
        #expect(driver.text.contains("─ Books ─ 1"))
        try driver.type("2")
        #expect(driver.text.contains("Line 1 of book"))
        try driver.type("2j<space>2")
        #expect(driver.text.ranges(of: "Line 1 of book").count == 2)
        try driver.type("X2")
        #expect(driver.text.contains("─ Books ─ 0"))
        try driver.type("2")
        #expect(driver.text.contains("The basket is empty."))
    }

    @Test("each workbench has its own shared state")
    func separate() throws {
        let other = ShellDriver(made.workspace, panels: Self.entries)
        try driver.type("2<space>")
        try other.type("2")
        #expect(other.text.contains("─ Books ─ 0"))
    }
}
