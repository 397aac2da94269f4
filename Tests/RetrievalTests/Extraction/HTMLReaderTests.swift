import Retrieval
import Testing

@Suite("Reading HTML")
struct HTMLReaderTests {
    @Test(
        "markup becomes its visible text",
        arguments: [
            ("<p>One</p><p>two</p>", "One\n\ntwo"),
            ("a<br>b<br/>c", "a\nb\nc"),
            ("<ul><li>a<li>b</ul>c", "a\nb\n\nc"),
            ("<table><tr><th>n<th>v<tr><td>1<td>2</table>", "n\tv\n1\t2"),
            ("a  \n b<b>c</b> <i>d</i>", "a bc d"),
            ("<a href='x>y'>link</a>!", "link!"),
            ("x<script>if (a < b) { '</p>' }</script>y<style>p{}</style>z", "xyz"),
            ("a<!-- <p>no</p> -->b", "ab"),
            (
                "1 < 2 && 3 > 2 &amp; &lt;x&gt; &eacute;&#233;&#xE9; &nosuch; &copy 5 &#128; &#0;",
                "1 < 2 && 3 > 2 & <x> ééé &nosuch; © 5 € \u{FFFD}"
            ),
            ("<pre>\n a\n  b</pre>c", " a\n  b\n\nc"),
            ("<p>a<p>b<div>c", "a\n\nb\nc"),
            ("<b title=\"never closed>x</b> y", "x y"),
            ("a<b", "a"),
            ("<svg/>x<svg><text>no</text></svg>y", "xy"),
            ("non&nbsp;breaking", "non breaking"),
            ("<P CLASS=X>upper</P>", "upper"),
            ("<p>&lt;script&gt;</p>", "<script>"),
        ])
    func text(markup: String, text: String) throws {
        #expect(try documents("a.html", markup).documents.first?.text == text)
    }

    static let page = """
        <!doctype html><html lang="de"><head><title>The &amp; Title</title>
        <meta name="keywords" content="a, b c"><meta name=author content=Ada><meta property="article:published_time" content="2024-05-06">
        <script>var x = "<h1>no</h1>";</script></head>
        <body><h1>One <i>big</i></h1><p>caf&eacute; and\u{20}\u{20}
        tea.</p><h2>Part</h2>text<h1>Two</h1>end</body></html>
        """

    @Test("title, language, metadata, and nested headings are read")
    func structure() throws {
        let document = try #require(try documents("a.html", Self.page).documents.first)
        #expect(document.title == "The & Title")
        #expect(
            document.metadata == [
                "language": .text("de"), "keywords": .texts(["a", "b c"]), "author": .text("Ada"),
                "date": .date(1_714_953_600_000_000_000),
            ])
        #expect(document.text == "One big\n\ncafé and tea.\n\nPart\n\ntext\n\nTwo\n\nend")
        #expect(document.sections.map(\.title) == ["One big", "Part", "Two"])
        #expect(document.sections.map(\.parent) == [nil, 0, nil])
        #expect(document.part(document.sections[1].range) == "Part\n\ntext\n\n")
    }

    @Test(
        "words map to their bytes in the source",
        arguments: [
            ("big", "big"), ("café", "caf&eacute;"), ("and tea", "and  \ntea"), ("é and", "&eacute; and"),
            ("Two", "Two"),
        ])
    func offsets(words: String, source: String) throws {
        let bytes = Array(Self.page.utf8)
        let document = try #require(try documents("a.html", bytes).documents.first)
        #expect(document.source(of: words, in: bytes) == source)
    }

    @Test("offsets are correct for Latin-1, too")
    func latinOffsets() throws {
        let bytes =
            Array("<p>x</p><p>".utf8) + [0xE9, 0x74, 0xE9] + Array(" &amp; caf".utf8) + [0xE9] + Array("</p>".utf8)
        let document = try #require(try documents("a.html", bytes).documents.first)
        #expect(document.text == "x\n\nété & café")
        #expect(document.sourceRange(of: 3..<8) == 11..<14)
        #expect(document.sourceRange(of: 9..<10) == 15..<20)
        #expect(document.sourceRange(of: 11..<16) == 21..<25)
    }

    @Test("an unclosed element is reported")
    func unclosed() throws {
        let (found, report) = try documents("a.html", "<p>seen</p><script>var a = 1; more")
        #expect(found.first?.text == "seen")
        #expect(report.read.first?.notes.first?.contains("unclosed script element at byte 11") == true)
    }

    @Test(
        "a megabyte of hostile markup takes linear time",
        arguments: [
            "<", "<a ", "<a b=\"", "<div>", "&", "<!--", "<script>", "</", "<title>", "<pre>", "&#", "<h1>", "<a b='\"",
            "<x y=z ",
        ])
    func hostile(piece: String) throws {
        let start = ContinuousClock.now
        _ = try documents("a.html", String(repeating: piece, count: 1_000_000 / piece.utf8.count))
        #expect(ContinuousClock.now - start < .seconds(20))
    }
}
