import Retrieval
import Testing

@Suite("A chunker's options have a text form")
struct ChunkerOptionsTests {
    @Test(
        "what is read is written again, whole",
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
        "what cannot be used is answered with a remedy",
        arguments: [
            ("", "\"\" is no kind of chunker. Use one of automatic, fixed, recursive"),
            ("clever", "\"clever\" is no kind of chunker."),
            ("fixed size", "\"size\" is no setting. Write name=value"),
            ("fixed size=x", "size is \"x\", which is no whole number. Write size=200."),
            ("fixed size=0", "a chunk of 0 characters cannot be made. Give size from 1 to 10,000,000."),
            (
                "fixed size=10 overlap=6",
                "an overlap of 6 is not between 0 and half of the size, which is 10. Give overlap of at most 5."
            ),
            ("fixed size=10 overlap=-1", "an overlap of -1 is not between"),
            ("parent-child size=10 parent=10", "parents of 10 hold no children of 10."),
            ("semantic percentile=100", "100 is no percentile."),
            ("semantic threshold=2", "2 is no cosine."),
            ("fixed color=red", "\"color\" is no setting of a chunker."),
            ("fixed unit=words", "\"words\" is no unit. Use characters or tokens."),
            ("fixed trim=maybe", "trim is \"maybe\". Write trim=yes or trim=no."),
        ])
    func wrong(line: String, answer: String) {
        let error = #expect(throws: RetrievalError.self) { _ = try ChunkerOptions(parsing: line) }
        #expect(error?.sentence.contains(answer) == true, "\(error?.sentence ?? "")")
    }

    @Test(
        "what a kind needs is asked for",
        arguments: [("semantic", "need an embedder"), ("fixed unit=tokens", "counted by a tokenizer")])
    func needs(line: String, answer: String) throws {
        let options = try ChunkerOptions(parsing: line)
        let error = #expect(throws: RetrievalError.self) { _ = try options.chunker() }
        #expect(error?.sentence.contains(answer) == true)
    }
}
