import Console
import Presentation
import TestFixtures
import Testing
import Workbench

@Suite struct `Settings in the workbench` {
    private let made: TestWorkspace
    private let folder = TemporaryFolder()

    init() throws { made = try TestWorkspace.holding(SmallSession.text()) }

    private func settings(_ text: String? = nil) -> Settings {
        if let text { File.write(text, to: folder.file("config.toml")) }
        return Settings.load(SettingDefinition.workbench, path: folder.file("config.toml"), environment: { _ in nil })
    }

    /// Chooses a theme by its list: the `:` line of a terminal belongs to one test at a time.
    private func choose(_ theme: String, _ settings: Settings) throws -> ShellDriver {
        let driver = ShellDriver(made.workspace, size: Size(200, 40), settings: settings, isHeadless: false)
        try driver.type("<ctrl-p>theme<enter>\(theme)<enter>")
        return driver
    }

    private var saved: String? { File.text(folder.file("config.toml")) }

    @Test func `report the first problem of the file, and list all in file order`() throws {
        let text = """
            pace = "fast"
            [keys]
            next-eror = "f8"
            [keys.traces]
            mark = "j"
            [keys.tracs]
            mark = "k"
            """
        let driver = ShellDriver(made.workspace, size: Size(200, 40), settings: settings(text))
        Workbench.report(driver.shell)
        #expect(driver.footer.contains("config.toml:1: pace must be"))
        #expect(driver.footer.contains("(and 3 more: type :messages)"))
        try driver.type(":messages<enter>")
        let lines = driver.text.split(separator: "\n")
        let places = try [1, 3, 5, 7].map { number in
            try #require(lines.firstIndex { $0.contains("config.toml:\(number): ") }, "line \(number)")
        }
        #expect(places == places.sorted())
    }

    @Test func `name a misspelled theme with its line and the nearest name, and start anyway`() throws {
        File.write("# mine\ntheme = \"ligth\"\n", to: folder.file("config.toml"))
        let settings = Settings.workbench(path: folder.file("config.toml"))
        #expect(settings.theme == "auto")
        let driver = ShellDriver(made.workspace, size: Size(200, 40), settings: settings)
        Workbench.report(driver.shell)
        #expect(driver.footer.contains("config.toml:2: Unknown theme \"ligth\". Did you mean \"light\"?"))
        try driver.type("<enter>")
        #expect(driver.text.contains(SmallSession.prompt))
    }

    @Test func `keep comments and order when a theme is saved`() throws {
        let text = "# mine\ntheme = \"dark\"  # at night\npace = \"2x\"\n\n[keys]\nnext-error = \"f8\"\n"
        let driver = try choose("light", settings(text))
        #expect(driver.shell.theme.name == "light")
        #expect(driver.text.contains("Theme light. Saved in \(folder.file("config.toml"))."))
        #expect(saved == text.replacing("\"dark\"", with: "\"light\""))
    }

    @Test func `create a missing file`() throws {
        let driver = try choose("mono", settings())
        #expect(driver.text.contains("Saved in"))
        #expect(saved == "theme = \"mono\"\n")
    }

    @Test func `leave a read-only file alone, and say so`() throws {
        let settings = settings("pace = \"2x\"\n")
        File.makeReadOnly(folder.file("config.toml"))
        let driver = try choose("light", settings)
        #expect(driver.shell.theme.name == "light")
        #expect(driver.text.contains("is read-only, so nothing was saved."))
        #expect(saved == "pace = \"2x\"\n")
    }

    @Test func `leave a file with invalid TOML alone, and name its line`() throws {
        let driver = try choose("light", settings("pace = \"2x\"\nbroken\n"))
        #expect(driver.text.contains("invalid TOML. Correct it, then try again."))
        #expect(saved == "pace = \"2x\"\nbroken\n")
    }

    @Test func `stay unsaved without a terminal`() throws {
        let driver = ShellDriver(made.workspace, settings: settings("pace = \"2x\"\n"))
        try driver.type(":theme light<enter>")
        #expect(driver.shell.theme.name == "light")
        #expect(saved == "pace = \"2x\"\n")
    }
}

@Suite struct `Completing a path` {
    private let made: TestWorkspace
    private let driver: ShellDriver
    private let folder = TemporaryFolder()

    init() throws {
        made = try TestWorkspace.holding(SmallSession.text())
        driver = ShellDriver(made.workspace)
        File.write("", to: folder.file("notes of May.md"))
        // The export form proposes a name, which pasted text replaces.
        try driver.type("<enter>e")
        driver.handle(.paste(folder.file("not")))
    }

    @Test func `inserts the name once the folder is read`() throws {
        try driver.type("<tab>")
        #expect(!driver.text.contains("notes of May.md"))
        driver.finishJobs()
        #expect(driver.text.contains("notes of May.md"))
    }

    @Test func `delays no key while the folder is read, and is dropped if the text changes meanwhile`() throws {
        try driver.type("<tab>hing")
        #expect(driver.text.contains("nothing"))
        driver.finishJobs()
        #expect(driver.text.contains("nothing"))
        #expect(!driver.text.contains("notes of May.md"))
    }
}
