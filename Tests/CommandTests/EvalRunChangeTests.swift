import JSON
import TestFixtures
import Testing

@Suite("Changes of eval runs on the command line")
struct EvalRunChangeTests {
    let program: Program
    private static let samples = Program.root + "/sample-data"

    init() throws { program = try Program() }

    private func run(_ arguments: String...) throws -> Program.Result { try program.run(["eval"] + arguments) }

    private func json(_ arguments: String...) throws -> JSONValue {
        let result = try program.run(["eval"] + arguments + ["--json"])
        try #require(result.status == 0, "\(result.error)")
        return try JSONValue(json: result.output)
    }

    private func begin(_ name: String) throws {
        _ = try json(
            "run", Self.samples + "/evals/reading.toml", "--model", Self.samples + "/models/orrery-mini", "--limit",
            "3",
            "--name", name)
    }

    @Test("rename and delete require the full name and print JSON")
    func wholeNames() throws {
        try begin("crash")
        for refused in [try run("delete", "cras"), try run("rename", "cras", "other")] {
            #expect(refused.status == 1)
            #expect(refused.error.contains("\"cras\" is only the start of crash (run 1)"), "\(refused.error)")
        }
        #expect(try json("show", "cras")["run"]?["name"]?.string == "crash")
        let renamed = try json("rename", "crash", "landing")
        #expect(renamed["run"]?.string == "1")
        #expect(renamed["before"]?.string == "crash")
        let path = program.home.file("landing.csv")
        let written = try json("export", "landing", path)
        #expect(written["samples"]?.int == 3)
        #expect(written["path"]?.string == path)
        let deleted = try json("delete", "landing")
        #expect(deleted["name"]?.string == "landing")
        #expect(deleted["samples"]?.int == 3)
        #expect(try json("list")["runs"]?.elements?.isEmpty == true)
    }

    @Test(
        "resume rejects options that a run keeps", arguments: ["--limit=9", "--epochs=2", "--seed=7", "--only=a"])
    func keeps(option: String) throws {
        try begin("kept")
        let name = option.prefix { $0 != "=" }
        for word in ["kept", "nobody"] {
            let refused = try run("resume", word, option)
            #expect(refused.status != 0)
            #expect(refused.error.contains("a resumed run keeps its \(name)"), "\(refused.error)")
        }
        #expect(try run("resume", "kept", "--concurrency", "2", "--max-cost", "none").status == 0)
        #expect(try !run("resume", "--help").output.contains(name + " "))
    }

    @Test("every term is explained as JSON, with all of its meanings")
    func explanations() throws {
        let meanings = try json("explain", "f1")["meanings"]?.elements ?? []
        #expect(meanings.compactMap { $0["kind"]?.string } == ["scorer", "metric"])
        #expect(meanings.last?["settings"]?.elements?.contains { $0["name"]?.string == "beta" } == true)
        #expect(try run("explain", "f1").output.contains("beta"))
        for word in ["task", "program", "gate"] { #expect(try json("explain", word)["text"]?.string != nil) }
        for word in ["perplexity", "data", "exact", "mean"] {
            #expect(try json("explain", word)["meanings"]?.elements?.isEmpty == false)
        }
    }

    @Test("simultaneous first starts all find the sample data")
    func firstStarts() throws {
        let children = try (0..<3).map { _ in try program.start(["show", "traces"]) }
        let results = children.map { $0.wait() }
        for result in results {
            #expect(result.status == 0, "\(result.error)")
            #expect(result.error.isEmpty, "\(result.error)")
            #expect(result.output == results[0].output)
        }
        #expect(try program.run("corpus", "list").output.contains("northfold"))
    }
}
