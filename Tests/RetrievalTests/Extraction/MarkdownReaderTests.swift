import Retrieval
import Testing

@Suite("Reading Markdown")
struct MarkdownReaderTests {
    @Test("front matter becomes metadata and is not part of the text")
    func frontMatter() throws {
        let text = """
            ---
            title: "The Title"
            date: 2024-05-06
            draft: false
            weight: 3
            tags: [a, "b c"]
            authors:
              - Ada
              - Bob
            nested:
              key: value
            ---
            # One
            text
            """
        let document = try #require(try documents("a.md", text).documents.first)
        #expect(document.title == "The Title")
        #expect(document.text == "# One\ntext")
        #expect(
            document.metadata == [
                "date": .date(1_714_953_600_000_000_000), "draft": .bool(false), "weight": .number(3),
                "tags": .texts(["a", "b c"]), "authors": .texts(["Ada", "Bob"]),
            ])
        #expect(document.source(of: "text", in: Array(text.utf8)) == "text")
        #expect(document.sourceRange(of: 0..<5) == text.utf8.count - 10..<text.utf8.count - 5)
    }

    @Test(
        "headings become sections",
        arguments: [
            ("# A\nx\n## B\ny\n# C", ["1 A -", "2 B 0", "1 C -"]),
            ("A\n===\nx\nB\n---\n", ["1 A -", "2 B 0"]),
            ("```\n# no\n```\n# yes", ["1 yes -"]),
            ("~~~~\n# no\n~~~\n# no\n~~~~\n# yes ##", ["1 yes -"]),
            ("    # code\n#no\n####### no\n", []),
            ("| a |\n|---|\n| # b |\n\n### C#", ["3 C# -"]),
            ("- item\n---\n", []),
            ("# A\n### C\n## B", ["1 A -", "3 C 0", "2 B 0"]),
        ])
    func headings(text: String, expected: [String]) throws {
        let document = try #require(try documents("a.md", text).documents.first)
        #expect(document.sections.map { "\($0.level) \($0.title) \($0.parent.map(String.init) ?? "-")" } == expected)
    }

    @Test("the title without front matter is the first heading or the file name")
    func titles() throws {
        #expect(try documents("a.md", "## x\n# The one\n").documents.map(\.title) == ["The one"])
        #expect(try documents("notes.md", "text").documents.map(\.title) == ["notes"])
    }

    @Test("an unclosed rule at the top is not front matter")
    func rule() throws {
        #expect(try documents("a.md", "---\nkey: value\n").documents.map(\.text) == ["---\nkey: value\n"])
    }
}
