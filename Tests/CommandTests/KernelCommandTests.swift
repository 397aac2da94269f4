import Glibc
import TestFixtures
import Testing

@Suite("orrery kernel")
struct KernelCommandTests {
    private let program: Program
    private static let samples = Program.root + "/sample-data"

    init() throws { program = try Program() }

    @Test("a user's kernel runs and is found by its listed name")
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
        #expect(unknown.error.contains("Did you mean \"own/rms\"?"))
    }

    @Test("a name shared by two kernels selects the one measured last")
    func sameName() throws {
        for (folder, name) in [("a", "rms.toml"), ("a", "rms.c"), ("b", "rms.toml"), ("b", "rms.c")] {
            mkdir(program.home.file(folder), 0o755)
            File.copy(Self.samples + "/kernels/" + name, to: program.home.file("\(folder)/\(name)"))
        }
        for folder in ["b", "a", "b"] {
            let run = try program.run("kernel", "run", "\(folder)/rms.toml", "--seconds", "0.2")
            try #require(run.status == 0 || run.status == 3, "\(run.error)")
        }
        let named = try program.run("kernel", "history", "own/rms")
        let path = try program.run("kernel", "history", "b/rms.toml")
        #expect(named.status == 0 && named.output == path.output, "\(named.error)")
    }

    @Test("profiles are found by the titles that kernel profiles prints")
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
