import Glibc
import TestFixtures
import Testing

/// A wrong command line, and what its error must say.
struct WrongCommand: CustomTestStringConvertible, Sendable {
    /// Words of the command.
    var words: [String]
    /// The thing at fault, with its place.
    var subject: String
    /// Remedy that the error suggests.
    var remedy: String

    init(_ line: String, subject: String, remedy: String) {
        words = line.split(separator: " ").map(String.init)
        self.subject = subject
        self.remedy = remedy
    }

    var testDescription: String { words.joined(separator: " ") }

    /// Wrong commands of every noun. Paths are relative to a folder with `junk.bin`, `notes.jsonl`, `colour.toml`, and
    /// an empty `folder`.
    static let all: [WrongCommand] = [
        .init("trace show nope", subject: "nope", remedy: "Use #number"),
        .init("trace import missing.jsonl", subject: "missing.jsonl", remedy: "Check the path"),
        .init("trace import junk.bin", subject: "junk.bin", remedy: "Supported formats"),
        .init("trace import folder", subject: "folder", remedy: "Choose a file or folder"),
        .init("trace import notes.jsonl", subject: "notes.jsonl", remedy: "Supported formats"),
        .init("trace export nope", subject: "nope", remedy: "Use #number"),
        .init("trace list --filter kind=", subject: "Filter, column 5", remedy: "Use one of agent"),
        .init("trace list --sort nope", subject: "sort order \"nope\"", remedy: "Use start"),
        .init("trace nope", subject: "nope", remedy: "trace --help"),
        .init("corpus search hello --corpus nope", subject: "corpus \"nope\"", remedy: "Available: northfold"),
        .init("corpus search hello --corpus northfold --pipeline nope", subject: "nope", remedy: "Available: hybrid"),
        .init("corpus add missing", subject: "missing", remedy: "Check the path"),
        .init("corpus add folder --corpus northfold", subject: "folder", remedy: "Choose files or folders"),
        .init("corpus add junk.bin --corpus northfold", subject: "junk.bin", remedy: "Choose files or folders"),
        .init("corpus show nope --corpus northfold", subject: "document nope", remedy: "List documents"),
        .init("corpus remove nope --corpus northfold", subject: "document nope", remedy: "List documents"),
        .init("model add missing.gguf", subject: "missing.gguf", remedy: "Check the path"),
        .init("model add junk.bin", subject: "junk.bin, byte 0", remedy: "Use a GGUF file"),
        .init("model tokenize nope --text hi", subject: "nope", remedy: "orrery-mini"),
        .init("model generate orrery-mini", subject: "--prompt", remedy: "exactly one of"),
        .init("kernel run nope", subject: "kernel nope", remedy: "Available: gemm-f32"),
        .init("kernel run gemm-f32 --size 0", subject: "gemm-f32: m=0", remedy: "1...1048576"),
        .init("kernel compare a b", subject: "a: no such file", remedy: "Check the path"),
        .init("kernel import junk.bin", subject: "junk.bin", remedy: "Supported tools"),
        .init("kernel import missing.csv", subject: "missing.csv", remedy: "Check the path"),
        .init("train run missing.toml", subject: "missing.toml", remedy: "Check the path"),
        .init("train run colour.toml", subject: "colour.toml, line 1", remedy: "train --defaults"),
        .init("train show 999", subject: "run \"999\"", remedy: "orrery train list"),
        .init("train follow missing", subject: "missing", remedy: "Check the path"),
        .init("attention heads nope -p x", subject: "nope", remedy: "orrery-mini"),
        .init("attention show", subject: "<model>", remedy: "attention show --help"),
        .init("feature show nope 1", subject: "dictionary nope", remedy: "Known: orrery-mini-features"),
        .init("eval run missing.toml", subject: "missing.toml", remedy: "Check the path"),
        .init("eval run colour.toml", subject: "colour.toml", remedy: "Supported formats"),
        .init("eval show nope", subject: "no evaluation runs", remedy: "orrery eval"),
        .init("eval resume nope", subject: "evaluation runs", remedy: "orrery eval run"),
        .init("agent run --model nope hello", subject: "model \"nope\"", remedy: "orrery-mini"),
        .init("agent run --documents missing --model scripted:x hello", subject: "missing", remedy: "Check the path"),
        .init("workspace check -w missing.orrery", subject: "missing.orrery", remedy: "Check the path"),
        .init("workspace check -w junk.bin", subject: "junk.bin", remedy: "Choose another file"),
        .init("workspace info -w junk.bin", subject: "junk.bin", remedy: "Choose another file"),
        .init("workspace backup none/copy.orrery", subject: "none", remedy: "Create it"),
        .init("show nope", subject: "panel \"nope\"", remedy: "Panels: traces"),
        .init("show traces --keys <nope>", subject: "\"<nope>\", character 2", remedy: "Use enter"),
        .init("show traces --size 0x0", subject: "--size", remedy: "columns x rows"),
        .init("show traces --theme ligth", subject: "theme \"ligth\"", remedy: "Did you mean \"light\"?"),
        .init("show traces --trace nope", subject: "nope", remedy: "Use #number"),
        .init("notebook run missing.md", subject: "missing.md", remedy: "Check the path"),
        .init("reference nope", subject: "nope", remedy: "reference --help"),
        .init("config show --nope", subject: "--nope", remedy: "config show --help"),
        .init("doctor --nope", subject: "--nope", remedy: "doctor --help"),
        .init("open missing.file", subject: "missing.file", remedy: "Check the path"),
        .init("nope", subject: "nope", remedy: "orrery --help"),
    ]
}

@Suite("Error sentences of commands", .serialized)
struct ErrorSentenceTests {
    /// A program with sample data and the files of the table; failing commands change neither. They run one
    /// after another, because two that add to a corpus can be in each other's way.
    private static let program = Swift.Result { () throws -> Program in
        let program = try Program()
        File.write("\u{7F}\0\u{1}\u{2}\0", to: program.home.file("junk.bin"))
        File.write("not json\n", to: program.home.file("notes.jsonl"))
        File.write("colour = 1\n", to: program.home.file("colour.toml"))
        mkdir(program.home.file("folder"), 0o755)
        _ = try program.run("show", "traces")
        return program
    }

    @Test("every error names its subject and its remedy, and ends with a failure status", arguments: WrongCommand.all)
    func sentence(wrong: WrongCommand) throws {
        let result = try Self.program.get().run(wrong.words)
        #expect(result.status != 0 && result.status < 128)
        #expect(result.error.contains(wrong.subject), "\(result.error)")
        #expect(result.error.contains(wrong.remedy), "\(result.error)")
    }
}
