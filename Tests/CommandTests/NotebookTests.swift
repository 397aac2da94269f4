import TestFixtures
import Testing

@Suite("Notebooks")
struct NotebookTests {
    static let folder = Program.root + "/notebooks"
    static let notebooks = TemporaryFolder.names(in: folder).filter { $0.hasSuffix(".md") }

    @Test("the repository contains notebooks")
    func some() { #expect(!Self.notebooks.isEmpty) }

    @Test("every notebook runs with the expected exit statuses", arguments: notebooks)
    func runs(name: String) throws {
        let program = try Program()
        let result = try program.run("notebook", "run", Self.folder + "/" + name)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.isEmpty)
        #expect(result.output.contains("$ orrery "))
    }

    @Test("an unexpected exit status is reported with its line, and the notebook fails")
    func failure() throws {
        let program = try Program()
        File.write("# Hello\n\n```orrery\ntrace list --filter \"kind:tol\"\n```\n", to: program.home.file("bad.md"))
        let result = try program.run("notebook", "run", program.home.file("bad.md"))
        #expect(result.status == 1)
        #expect(result.error.contains("bad.md, line 4: exit status 1, expected 0"))
    }

    @Test("an expected failure passes, and other fences do not run")
    func expectedFailure() throws {
        let program = try Program()
        let text = "```orrery exit=1\ntrace list --filter \"kind:tol\"\n```\n\n```sh\nexit 7\n```\n"
        File.write(text, to: program.home.file("good.md"))
        let result = try program.run("notebook", "run", "--quiet", program.home.file("good.md"))
        #expect(result.status == 0, "\(result.error)")
        #expect(result.output == "$ orrery trace list --filter \"kind:tol\"\n")
    }

    @Test("a notebook does not touch the user's workspace")
    func ownWorkspace() throws {
        let program = try Program()
        _ = try program.run("notebook", "run", Self.folder + "/" + (Self.notebooks.first ?? ""))
        #expect(TemporaryFolder.names(in: program.home.file("data")).isEmpty)
    }
}
