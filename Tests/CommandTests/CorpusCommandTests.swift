import Glibc
import JSON
import TestFixtures
import Testing

@Suite("orrery corpus")
struct CorpusCommandTests {
    let program: Program

    init() throws { program = try Program() }

    /// Adds two manuals and a note.
    private func addManuals() throws {
        mkdir(program.home.file("docs"), 0o700)
        for (name, text) in [
            ("docs/dome.md", "# Dome\n\nThe bolts of the dome need a torque of 90 newton metres."),
            ("docs/mirror.md", "# Mirror\n\nThe mirror is cleaned with carbon dioxide snow every month."),
            ("docs/note.txt", "The night crew left the lights on in the workshop again."),
        ] { File.write(text, to: program.home.file(name)) }
        let added = try run("add", "docs")
        try #require(added.status == 0, "\(added.error)")
    }

    private func run(_ arguments: String...) throws -> Program.Result {
        try program.run(["corpus"] + arguments + ["-w", "w.orrery"])
    }

    /// Returns the output of a command with `--json`, which must be one object with keys in snake_case.
    private func json(_ arguments: String...) throws -> JSONDocument {
        let result = try program.run(["corpus"] + arguments + ["-w", "w.orrery", "--json"])
        try #require(result.status == 0, "\(result.error)")
        let keys = result.output.split(separator: "\n").compactMap { line -> Substring? in
            let rest = line.drop { $0 == " " }
            guard rest.hasPrefix("\""), let end = rest.dropFirst().firstRange(of: "\": ")?.lowerBound else {
                return nil
            }
            return rest.dropFirst()[..<end]
        }
        for key in keys { #expect(key.allSatisfy { !$0.isUppercase && $0 != " " } || key.contains("@"), "\(key)") }
        return try JSONDocument(parsing: result.output)
    }

    @Test("files are added once, and unchanged files are skipped")
    func add() throws {
        try addManuals()
        let again = try json("add", "docs")
        again.withRoot { root in
            #expect(root["corpus"]?.string == "docs")
            #expect(root["report"]?["added"]?.int == 0)
            #expect(root["report"]?["unchanged"]?.int == 3)
            #expect(root["report"]?["cancelled"]?.bool == false)
            #expect(root["report"]?["bytes_read"]?.int != nil)
        }
        let list = try json("list")
        list.withRoot { #expect($0["corpora"]?.elements.first { _ in true }?["documents"]?.int == 3) }
        #expect(try run("check").output.contains("all segments are intact"))
        #expect(try run("export").output.split(separator: "\n").count == 3)
    }

    @Test("the user's only corpus is the default, and undo is suggested only after a change of the sample")
    func besideSample() throws {
        File.write("The zeppelin is moored at the east gate.\n", to: program.home.file("letter.txt"))
        // The first screen adds the sample corpus.
        #expect(try program.run("show", "retrieval").status == 0)
        let added = try program.run("corpus", "add", "letter.txt", "-c", "northfold")
        #expect(added.output.contains("To undo the change, run: orrery corpus undo"), "\(added.error)")
        let again = try program.run("corpus", "add", "letter.txt", "-c", "northfold")
        #expect(again.status == 0 && !again.output.contains("undo"), "\(again.output)")
        _ = try program.run("corpus", "add", "letter.txt", "-c", "letters")
        for arguments in [["search", "zeppelin"], ["explain", "zeppelin", "--doc", "letter.txt"]] {
            let result = try program.run(["corpus"] + arguments)
            #expect(result.status == 0 && result.output.contains("letter.txt"), "\(result.error)")
        }
    }

    @Test("sample data is added under free names next to a user's corpus and model")
    func sampleNamesTaken() throws {
        File.write("The zeppelin is moored at the east gate.\n", to: program.home.file("letter.txt"))
        #expect(try program.run("corpus", "add", "letter.txt", "-c", "northfold").status == 0)
        let model = Program.root + "/sample-data/models/wanderer"
        #expect(try program.run("model", "add", model, "--name", "orrery-mini").status == 0)
        let shown = try program.run("show", "attention", "--size", "120x40")
        #expect(shown.status == 0 && shown.error.isEmpty, "\(shown.error)")
        #expect(shown.output.contains("A sample:"))
        let corpora = try program.run("corpus", "list").output
        #expect(corpora.contains("northfold-sample"))
        #expect(try program.run("corpus", "search", "zeppelin", "-c", "northfold").output.contains("letter.txt"))
        #expect(try program.run("model", "list").output.contains("orrery-mini-sample"))
        let tokens = try program.run("show", "tokens", "--size", "120x40")
        #expect(tokens.output.contains("A sample:"), "\(tokens.error)")
    }

    @Test("a search prints the passage at the query words, and its trace can be shown")
    func search() throws {
        try addManuals()
        let found = try run("search", "torque of the bolts", "-k", "2")
        #expect(found.status == 0, "\(found.error)")
        let lines = found.output.split(separator: "\n")
        #expect(lines[0].hasSuffix("dome.md"))
        #expect(lines[1].contains("bolts of the dome need a torque"))
        #expect(!found.output.contains("␊") && !found.output.contains("# Dome"))

        let explained = try run("search", "torque of the bolts", "-k", "1", "--explain")
        #expect(explained.output.contains("lexical") && explained.output.contains("fused"))
        #expect(explained.output.contains("more: raise -k to list them"))

        let record = try json("search", "torque of the bolts", "--no-trace")
        record.withRoot { root in
            #expect(root["query"]?.string == "torque of the bolts")
            #expect(root["passages"]?.elements.first { _ in true }?["document"]?.string == "dome.md")
        }
        let traces = try JSONDocument(
            parsing: program.run("trace", "list", "--origin", "retrieval", "-w", "w.orrery", "--json").output)
        let id = traces.withRoot { root -> String? in
            let trace = root["traces"]?.elements.first { _ in true }
            #expect(trace?["origin"]?.string == "retrieval")
            return trace?["trace_id"]?.string ?? trace?["id"]?.string
        }
        let read = try run("recorded", try #require(id))
        #expect(read.status == 0, "\(read.error)")
        for stage in ["lexical", "dense", "fused", "context"] { #expect(read.output.contains(stage)) }
        #expect(read.output.contains("dome.md"))
    }

    @Test("explain reports every stage for a document")
    func explain() throws {
        try addManuals()
        let told = try json("explain", "torque of the bolts", "--doc", "note.txt")
        told.withRoot { root in
            #expect(root["query"]?.string == "torque of the bolts")
            #expect((root["stages"]?.elements.map { _ in 1 }.count ?? 0) >= 2)
        }
        #expect(try run("explain", "torque of the bolts", "--doc", "dome.md").output.contains("in the context"))
    }

    @Test("pipelines are evaluated and compared, and the exit status reports the result")
    func evaluate() throws {
        try addManuals()
        let cases = [("torque of the bolts", "dome.md"), ("carbon dioxide snow", "mirror.md"), ("lights", "note.txt")]
        let lines = cases.enumerated().map { index, one in
            #"{"id": "q\#(index)", "question": "\#(one.0)", "gold": [{"document": "\#(one.1)"}]}"#
        }
        File.write(lines.joined(separator: "\n"), to: program.home.file("set.jsonl"))
        let measured = try json("evaluate", "set.jsonl", "--measures", "nDCG@10,R@10")
        measured.withRoot { root in
            #expect(root["questions"]?.int == 3)
            #expect(root["measures"]?["nDCG@10"]?["mean"]?.double == 1)
        }
        // A pipeline does not differ from itself.
        let same = try run("evaluate", "set.jsonl", "--against", "hybrid")
        #expect(same.status == 2, "\(same.error)")
        #expect(try run("questions", "kept", "--import", "set.jsonl").status == 0)
        #expect(try run("evaluate", "kept").output.contains("over 3 questions"))
    }

    @Test("a corpus is intact after a kill during add, and the same command resumes")
    func killed() throws {
        mkdir(program.home.file("many"), 0o700)
        for index in 0..<300 {
            let text = "Note \(index) says that bolt \(index % 17) of the dome was tightened.\n"
            File.write(String(repeating: text, count: 40), to: program.home.file("many/n\(index).txt"))
        }
        let child = try program.start(["corpus", "add", "many", "-w", "w.orrery"])
        // The workspace file appears when the work starts.
        while access(program.home.file("w.orrery"), F_OK) != 0 { sched_yield() }
        child.send(SIGKILL)
        #expect(child.wait().status == 128 + SIGKILL)
        let report = try json("add", "many")
        report.withRoot { root in
            let counts = ["added", "changed", "unchanged"].map { root["report"]?[$0]?.int ?? 0 }
            #expect(counts.reduce(0, +) == 300)
        }
        #expect(try run("check").status == 0)
        let list = try json("list")
        list.withRoot { #expect($0["corpora"]?.elements.first { _ in true }?["documents"]?.int == 300) }
        #expect(try run("search", "bolt 16", "-k", "1").output.contains("bolt"))
    }
}
