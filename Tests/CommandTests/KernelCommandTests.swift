import TestFixtures
import Testing

@Suite("orrery kernel")
struct KernelCommandTests {
    private let program: Program
    private static let samples = Program.root + "/sample-data"

    init() throws { program = try Program() }

    @Test("a kernel of the user's own is run and found by the name that the list has")
    func ownName() throws {
        for name in ["rms.toml", "rms.c"] {
            File.copy(Self.samples + "/kernels/" + name, to: program.home.file(name))
        }
        let first = try program.run("kernel", "run", "rms.toml", "--seconds", "0.2")
        try #require(first.status == 0 || first.status == 3, "\(first.error)")
        let again = try program.run("kernel", "run", "own/rms", "--seconds", "0.2")
        #expect(again.status == 0 || again.status == 3, "\(again.error)")
        let history = try program.run("kernel", "history", "own/rms")
        #expect(history.output.split(separator: "\n").first?.contains("machine") == true)
        #expect(history.output.split(separator: "\n").count { $0.contains(" this machine ") } == 4)
        #expect(!history.output.contains("older version"))
        File.write(try #require(File.text(program.home.file("rms.c"))) + "// changed\n", to: program.home.file("rms.c"))
        let changed = try program.run("kernel", "history", "own/rms")
        #expect(changed.output.split(separator: "\n").count { $0.contains("older version") } == 4)
        let unknown = try program.run("kernel", "run", "own/rsm")
        #expect(unknown.status == 1)
        #expect(unknown.error.contains("Did you mean own/rms?"))
    }

    @Test("profiles are named by the titles that kernel profiles prints")
    func titles() throws {
        for name in ["before.csv", "after.csv"] {
            try #require(program.run("kernel", "import", Self.samples + "/profiles/" + name).status == 0)
        }
        let byTitle = try program.run("kernel", "compare", "before.csv", "after.csv")
        #expect(byTitle.status == 0, "\(byTitle.error)")
        #expect(try byTitle.output == program.run("kernel", "compare", "1", "2").output)
        #expect(try program.run("kernel", "profile", "after.csv").status == 0)
        let unknown = try program.run("kernel", "compare", "before.csv", "other.csv")
        #expect(unknown.status == 1 && unknown.error.contains("other.csv"))
    }
}
