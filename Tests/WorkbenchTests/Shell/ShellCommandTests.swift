import Console
import Testing
import Workbench

@Suite("Commands, palette, and help")
struct ShellCommandTests {
    let made: TestWorkspace
    let driver: ShellDriver

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = ShellDriver(made.workspace)
    }

    @Test("every action of the panel is a command by its name")
    func panelCommand() throws {
        try driver.type(":open<enter>:next-error<enter>")
        #expect(driver.text.contains("step 4 of 5"))
    }

    @Test("a key without an action says so, alone or at the end of a sequence")
    func keyWithoutAction() throws {
        try driver.type("U")
        #expect(driver.text.contains("U has no action in Traces. Press ? for its keys."))
        try driver.type("]x")
        #expect(driver.text.contains("] x has no action in Traces. Press ? for its keys."))
    }

    @Test("the message about a key without an action appears once on each page")
    func keyWithoutActionOnce() throws {
        try driver.type("UU")
        #expect(!driver.text.contains("has no action"))
        try driver.type("2U")
        #expect(driver.text.contains("U has no action in Notes. Press ? for its keys."))
    }

    @Test("a message disappears at the next action and does not follow to another page")
    func messageGoes() throws {
        try driver.type(":nonsense<enter>")
        #expect(driver.text.contains("Unknown command \"nonsense\""))
        try driver.type("<enter>")
        #expect(!driver.text.contains("Unknown command \"nonsense\""))
        try driver.type(":nonsense<enter>2")
        #expect(!driver.text.contains("Unknown command \"nonsense\""))
    }

    @Test("a command that asks for a line gets it")
    func commandThatAsks() throws {
        try driver.type(":panel notes<enter>:ask<enter>")
        #expect(driver.footer == "say")
        try driver.type("hello<enter>")
        #expect(driver.text.contains("heard hello"))
    }

    @Test("panel, theme, help, jobs, and quit are commands")
    func shellCommands() throws {
        try driver.type(":panel notes<enter>")
        #expect(driver.text.contains("notes on nothing"))
        try driver.type(":theme light<enter>")
        #expect(driver.shell.theme.name == "light")
        #expect(driver.asked { if case .redraw = $0 { true } else { false } })
        #expect(driver.text.contains("Theme light. Settings are saved only when Orrery runs in a terminal."))
        try driver.type(":jobs<enter>")
        #expect(driver.text.contains("no job has run in this workspace"))
        try driver.type(":help<enter>")
        #expect(driver.text.contains("Keys of Notes"))
        try driver.type("<esc>:quit<enter>")
        #expect(driver.asked { if case .quit = $0 { true } else { false } })
    }

    @Test(
        "an unknown command is reported with a remedy",
        arguments: [
            (":frobnicate", "Unknown command \"frobnicate\". Type : and press Tab for a list."),
            (":theme ligth", "Unknown theme \"ligth\". Did you mean \"light\"?"),
            (":panel note", "Unknown page \"note\". Did you mean \"notes\"?"), (":theme", "high-contrast"),
            (":panel", "Notes"),
            (":next-mark", "open a run first"),
        ])
    func unknownCommand(line: String, sentence: String) throws {
        try driver.type(line + "<enter>")
        #expect(driver.text.contains(sentence))
    }

    @Test("an empty line does nothing")
    func emptyCommand() throws {
        let before = driver.text
        try driver.type(":<enter>")
        #expect(driver.text == before)
        try driver.type(":theme<esc>")
        #expect(driver.text == before)
    }

    @Test("Tab completes a name, or lists the names if there are several")
    func completion() throws {
        try driver.type(":next-e<tab>")
        #expect(driver.footer.hasPrefix(":next-error"))
        try driver.type("<esc>:the<tab>mo<tab>")
        #expect(driver.footer.hasPrefix(":theme mono"))
        try driver.type("<esc>:panel <tab>")
        #expect(driver.row(38).contains("notes  traces"))
    }

    @Test("Ctrl-P finds any action by a few letters of its description")
    func palette() throws {
        try driver.type("<enter><ctrl-p>")
        #expect(driver.text.contains("Actions"))
        try driver.type("next failed<enter>")
        #expect(driver.text.contains("step 4 of 5"))
        try driver.type("<ctrl-p>")
        driver.handle(.paste("show the Notes page"))
        try driver.type("<enter>")
        #expect(driver.text.contains("notes on nothing"))
    }

    @Test(
        "Ctrl-P finds the commands that have no key", arguments: [("theme", "high-contrast"), ("keys", "Change a key")])
    func paletteCommands(name: String, shown: String) throws {
        try driver.type("<ctrl-p>\(name)<enter>")
        #expect(driver.text.contains(shown))
    }

    @Test("the palette shows unavailable actions with the reason")
    func paletteDisabled() throws {
        try driver.type("<ctrl-p>one step forward<enter>")
        #expect(driver.text.contains("open a run first"))
        try driver.type("<esc>")
        #expect(!driver.text.contains("Actions"))
    }

    @Test("help shows every binding of the panel and of the shell, with its key")
    func help() throws {
        let entries = [PanelEntry(TracePage.self, letter: "t"), PanelEntry(NotePage.self, letter: "n")]
        let driver = ShellDriver(made.workspace, panels: entries)
        driver.handle(.resize(Size(160, 100)))
        try driver.type("<enter>?")
        var seen = driver.text
        for _ in 0..<5 {
            try driver.type("<space>")
            seen += driver.text
        }
        for binding in PageHost<TracePage>.bindings {
            #expect(seen.contains(binding.description.prefix(30)), "\(binding.name)")
            #expect(seen.contains(binding.label), "\(binding.name)")
        }
        for binding in ShellAction.bindings(of: entries) {
            #expect(seen.contains(binding.description.prefix(30)), "\(binding.name)")
            #expect(seen.contains(binding.label), "\(binding.name)")
        }
        try driver.type("?")
        #expect(!driver.text.contains("Keys of Traces"))
    }

    @Test("no two actions of a panel share a key, and none of a panel's keys hides a sequence")
    func noConflicts() {
        #expect(Workbench.keyProblems(Place.settings()) == [])
    }

    @Test("a key bound twice is reported with both actions")
    func conflict() throws {
        let settings = Place.settings(file: "[keys.traces]\nmark = \"j\"\n")
        let problems = Workbench.keyProblems(settings)
        #expect(problems.count == 1)
        #expect(problems.first?.text.contains("mark") == true)
        #expect(problems.first?.text.contains("down") == true)
    }

    @Test("an unknown action in [keys] is reported with its line and the nearest action of any panel")
    func misspelled() throws {
        let settings = Place.settings(file: "theme = \"dark\"\n[keys]\nnext-eror = \"f8\"\n")
        let sentence = "config.toml:3: unknown action \"next-eror\" in [keys]. Did you mean \"next-error\"?"
        let problems = Workbench.keyProblems(settings)
        #expect(problems.count == 1)
        #expect(problems.first?.brief == sentence)
    }

    @Test("a rebound key runs the action, and help and footer show the key")
    func rebound() throws {
        let settings = Place.settings(file: "[keys.traces]\nnext-error = \"ctrl-e\"\nzoom = \"Z\"\n")
        #expect(Workbench.keyProblems(settings) == [])
        let driver = ShellDriver(made.workspace, settings: settings)
        try driver.type("<enter><ctrl-e>")
        #expect(driver.text.contains("step 4 of 5"))
        #expect(driver.footer.contains("Z zoom"))
    }

    @Test("an incomplete key sequence shows in the footer, and another key ends it")
    func pending() throws {
        try driver.type("<enter>]")
        #expect(driver.footer.contains("]"))
        try driver.type("q")
        #expect(!driver.asked { if case .quit = $0 { true } else { false } })
        try driver.type("]e")
        #expect(driver.text.contains("step 4 of 5"))
    }

    @Test("q, Ctrl-Z, and Ctrl-L ask the terminal to leave, to suspend, and to redraw")
    func requests() throws {
        try driver.type("<ctrl-l><ctrl-z>q")
        #expect(driver.requests.count == 3)
    }

    @Test("SIGTERM leaves as q does")
    func terminate() {
        driver.handle(.terminate)
        #expect(driver.asked { if case .quit = $0 { true } else { false } })
    }
}
