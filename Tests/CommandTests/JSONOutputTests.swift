import JSON
import TestFixtures
import Testing

@Suite("JSON output")
struct JSONOutputTests {
    let program: Program

    init() throws {
        program = try Program()
        let result = try program.run("trace", "import", Program.root + "/sample-data/traces", "-w", "w.orrery")
        try #require(result.status == 0, "\(result.error)")
    }

    @Test(
        "every command prints one JSON object and nothing else",
        arguments: [
            ["trace", "list"], ["trace", "list", "--filter", "errors>0"], ["trace", "show", "7e57"],
            ["trace", "show", "7e57", "--step", "3"], ["trace", "show", "7e57", "--filter", "kind:tool status:error"],
            ["trace", "search", "midnight"], ["trace", "discover"], ["workspace", "info"],
            ["workspace", "info", "--sizes"],
            ["workspace", "check"], ["workspace", "jobs"], ["config", "show"], ["doctor"],
            ["trace", "import", Program.root + "/sample-data/traces"],
        ])
    func everyCommand(arguments: [String]) throws {
        let takesWorkspace = !["config", "trace discover"].contains { arguments.joined(separator: " ").hasPrefix($0) }
        let result = try program.run(arguments + (takesWorkspace ? ["-w", "w.orrery"] : []) + ["--json"])
        #expect(result.status == 0, "\(result.error)")
        let document = try JSONDocument(parsing: result.output)
        #expect(document.withRoot { $0.kind } == .object)
    }

    @Test("an import reports counts, and a second import changes nothing")
    func importReport() throws {
        let files = Program.root + "/sample-data/traces"
        let first = try JSONDocument(
            parsing: program.run("trace", "import", files, "-w", "fresh.orrery", "--json").output)
        let again = try JSONDocument(
            parsing: program.run("trace", "import", files, "-w", "fresh.orrery", "--json").output)
        #expect(first.withRoot { $0["traces"]?.int } == 5)
        for key: StaticString in [
            "files", "spans", "messages", "tool_calls", "input_tokens", "output_tokens", "errors",
        ] {
            #expect(first.withRoot { $0[key]?.int ?? 0 } > 0, "\(key)")
        }
        #expect(first.withRoot { $0["skipped"]?.int } == 0)
        #expect(again.withRoot { $0["new_spans"]?.int } == 0)
        #expect(again.withRoot { $0["skipped"]?.int } == 0)
    }

    @Test("the table contains the traces")
    func table() throws {
        let list = try program.run("trace", "list", "-w", "w.orrery")
        #expect(list.status == 0)
        #expect(list.output.split(separator: "\n").count >= 6)
        #expect(list.output.contains("7e57ab1e"))
    }

    @Test("standard input is imported like a file")
    func standardInput() throws {
        let path = Program.root + "/sample-data/traces/otlp/museum-signs-legacy.json"
        let text = try #require(File.text(path))
        let result = try program.run("trace", "import", "-", "-w", "other.orrery", "--json", input: text)
        #expect(result.status == 0, "\(result.error)")
        #expect(try JSONDocument(parsing: result.output).withRoot { $0["traces"]?.int } == 1, "\(result.output)")
    }
}
