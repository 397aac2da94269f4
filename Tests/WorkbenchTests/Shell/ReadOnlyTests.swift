import Console
import Presentation
import Testing
import Traces
import Workbench
import Workspace

@Suite struct `A read-only workspace` {
    private static let reason = "This workspace is read-only."

    private func readOnly(_ made: TestWorkspace) throws -> Workspace {
        try Workspace.open(
            made.workspace.path, migrations: .workbench, access: .readOnly, create: false)
    }

    @Test func `opens and reads`() throws {
        let made = try TestWorkspace.holding(SmallSession.text())
        let driver = ShellDriver(try readOnly(made))
        #expect(driver.row(0).contains("(read-only)"))
        try driver.type("<enter>")
        #expect(driver.text.contains(SmallSession.prompt))
        #expect(!driver.footer.contains("import"))
    }

    /// Panels with actions that are marked as writing in their bindings.
    private static let writing = Panels.all.filter { !$0.writingNames.isEmpty }.map(\.identifier)

    private func entry(_ panel: String) throws -> PanelEntry {
        try #require(Panels.all.first { $0.identifier == panel })
    }

    @Test(arguments: writing)
    func `refuses each writing action of every panel with the reason`(panel: String) throws {
        let entry = try entry(panel)
        let made = try TestWorkspace.holding(SmallSession.text())
        let workspace = try readOnly(made)
        for action in entry.writingNames {
            let driver = ShellDriver(workspace, panels: [entry])
            #expect(!driver.text.contains(Self.reason))
            try driver.type(":\(action)<enter>")
            #expect(driver.text.contains(Self.reason), "\(action)")
        }
    }

    /// An action that writes without being marked fails in the workspace instead of being refused.
    @Test(arguments: Panels.all.map(\.identifier))
    func `attempts no write in any action of any panel`(panel: String) throws {
        let entry = try entry(panel)
        let made = try TestWorkspace.holding(SmallSession.text())
        let workspace = try readOnly(made)
        for action in entry.actionNames {
            let driver = ShellDriver(workspace, panels: [entry])
            try driver.type(":\(action)<enter>")
            driver.finishJobs()
            #expect(!driver.text.contains("cannot be written"), "\(action)")
        }
    }

    @Test(arguments: writing)
    func `greys writing actions in the palette`(panel: String) throws {
        let entry = try entry(panel)
        let made = try TestWorkspace.holding(SmallSession.text())
        let driver = ShellDriver(try readOnly(made), panels: [entry])
        try driver.type("<ctrl-p>\(entry.writingNames[0])<enter>")
        #expect(driver.text.contains(Self.reason))
    }

    @Test(arguments: ["add", "save", "undo", "keep-case"])
    func `refuses writing actions of Retrieval`(action: String) throws {
        let made = try SearchedWorkspace()
        let driver = ShellDriver.retrieval(try readOnly(made.made))
        try driver.type(":\(action)<enter>")
        #expect(driver.text.contains(Self.reason))
    }

    @Test func `refuses Enter if it would start a session or add a dictionary`() throws {
        let made = try TestWorkspace()
        let workspace = try readOnly(made)
        for panel in [PanelEntry(TokenPage.self), PanelEntry(FeaturePage.self)] {
            let driver = ShellDriver(workspace, panels: [panel])
            try driver.type("<enter>")
            #expect(driver.text.contains(Self.reason), "\(panel.identifier)")
        }
    }

    @Test func `lists the dictionaries that Features would add, each with the reason`() throws {
        let made = try TestWorkspace()
        let driver = ShellDriver(try readOnly(made), panels: [PanelEntry(FeaturePage.self)])
        try driver.type("d")
        #expect(driver.text.contains("add it"))
        try driver.type("<enter>")
        #expect(driver.text.contains(Self.reason))
    }

    @Test func `refuses to make a session of a recorded call`() throws {
        let made = try TestWorkspace.sample()
        let driver = ShellDriver(
            try readOnly(made), panels: [PanelEntry(TracePage.self), PanelEntry(TokenPage.self)],
            opening: Reference(try made.store.find("7e57ab1e")))
        try driver.type("]mo<enter>")
        #expect(driver.text.contains(Self.reason))
    }

    /// Attention reads models and writes no rows.
    @Test func `covers every panel`() {
        let covered = Self.writing + [AttentionPage.about.identifier]
        #expect(Set(covered) == Set(Panels.all.map(\.identifier)))
    }

    @Test func `knows the writing actions of Traces`() {
        let writing = PageHost<TracePage>.bindings.filter(\.isWriting).map(\.name)
        #expect(Set(writing) == ["import", "import-found", "mark", "rename", "delete", "undo"])
    }
}
