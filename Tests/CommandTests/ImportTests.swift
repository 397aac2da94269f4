import Glibc
import JSON
import TestFixtures
import Testing

@Suite("Imports on the command line")
struct ImportTests {
    let program: Program

    init() throws { program = try Program() }

    private static func line(_ uuid: String, _ message: String, second: Int) -> String {
        #"{"type":"user","uuid":"\#(uuid)","parentUuid":null,"sessionId":"s","timestamp":"2026-01-02T03:04:0\#(second).000Z","#
            + #""message":{"role":"user","content":"\#(message)"}}"#
    }

    @Test("a bad record is skipped and reported with its line; --strict rejects the file")
    func badRecord() throws {
        let text =
            [Self.line("a", "hello", second: 1), "{broken", Self.line("b", "again", second: 2)]
            .joined(separator: "\n") + "\n"
        File.write(text, to: program.home.file("bad.jsonl"))
        let strict = try program.run("trace", "import", "--strict", program.home.file("bad.jsonl"))
        #expect(strict.status == 1)
        #expect(strict.sentences.count == 1)
        #expect(strict.error.contains("line 2"))
        #expect(try program.run("trace", "list").output.contains("no traces"))
        let result = try program.run("trace", "import", program.home.file("bad.jsonl"))
        #expect(result.status == 0)
        #expect(result.error.contains("bad.jsonl, line 2: "))
    }

    @Test("a truncated last line is not an error")
    func cutOff() throws {
        let text = Self.line("a", "hello", second: 1) + "\n" + Self.line("b", "again", second: 2).dropLast(20)
        File.write(text, to: program.home.file("cut.jsonl"))
        let result = try program.run("trace", "import", program.home.file("cut.jsonl"))
        #expect(result.status == 0)
        #expect(result.error.isEmpty)
    }

    @Test("a file of unknown format is rejected by name and ignored in a folder")
    func unknownFormat() throws {
        File.write("hello\nworld\n", to: program.home.file("note.txt"))
        let named = try program.run("trace", "import", program.home.file("note.txt"))
        #expect(named.status == 1)
        #expect(named.sentences.count == 1)
        #expect(named.error.contains("note.txt"))
        File.write(Self.line("a", "hello", second: 1) + "\n", to: program.home.file("session.jsonl"))
        let folder = try program.run("trace", "import", program.home.path)
        #expect(folder.status == 0, "\(folder.error)")
        #expect(try program.run("trace", "list").output.contains("hello"))
    }

    @Test("a folder import reports each file in an unsupported format")
    func foreignFiles() throws {
        let rollout = #"{"timestamp":"2026-01-02T03:04:05Z","type":"session_meta","payload":{}}"#
        File.write(rollout, to: program.home.file("rollout.jsonl"))
        File.write(Self.line("a", "hello", second: 1) + "\n", to: program.home.file("session.jsonl"))
        let result = try program.run("trace", "import", program.home.path)
        #expect(result.status == 0, "\(result.error)")
        #expect(result.error.contains("rollout.jsonl: the file is a Codex rollout, which is unsupported"))
    }

    @Test("good paths are imported, each bad path is reported, and the exit status is 1")
    func someBad() throws {
        File.write(Self.line("a", "hello", second: 1) + "\n", to: program.home.file("good.jsonl"))
        File.write("hello\nworld\n", to: program.home.file("note.txt"))
        let result = try program.run(
            "trace", "import", "/nowhere/one.jsonl", program.home.file("good.jsonl"), program.home.file("note.txt"))
        #expect(result.status == 1)
        #expect(result.sentences.count == 2, "\(result.error)")
        #expect(result.error.contains("/nowhere/one.jsonl"))
        #expect(result.error.contains("note.txt"))
        #expect(try program.run("trace", "list").output.contains("hello"))
    }

    @Test("a folder without anything to import prints one sentence and exits with 1")
    func emptyFolder() throws {
        let folder = program.home.file("empty")
        mkdir(folder, 0o700)
        let result = try program.run("trace", "import", folder)
        #expect(result.status == 1)
        #expect(result.sentences.count == 1, "\(result.error)")
        #expect(result.error.contains("nothing to import"))
    }

    @Test("reading commands create no workspace: list explains how to import, and others fail")
    func looking() throws {
        let list = try program.run("trace", "list")
        #expect(list.status == 0)
        #expect(list.output == "no traces yet. To import some, run: orrery trace import PATH\n")
        for arguments in [
            ["trace", "show", "s"], ["trace", "search", "s"], ["trace", "undo"], ["workspace", "prune"],
        ] {
            let result = try program.run(arguments)
            #expect(result.status == 1, "\(arguments)")
            #expect(result.sentences.count == 1, "\(arguments): \(result.error)")
        }
        #expect(TemporaryFolder.names(in: program.home.file("data")).isEmpty)
    }

    @Test("a search without a match exits with 1, and an index build is a job with a result")
    func searchAndIndex() throws {
        File.write(Self.line("a", "hello", second: 1) + "\n", to: program.home.file("session.jsonl"))
        #expect(try program.run("trace", "import", "--index", program.home.file("session.jsonl")).status == 0)
        #expect(try program.run("trace", "search", "hello").status == 0)
        #expect(try program.run("trace", "search", "farewell").status == 1)
        let jobs = try JSONDocument(parsing: program.run("workspace", "jobs", "--json").output)
        let kinds = jobs.withRoot { $0["jobs"]?.elements.compactMap { $0["kind"]?.string } }
        #expect(kinds == ["traces.index", "traces.import"])
        let counts = jobs.withRoot { $0["jobs"]?.elements.map { $0["result"]?.kind == .object } }
        #expect(counts == [true, true])
    }

    @Test("rename, delete, and undo work as in the panel")
    func changes() throws {
        File.write(Self.line("a", "hello", second: 1) + "\n", to: program.home.file("session.jsonl"))
        _ = try program.run("trace", "import", program.home.file("session.jsonl"))
        #expect(try program.run("trace", "rename", "s", "another name").status == 0)
        #expect(try program.run("trace", "list").output.contains("another name"))
        #expect(try program.run("trace", "undo").status == 0)
        #expect(try program.run("trace", "list").output.contains("hello"))
        #expect(try program.run("trace", "delete", "s").status == 0)
        #expect(try program.run("trace", "list").output.contains("no traces"))
        #expect(try program.run("trace", "undo").status == 0)
        #expect(try program.run("trace", "list").output.contains("hello"))
        #expect(try program.run("workspace", "check").status == 0)
    }

    @Test("hostile text is printed escaped")
    func hostile() throws {
        let evil = #"\u001b]0;title\u0007\u001b[2Jgone\u009b1m\u202e"#
        File.write(Self.line("a", evil, second: 1) + "\n", to: program.home.file("evil\u{1B}[2J.jsonl"))
        for arguments in [
            ["trace", "import", program.home.file("evil\u{1B}[2J.jsonl")], ["trace", "list"], ["trace", "show", "s"],
            ["trace", "search", "gone"], ["trace", "export", "s"], ["show", "traces", "--keys", "<enter>"],
            ["trace", "show", "\u{1B}[2J"], ["trace", "list", "--filter", "\u{1B}[2J:"],
            ["trace", "import", "/nowhere/\u{1B}[2J"],
        ] {
            let result = try program.run(arguments)
            for scalar in (result.output + result.error).unicodeScalars where scalar != "\n" {
                #expect(scalar.value >= 0x20 && !(0x7F..<0xA0).contains(scalar.value), "\(arguments)")
            }
        }
    }

    @Test("a backup is complete, and no file is ever overwritten")
    func backup() throws {
        _ = try program.run("trace", "import", Program.root + "/sample-data/traces")
        let copy = program.home.file("copy.orrery")
        #expect(try program.run("workspace", "backup", copy).status == 0)
        #expect(try program.run("trace", "list", "-w", copy).output == program.run("trace", "list").output)
        #expect(try program.run("workspace", "check", "-w", copy).status == 0)
        let again = try program.run("workspace", "backup", copy)
        #expect(again.status == 1)
        #expect(again.sentences.count == 1)
    }
}
