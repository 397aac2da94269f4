import Console
import Testing
import Workbench

@Suite("Opening objects in another panel")
struct ShellOpeningTests {
    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = ShellDriver(made.workspace)
    }

    @Test("the frame before the first panel says what the user waits for")
    func firstFrame() {
        let frame = Workbench.frame(saying: "Importing samples…", size: Size(40, 9), theme: .dark)
        #expect(frame.textOfRow(4).contains("Importing samples…"))
        #expect(Workbench.frame(saying: "Importing samples…", size: Size(1, 1), theme: .dark).size == Size(1, 1))
    }

    @Test("o lists the panels that can show the selection, and Enter opens it there")
    func offers() throws {
        try driver.type("<enter>]eo")
        #expect(driver.text.contains("Open Bash in"))
        try driver.type("<enter>")
        #expect(driver.text.contains("notes on span:1/"))
        #expect(!driver.text.contains("Open Bash in"))
    }

    @Test("the list describes each panel, without the front panel and panels with nothing to show")
    func previews() throws {
        let panels = [PanelEntry(TracePage.self), PanelEntry(NotePage.self), PanelEntry(TokenPage.self)]
        let driver = ShellDriver(made.workspace, panels: panels)
        // A call of a model: the tokens panel has its texts, and nothing reported their tokens.
        try driver.type("<enter>o")
        #expect(driver.text.contains("a note on"))
        let menu = driver.text.split(separator: "\n").drop { !$0.contains("Open ") }
        #expect(!menu.contains { $0.contains("Traces") && !$0.contains("1 Traces") })
        #expect(menu.contains { $0.contains("tokens not reported") })
        // A tool has no tokens.
        try driver.type("<esc>]eo")
        #expect(driver.text.contains("a note on Bash") && !driver.text.contains("tokens not reported"))
    }

    @Test("o gives the reason if no other panel can show the selection")
    func nothingToOffer() throws {
        let panels = [PanelEntry(TracePage.self), PanelEntry(RetrievalPage.self)]
        let driver = ShellDriver(made.workspace, panels: panels)
        try driver.type("<enter>]eo")
        #expect(!driver.text.contains("Open Bash in"))
        #expect(driver.text.contains("no other panel shows Bash. Retrieval: no retrieval was recorded at this step"))
    }

    @Test("keys typed before the panels have answered go to the list: Enter opens the first entry")
    func typedAhead() throws {
        try driver.type("<enter>]e")
        driver.engine.holdsReads = true
        try driver.type("o<enter>")
        #expect(!driver.text.contains("notes on span"))
        driver.finishJobs()
        #expect(driver.text.contains("notes on span:1/"))
    }

    @Test("a list closed before the panels have answered does not return")
    func leftAhead() throws {
        try driver.type("<enter>]e")
        let before = driver.text
        driver.engine.holdsReads = true
        try driver.type("o<esc>")
        driver.finishJobs()
        #expect(driver.text == before)
    }

    @Test("Esc returns to the panel and its selection")
    func returns() throws {
        try driver.type("<enter>]e")
        let before = driver.text
        try driver.type("o<enter>")
        #expect(driver.text != before)
        try driver.type("<esc>")
        #expect(driver.text == before)
    }

    @Test("going back takes as many steps as going there")
    func returnsTwice() throws {
        try driver.type("<enter>]e")
        let first = driver.text
        try driver.type("o<enter>")
        let second = driver.text
        try driver.type("o<enter>")
        #expect(driver.text.contains("step 4 of 5"))
        try driver.type("<esc><esc>")
        #expect(driver.text == second)
        try driver.type("b")
        #expect(driver.text == first)
        try driver.type("2b")
        #expect(driver.text.contains("notes on span"), "nothing is left to go back to")
    }

    @Test("Esc leaves the list without opening anything")
    func leavesMenu() throws {
        try driver.type("<enter>")
        let before = driver.text
        try driver.type("o")
        #expect(driver.text.contains("a note on"))
        try driver.type("<esc>")
        #expect(driver.text == before)
    }

    @Test("the list's cursor stays inside it")
    func menuEnds() throws {
        try driver.type("<enter>o<down><down><down><down><up><up><up><enter>")
        #expect(driver.text.contains("notes on span"))
    }

    @Test("without a selection, o names what is missing")
    func nothingSelected() throws {
        try driver.type("2o")
        #expect(driver.text.contains("select something first"))
    }

    @Test("a kind that no panel shows is reported")
    func unknownKind() {
        let driver = ShellDriver(made.workspace, opening: Reference(.init(rawValue: "chunk"), [1], title: "chunk 1"))
        #expect(driver.text.contains("no panel shows a chunk"))
        #expect(driver.text.contains(SmallSession.prompt))
    }

    @Test("an object unknown to the panel is reported, and the previous panel returns")
    func refused() {
        let driver = ShellDriver(made.workspace, opening: Reference(.init(rawValue: "note"), [404], title: "note 404"))
        #expect(driver.text.contains("Notes cannot show note 404"))
    }

    @Test("a reference at the start is shown at once")
    func startsWith() {
        let driver = ShellDriver(made.workspace, opening: Reference(.trace, [1], title: ""))
        #expect(driver.text.contains("step 1 of 5"))
    }

    @Test("digits and clicks on the tabs switch panels")
    func tabs() throws {
        try driver.type("2")
        #expect(driver.text.contains("notes on nothing"))
        let column = try #require(driver.row(0).ranges(of: "Traces").first).lowerBound.utf16Offset(in: driver.row(0))
        driver.handle(.mouse(Mouse(.press, at: Point(column: column, row: 0))))
        #expect(driver.text.contains("Runs"))
    }

    @Test("with one panel, the footer offers no other panel")
    func onePanel() throws {
        let wide = Size(200, 40)
        let alone = ShellDriver(made.workspace, size: wide, panels: [PanelEntry(TracePage.self)])
        let beside = ShellDriver(made.workspace, size: wide)
        try alone.type("<enter>")
        try beside.type("<enter>")
        #expect(!alone.footer.contains("open in"))
        #expect(beside.footer.contains("open in"))
    }
}
