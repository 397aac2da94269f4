import Console
import Testing
import Traces
import Workbench
import Workspace

@Suite struct `A read-only workspace` {
    /// A panel, and the names of its actions that write.
    struct Writing: CustomTestStringConvertible, Sendable {
        var panel: PanelEntry
        var actions: [String]
        var testDescription: String { panel.identifier }

        init<P: Panel & SendableMetatype>(_ type: P.Type) {
            panel = PanelEntry(type)
            actions = P.bindings.filter(\.isWriting).map(\.name)
        }

        static let all = [
            Writing(TracePanel.self), Writing(TokenPanel.self), Writing(KernelPanel.self),
            Writing(TrainingPanel.self), Writing(EvalPanel.self), Writing(FeaturePanel.self),
        ]
    }

    private static let reason = "This workspace is read-only."

    private func readOnly(_ made: TestWorkspace) throws -> Workspace {
        try Workspace.open(
            made.workspace.path, migrations: Workbench.migrations, access: .readOnly, create: false)
    }

    @Test func `opens and reads`() throws {
        let made = try TestWorkspace.holding(SmallSession.text())
        let driver = ShellDriver(try readOnly(made))
        #expect(driver.row(0).contains("(read-only)"))
        try driver.type("<enter>")
        #expect(driver.text.contains(SmallSession.prompt))
        #expect(!driver.footer.contains("import"))
    }

    @Test(arguments: Writing.all)
    func `refuses each writing action of every panel with the reason`(writing: Writing) throws {
        #expect(!writing.actions.isEmpty)
        let made = try TestWorkspace.holding(SmallSession.text())
        let workspace = try readOnly(made)
        for action in writing.actions {
            let driver = ShellDriver(workspace, panels: [writing.panel])
            #expect(!driver.text.contains(Self.reason))
            try driver.type(":\(action)<enter>")
            #expect(driver.text.contains(Self.reason), "\(action)")
        }
    }

    @Test(arguments: Writing.all)
    func `greys writing actions in the palette`(writing: Writing) throws {
        let made = try TestWorkspace.holding(SmallSession.text())
        let driver = ShellDriver(try readOnly(made), panels: [writing.panel])
        try driver.type("<ctrl-p>\(writing.actions[0])<enter>")
        #expect(driver.text.contains(Self.reason))
    }

    @Test(arguments: ["add", "save", "undo"])
    func `refuses writing actions of Retrieval`(action: String) throws {
        let made = try SearchedWorkspace()
        let driver = ShellDriver.retrieval(try readOnly(made.made))
        try driver.type(":\(action)<enter>")
        #expect(driver.text.contains(Self.reason))
    }

    @Test func `refuses Enter where it would begin a session or add a dictionary`() throws {
        let made = try TestWorkspace()
        let workspace = try readOnly(made)
        for panel in [PanelEntry(TokenPanel.self), PanelEntry(FeaturePanel.self)] {
            let driver = ShellDriver(workspace, panels: [panel])
            try driver.type("<enter>")
            #expect(driver.text.contains(Self.reason), "\(panel.identifier)")
        }
    }

    @Test func `lists the dictionaries that Features would add, each with the reason`() throws {
        let made = try TestWorkspace()
        let driver = ShellDriver(try readOnly(made), panels: [PanelEntry(FeaturePanel.self)])
        try driver.type("d")
        #expect(driver.text.contains("add it"))
        try driver.type("<enter>")
        #expect(driver.text.contains(Self.reason))
    }

    @Test func `refuses to make a session of a recorded call`() throws {
        let made = try TestWorkspace.sample()
        let driver = ShellDriver(
            try readOnly(made), panels: [PanelEntry(TracePanel.self), PanelEntry(TokenPanel.self)],
            opening: Reference(try made.store.find("7e57ab1e")))
        try driver.type("]mo<enter>")
        #expect(driver.text.contains(Self.reason))
    }

    /// Attention reads models and writes no rows.
    @Test func `covers every panel`() {
        let covered = Writing.all.map(\.panel.identifier) + [RetrievalPanel.identifier, AttentionPanel.identifier]
        #expect(Set(covered) == Set(Panels.all.map(\.identifier)))
    }

    @Test func `knows the writing actions of Traces`() {
        let writing = TracePanel.bindings.filter(\.isWriting).map(\.name)
        #expect(Set(writing) == ["import", "import-found", "mark", "rename", "delete", "undo"])
    }
}
