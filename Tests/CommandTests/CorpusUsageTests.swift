import Glibc
import TestFixtures
import Testing

@Suite("Usage of orrery corpus")
struct CorpusUsageTests {
    let program: Program

    init() throws {
        program = try Program()
        File.write("# Dome\n\nThe dome bolts need a torque of 90 newton metres.\n", to: program.home.file("dome.md"))
        let result = try program.run(
            "corpus", "add", "dome.md", "-c", "manuals", "-w", "w.orrery", "--embedder", "none")
        try #require(result.status == 0, "\(result.error)")
    }

    @Test(
        "--help of every verb describes the verb",
        arguments: [
            "add", "list", "show", "search", "explain", "evaluate", "embed", "duplicates", "questions", "pipeline",
            "recorded", "check", "export", "rename", "remove", "delete",
        ])
    func help(verb: String) throws {
        let result = try program.run("corpus", verb, "--help")
        #expect(result.status == 0)
        #expect(result.output.hasPrefix("OVERVIEW: "))
        #expect(try program.run("corpus", "--help").output.contains("  \(verb) "))
    }

    @Test(
        "invalid usage exits with 64 and prints the usage",
        arguments: [
            ["add"], ["search"], ["search", "x", "-k", "0"], ["search", "x", "-k", "many"], ["explain", "x"],
            ["search", "x", "--set", "dense.k"], ["embed", "--metric", "cosin"], ["evaluate"], ["recorded"],
            ["add", "dome.md", "--metadata", "year"], ["pipeline", "--remove"], ["questions", "--import", "x.jsonl"],
            ["serch", "x"],
        ])
    func wrongUse(arguments: [String]) throws {
        let result = try program.run(["corpus"] + arguments)
        #expect(result.status == 64)
        #expect(result.output.isEmpty)
        #expect(result.error.contains("Usage: "))
    }

    @Test(
        "a failure prints one sentence with a remedy and exits with 1",
        arguments: [
            (["add", "nowhere"], "Check the path"), (["search", "x", "-c", "manual"], "Did you mean \"manuals\"?"),
            (["search", "x", "-p", "hybird"], "Did you mean \"hybrid\"?"),
            (["search", "x", "--set", "dense.kk=3"], "Did you mean \"dense.k\"?"),
            (["search", "x", "--namespaces", "north"], "it has default"),
            (["search", "x", "--set", "filter.expression=kind ="], "column"),
            (["show", "dome"], "Did you mean \"dome.md\"?"), (["remove", "dom.md"], "Did you mean \"dome.md\"?"),
            (["explain", "x", "--doc", "dom.md"], "Did you mean \"dome.md\"?"),
            (["show", "--filter", "kind ="], "column"),
            (["evaluate", "nothing"], "question set"), (["evaluate", "nothing.jsonl"], "cannot be read"),
            (["embed", "nothing.npy"], "Check the path"), (["embed", "hashed", "--index", "hsnw"], "hnsw"),
            (["embed", "hashed", "--ids", "dome.md"], "file of vectors"), (["recorded", "nothing"], "nothing"),
            (["pipeline", "nothing"], "hybrid"), (["pipeline", "nothing", "--remove"], "no saved pipeline"),
            (["questions", "nothing"], "question set"), (["rename", ""], "name"), (["delete"], "--corpus"),
            (["delete", "-c", "nothing"], "unknown corpus"),
        ])
    func oneSentence(arguments: [String], part: String) throws {
        let result = try program.run(["corpus"] + arguments + ["-w", "w.orrery"])
        #expect(result.status == 1, "\(result.error)")
        #expect(result.output.isEmpty)
        #expect(result.sentences.count == 1, "\(result.error)")
        #expect(result.error.hasPrefix("orrery: ") && result.error.contains(part), "\(result.error)")
    }

    @Test("unreadable files are reported, and the others are added")
    func hostileFiles() throws {
        mkdir(program.home.file("folder"), 0o700)
        File.write("", to: program.home.file("folder/empty.txt"))
        File.write("\u{0}\u{1}binary\u{0}", to: program.home.file("folder/image.txt"))
        File.write("{\"text\": \n{\"text\": \"fine\"}\n", to: program.home.file("folder/lines.jsonl"))
        File.write("%PDF-1.4 cut", to: program.home.file("folder/cut.pdf"))
        let result = try program.run("corpus", "add", "folder", "-c", "odd", "-w", "w.orrery", "--embedder", "none")
        #expect(result.status == 0, "\(result.error)")
        for name in ["empty.txt", "image.txt", "lines.jsonl, line 1", "cut.pdf"] {
            #expect(result.sentences.contains { $0.contains(name) }, "\(name)")
        }
        #expect(result.output.contains("1 added"))
    }
}
