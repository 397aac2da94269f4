import Console
import Testing
import Workbench
import Workspace

@Suite struct `A read-only workspace` {
    @Test func `opens, reads, and refuses each writing action with the reason`() throws {
        let made = try TestWorkspace.holding(SmallSession.text())
        let workspace = try Workspace.open(
            made.workspace.path, migrations: Workbench.migrations, access: .readOnly, create: false)
        let driver = ShellDriver(workspace)
        #expect(driver.row(0).contains("(read-only)"))
        try driver.type("<enter>")
        #expect(driver.text.contains(SmallSession.prompt))
        for key in ["i", "R", "D", "u"] {
            try driver.type(key)
            #expect(driver.text.contains("This workspace is read-only."), "\(key)")
        }
        #expect(!driver.footer.contains("import"))
    }

    @Test func `gives the same reason in Retrieval`() throws {
        let made = try SearchedWorkspace()
        let workspace = try Workspace.open(
            made.workspace.path, migrations: Workbench.migrations, access: .readOnly, create: false)
        let driver = ShellDriver.retrieval(workspace)
        try driver.type("i")
        #expect(driver.text.contains("This workspace is read-only."))
        let context = PanelContext(workspace: workspace, settings: Place.settings(), now: Place.now)
        #expect(RetrievalPanel(context).disabledReason(.add) == "This workspace is read-only.")
    }

    @Test func `knows the writing actions of every panel`() {
        let writing = TracePanel.bindings.filter(\.isWriting).map(\.name)
        #expect(Set(writing) == ["import", "import-found", "rename", "delete", "undo"])
    }
}
