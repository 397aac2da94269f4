import Retrieval
import System
import Testing

@Suite("A chunker's options have a text form")
struct ChunkerOptionsTests {
    @Test(
        "options are written as they were read",
        arguments: [
            ("recursive", "recursive size=1000 overlap=150"),
            ("Fixed size=20", "fixed size=20 overlap=10"),
            ("code", "code size=1500 overlap=0"),
            ("recursive unit=tokens", "recursive size=250 overlap=38 unit=tokens"),
            ("parent-child", "parent-child size=400 overlap=40 parent=2000"),
            ("semantic, percentile=90", "semantic size=1500 overlap=0 percentile=90"),
            ("semantic threshold=0.7 size=9", "semantic size=9 overlap=0 threshold=0.7"),
            ("markdown trim=no", "markdown size=1000 overlap=150 trim=no"),
        ])
    func text(line: String, canonical: String) throws {
        let options = try ChunkerOptions(parsing: line)
        #expect(options.description == canonical)
        #expect(try ChunkerOptions(parsing: canonical) == options)
    }

    @Test(
        "invalid options are errors with a remedy",
        arguments: [
            ("", "unknown chunker \"\". Use one of automatic, fixed, recursive"),
            ("clever", "unknown chunker \"clever\"."),
            ("fixed size", "\"size\" is not a setting. Write name=value"),
            ("fixed size=x", "size must be a whole number, not \"x\". Example: size=200."),
            ("fixed size=0", "size 0 is out of range. Use 1 to 10,000,000."),
            (
                "fixed size=10 overlap=6",
                "overlap 6 is out of range. Use 0 to 5, half of the size."
            ),
            ("fixed size=10 overlap=-1", "overlap -1 is out of range"),
            ("parent-child size=10 parent=10", "parent 10 must be larger than size 10."),
            ("semantic percentile=100", "percentile 100 is out of range."),
            ("semantic threshold=2", "threshold 2 is out of range."),
            ("fixed color=red", "unknown chunker setting \"color\"."),
            ("fixed unit=words", "unknown unit \"words\". Use characters or tokens."),
            ("fixed trim=maybe", "unknown value \"maybe\" of trim. Write trim=yes or trim=no."),
        ])
    func wrong(line: String, answer: String) {
        let error = #expect(throws: Problem.self) { _ = try ChunkerOptions(parsing: line) }
        #expect(error?.sentence.contains(answer) == true, "\(error?.sentence ?? "")")
    }

    @Test(
        "a chunker without its embedder or tokenizer is an error",
        arguments: [("semantic", "needs an embedder"), ("fixed unit=tokens", "needs a tokenizer")])
    func needs(line: String, answer: String) throws {
        let options = try ChunkerOptions(parsing: line)
        let error = #expect(throws: Problem.self) { _ = try options.chunker() }
        #expect(error?.sentence.contains(answer) == true)
    }
}
