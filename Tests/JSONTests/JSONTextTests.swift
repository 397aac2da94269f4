import JSON
import Testing

@Suite("JSON text")
struct JSONTextTests {
    @Test(
        "escapes become their characters, and invalid escapes become U+FFFD",
        arguments: [
            (#""#, ""), ("plain", "plain"), ("é€😀", "é€😀"), (#"\"\\\/\b\f\n\r\t"#, "\"\\/\u{8}\u{C}\n\r\t"),
            (#"\u0041\u00e9\u20AC\uD83D\uDE00"#, "Aé€😀"), (#"\u0000"#, "\0"), (#"\uFFFF"#, "\u{FFFF}"),
            (#"\ud800"#, "\u{FFFD}"), (#"\udc00"#, "\u{FFFD}"), (#"\ud800\ud800"#, "\u{FFFD}\u{FFFD}"),
            (#"\ud800x"#, "\u{FFFD}x"), (#"\ud800\n"#, "\u{FFFD}\n"), (#"\ud800\u0041"#, "\u{FFFD}A"),
            (#"\udc00\ud800"#, "\u{FFFD}\u{FFFD}"), (#"\ud800\ud83d\ude00"#, "\u{FFFD}😀"),
            (#"\uDBFF\uDFFF"#, "\u{10FFFF}"), (#"\q"#, "\u{FFFD}"), (#"\qa"#, "\u{FFFD}a"),
            (#"\é!"#, "\u{FFFD}!"), (#"\😀!"#, "\u{FFFD}!"), (#"\u"#, "\u{FFFD}"),
            (#"\u12"#, "\u{FFFD}"), (#"\u12x"#, "\u{FFFD}x"), (#"\u123\n"#, "\u{FFFD}\n"),
            (#"\uxyz"#, "\u{FFFD}xyz"), (#"\ud83d\u"#, "\u{FFFD}\u{FFFD}"),
            (#"a\nb\nc"#, "a\nb\nc"), (#"\\n"#, #"\n"#), (#"\\\\"#, #"\\"#), (#"\U0041"#, "\u{FFFD}0041"),
        ] as [(String, String)])
    func escapes(raw: String, text: String) throws {
        // The padding before and after the escapes is long enough for copies of complete blocks.
        for padding in [0, 1, 7, 15, 16, 17, 40, 100] {
            let plain = String(repeating: "-", count: padding)
            let expected = plain + text + plain
            try JSONParser().parse("\"\(plain)\(raw)\(plain)\"") { node in
                #expect(node.string == expected)
                #expect(node.utf8Length == expected.utf8.count)
                #expect(node.hasEscapes == raw.contains("\\"))
                #expect(node.equals(expected))
                #expect(!node.equals(expected + "x") && !node.equals("x" + expected))
                #expect(node.withUTF8 { Array($0) } == Array(expected.utf8))
                #expect(node.rawString.map { Array($0) } == Array((plain + raw + plain).utf8))
                var bytes: [UInt8] = [1]
                node.appendText(to: &bytes)
                #expect(bytes == [1] + Array(expected.utf8))
                var string = "1"
                node.appendText(to: &string)
                #expect(string == "1" + expected)
            }
        }
    }

    @Test("values other than strings have no text")
    func otherValues() throws {
        try JSONParser().parse(#"{"a":1}"#) { node in
            #expect(node.string == nil && node.rawString == nil && node.utf8Length == 0)
            #expect(node.withUTF8 { $0.count } == nil)
            #expect(!node.equals("") && !node.equals("a") && !node.hasEscapes)
            var text = "same"
            node.appendText(to: &text)
            #expect(text == "same")
        }
    }

    @Test("long strings of escapes are read completely")
    func longStrings() throws {
        let count = 200_000
        try JSONParser().parse("\"" + String(repeating: #"\u00e9\q"#, count: count) + "\"") { node in
            #expect(node.utf8Length == 5 * count)
            #expect(node.string == String(repeating: "é\u{FFFD}", count: count))
        }
    }
}
