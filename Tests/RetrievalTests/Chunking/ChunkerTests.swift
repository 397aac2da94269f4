import Retrieval
import System
import Testing

@Suite("Places where chunkers cut")
struct ChunkerTests {
    private func parts(_ line: String, _ text: String, kind: SourceKind = .text, _ sections: [SourceSection] = [])
        throws -> [String]
    {
        let bytes = Array(text.utf8)
        return try ChunkerPropertyTests.chunker(line).chunks(of: text, sections: sections, kind: kind).map {
            String(decoding: bytes[$0.range], as: UTF8.self)
        }
    }

    @Test(
        "a chunk ends at the best border near its end",
        arguments: [
            (
                "recursive size=30 overlap=0", "One two three.\n\nFour five six seven eight.",
                ["One two three.", "Four five six seven eight."]
            ),
            (
                "recursive size=30 overlap=0", "First one here. Second one is longer.",
                ["First one here.", "Second one is longer."]
            ),
            ("recursive size=12 overlap=0", "alpha beta gamma delta", ["alpha beta", "gamma delta"]),
            ("recursive size=5 overlap=0", "abcdefghijkl", ["abcde", "fghij", "kl"]),
            ("fixed size=5 overlap=2", "abcdefgh", ["abcde", "defgh"]),
            (
                "recursive size=20 overlap=8", "alpha beta gamma delta epsilon",
                ["alpha beta gamma", "gamma delta epsilon"]
            ),
            (
                "sentence size=40 overlap=0", "Dr. A came. He saw. Then he left the building at once.",
                ["Dr. A came. He saw.", "Then he left the building at once."]
            ),
            (
                "sentence size=30 overlap=10", "One is here. Two. Three is there too.",
                ["One is here. Two.", "Two. Three is there too."]
            ),
            ("sentence size=8 overlap=0", "星が見える。月も見える。", ["星が見える。", "月も見える。"]),
            (
                "markdown size=60 overlap=0", "# A\ntext of a\n## B\ntext of b\n# C\ntext of c",
                ["# A\ntext of a", "## B\ntext of b", "# C\ntext of c"]
            ),
            ("markdown size=160 overlap=0", "# A\n## B\ntext of b that goes on", ["# A\n## B\ntext of b that goes on"]),
            (
                "markdown size=40 overlap=0", "Some words before it.\n\n```\nlet a = 1\n\nlet b = 2\n```\nafter",
                ["Some words before it.", "```\nlet a = 1\n\nlet b = 2\n```\nafter"]
            ),
            (
                "markdown size=50 overlap=0",
                "Before the table it says.\n\n| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |\n",
                ["Before the table it says.", "| a | b |\n|---|---|\n| 1 | 2 |\n| 3 | 4 |"]
            ),
        ] as [(String, String, [String])])
    func borders(line: String, text: String, expected: [String]) throws {
        #expect(try parts(line, text) == expected)
    }

    @Test("declarations that fit stay whole, with their comments, and name their parents")
    func code() throws {
        let text = """
            import x

            /// About f.
            func f() {
                one()
            }

            struct S {
                func g() { twoTwoTwo() }

                /// About h.
                func h() { threeThree() }
            }
            """
        let document = try #require(try documents("a.swift", text).documents.first)
        let spans = try ChunkerOptions(parsing: "code size=56 overlap=0").chunker().chunks(of: document)
        #expect(
            spans.map { document.part($0.range) } == [
                "import x\n\n/// About f.\nfunc f() {\n    one()\n}", "struct S {\n    func g() { twoTwoTwo() }",
                "    /// About h.\n    func h() { threeThree() }\n}",
            ])
        #expect(spans.map(\.headings) == [[], ["S"], ["S", "h"]])
    }

    @Test("a chunk names the headings above it")
    func headings() throws {
        let text = "intro\n# A\na\n## B\nb\n# C\nc"
        let document = try #require(try documents("a.md", text).documents.first)
        let spans = try ChunkerOptions(parsing: "automatic size=8").chunker().chunks(of: document)
        #expect(spans.map(\.headings) == [[], ["A"], ["A", "B"], ["C"]])
    }

    @Test("children are inside the parents that they name")
    func parents() throws {
        let text = String(repeating: "One sentence of words. ", count: 20)
        let spans = try ChunkerOptions(parsing: "parent-child size=50 overlap=0 parent=120").chunker().chunks(of: text)
        let parents = spans.filter(\.isParent)
        #expect(parents.count > 3 && parents.allSatisfy { $0.parent == nil })
        #expect(spans.filter { !$0.isParent }.count > parents.count)
    }

    @Test("a semantic chunk ends with its topic")
    func semantic() throws {
        let text = "Stars are hot. Stars are far. Stars shine. Soup is warm. Soup is good. Soup boils."
        let options = try ChunkerOptions(parsing: "semantic size=200 threshold=0.5")
        let chunker = try options.chunker(embed: { texts in
            texts.map { text in
                let soups = text.split(separator: " ").filter { $0 == "Soup" }.count
                let stars = text.split(separator: " ").filter { $0 == "Stars" }.count
                return soups > stars ? [0, 1] : [1, 0]
            }
        })
        let bytes = Array(text.utf8)
        #expect(
            try chunker.chunks(of: text).map { String(decoding: bytes[$0.range], as: UTF8.self) } == [
                "Stars are hot. Stars are far. Stars shine.", "Soup is warm. Soup is good. Soup boils.",
            ])
    }

    @Test("too few vectors from an embedder are an error")
    func wrongEmbedder() throws {
        let chunker = try ChunkerOptions(.semantic).chunker(embed: { _ in [] })
        #expect(throws: Problem.self) { _ = try chunker.chunks(of: "One. Two. Three.") }
    }

    @Test(
        "text is cut into sentences",
        arguments: [
            ("One. Two! Three?", ["One.", "Two!", "Three?"]),
            (
                "Mr. Smith paid 3.50 to J. R. Hartley, e.g. in May.",
                ["Mr. Smith paid 3.50 to J. R. Hartley, e.g. in May."]
            ),
            ("He said \"No.\" Then he left.", ["He said \"No.\"", "Then he left."]),
            ("See Fig. 3 and no. 5. He said no. She agreed.", ["See Fig. 3 and no. 5.", "He said no.", "She agreed."]),
            ("Wait... what? yahoo! is it", ["Wait... what? yahoo! is it"]),
            ("Das ist z.B. hier. Und da.", ["Das ist z.B. hier.", "Und da."]),
            ("1. First item\n2. Second item", ["1. First item\n2. Second item"]),
            ("Heading\n\nText of it", ["Heading", "Text of it"]),
            ("これは本です。「はい！」と言った。", ["これは本です。", "「はい！」", "と言った。"]),
            ("यह है। वह है।", ["यह है।", "वह है।"]),
            ("", []), ("  \n ", []),
        ] as [(String, [String])])
    func sentences(text: String, expected: [String]) {
        let bytes = Array(text.utf8)
        #expect(SentenceSplitter.sentences(in: text).map { String(decoding: bytes[$0], as: UTF8.self) } == expected)
    }
}
