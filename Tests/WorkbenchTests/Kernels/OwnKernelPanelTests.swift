import Console
import KernelLab
import Kernels
import TestFixtures
import Testing
import Workbench

@Suite("The kernel panel: the user's own kernel")
struct OwnKernelPanelTests {
    let made: TestWorkspace
    let driver: ShellDriver
    let path: String
    let source: String

    init() throws {
        made = try TestWorkspace()
        path = made.folder.file("rms.toml")
        source = made.folder.file("rms.c")
        for name in ["rms.toml", "rms.c"] {
            File.copy(Place.root + "/sample-data/kernels/" + name, to: made.folder.file(name))
        }
        driver = .kernels(made.workspace)
        try driver.type("a\(path)<enter>")
    }

    /// What the panel wants to have edited.
    private var edited: (path: String, panel: Int, answer: any Sendable)? {
        for case .edit(let path, let panel, let answer) in driver.requests.reversed() { return (path, panel, answer) }
        return nil
    }

    @Test("a adds a kernel to the list and shows its source")
    func adds() {
        #expect(driver.text.contains("own/rms"))
        #expect(driver.text.contains("added the kernel: r measures it, E edits it"))
        #expect(driver.text.contains("rms_reference"))
        #expect(driver.text.contains("columns=1024 rows=128"))
    }

    @Test("E opens the editor, and closing the editor measures again")
    func edits() throws {
        try driver.type("E")
        let asked = try #require(edited)
        #expect(asked.path.hasSuffix("/rms.c"))
        driver.shell.edited(panel: asked.panel, answer: asked.answer)
        driver.shell.settle()
        #expect(driver.engine.count == 1)
        #expect(driver.text.contains("measuring"))
    }

    @Test("a file saved outside is measured again; a save during a measurement is measured afterward")
    func watches() throws {
        let text = try #require(File.text(source))
        let nextDeadline = try #require(driver.shell.nextDeadline)
        driver.shell.passDeadlines(at: nextDeadline + .seconds(1))
        #expect(driver.engine.count == 0)
        File.write(text + "// longer\n", to: source)
        driver.shell.passDeadlines(at: .now + .seconds(60))
        #expect(driver.engine.count == 1)
        File.write(text + "// longer and longer\n", to: source)
        driver.shell.passDeadlines(at: .now + .seconds(60))
        #expect(driver.engine.count == 1)
        try driver.type("xs")
        driver.finishJobs()
        driver.shell.passDeadlines(at: .now + .seconds(60))
        #expect(driver.engine.count == 1)
    }

    @Test("compiler messages stay next to the source until the error is fixed")
    func fault() throws {
        File.write(try #require(File.text(source)) + "int broken = ;\n", to: source)
        try driver.type("r")
        driver.finishJobs()
        driver.shell.passDeadlines(at: .now + .seconds(60))
        #expect(driver.rows(with: "rms.c, line").count >= 1)
        #expect(!driver.text.contains("measuring"))
        #expect(driver.text.contains("rms_reference"))
    }

    @Test("a failed version shows the reason, and the figures of the previous version are marked as older")
    func outdated() throws {
        let kernel = try OwnKernel(contentsOf: path)
        var report = try KernelRecords.report(["rms": 0.5])
        report.operation = kernel.name
        report.shape = KernelShape(["columns": 1024, "rows": 128])
        let measured = report
        _ = try made.history.measure(source: kernel.sourceDigest) { _ in measured }
        var driver = ShellDriver.kernels(made.workspace)
        try driver.type("a\(path)<enter>")
        #expect(driver.rows(with: "own/rms").contains { $0.contains("50.0 %") })
        #expect(!driver.text.contains("older version"))
        File.write(try #require(File.text(source)) + "int broken = ;\n", to: source)
        try driver.type("r")
        driver.finishJobs()
        driver.shell.passDeadlines(at: .now + .seconds(60))
        #expect(driver.rows(with: "own/rms").contains { $0.contains("failed") })
        #expect(driver.rows(with: "rms.c, line").count >= 1)
        #expect(driver.text.contains("figures from an older version: r measures again"))
        // The next start no longer knows why, but still whose figures they are.
        driver = ShellDriver.kernels(made.workspace)
        try driver.type("G")
        #expect(driver.rows(with: "own/rms").contains { $0.contains("older") && $0.contains("50.0 %") })
    }

    @Test("a TOML file that can no longer be read opens in the editor")
    func brokenTOML() throws {
        File.write("function = ", to: path)
        try driver.type("E")
        #expect(try #require(edited).path.hasSuffix("/rms.toml"))
        #expect(driver.text.contains("rms.toml"))
    }

    @Test("D removes the kernel from the list; the files stay")
    func forgets() throws {
        try driver.type("D")
        #expect(driver.text.contains("removed from the list; the files remain on disk"))
        #expect(!driver.text.contains("own/rms"))
        #expect(File.text(source) != nil)
    }

    @Test("a kernel that cannot be added shows the reason", arguments: ["/nowhere/x.toml", "nothing.toml"])
    func refuses(name: String) throws {
        let made = try TestWorkspace()
        let driver = ShellDriver.kernels(made.workspace)
        File.write("flops = 1", to: made.folder.file("nothing.toml"))
        try driver.type("a\(name.hasPrefix("/") ? name : made.folder.file(name))<enter>")
        #expect(driver.text.contains(".toml"))
        #expect(!driver.text.contains("own/"))
    }
}
