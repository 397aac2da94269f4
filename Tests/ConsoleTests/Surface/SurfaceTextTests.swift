import Console
import Testing

@Suite("Text on a surface")
struct SurfaceTextTests {
    @Test("a line is drawn at its position, and its width is returned")
    func line() {
        var surface = Surface(Size(12, 2))
        let columns = surface.put("an orrery", at: Point(column: 2, row: 1), style: Style(attributes: .bold))
        #expect(columns == 9)
        #expect(surface.textDump == "\n  an orrery")
        #expect(surface[Point(column: 2, row: 1)].style.attributes == .bold)
        #expect(surface[Point(column: 11, row: 1)].style == .plain)
    }

    @Test(
        "text that is too wide ends with an ellipsis",
        arguments: [
            ("orrery", 6, "orrery"), ("orrery", 5, "orre…"), ("orrery", 1, "…"), ("orrery", 0, ""), ("", 3, ""),
            ("日本語", 6, "日本語"), ("日本語", 5, "日本…"), ("日本語", 4, "日…"), ("日本語", 2, "…"),
            ("e\u{301}e\u{301}e\u{301}", 2, "e\u{301}…"), ("abe\u{301}", 3, "abe\u{301}"), ("abe\u{301}x", 3, "ab…"),
            ("👩‍💻 writes", 4, "👩‍💻 …"), ("a\u{202E}b", 8, "a…"), ("a\u{202E}b", 10, "a<U+202E>b"),
        ])
    func cut(text: String, width: Int, seen: String) {
        var surface = Surface(Size(20, 1))
        let columns = surface.put(text, at: Point(column: 0, row: 0), style: .plain, width: width)
        #expect(surface.textDump == seen)
        #expect(columns == DisplayWidth.of(seen))
        let truncated = text.truncated(toColumns: width)
        #expect(DisplayWidth.of(truncated) == columns)
    }

    @Test(
        "control characters and invisible characters are escaped",
        arguments: [
            ("\u{1B}[31mred", "␛[31mred"), ("bell\u{7}", "bell␇"), ("a\tb\nc", "a␉b␊c"), ("a\r\nb", "a␍␊b"),
            ("\u{7F}", "␡"), ("\u{85}", "<U+0085>"), ("\u{9B}31m", "<U+009B>31m"),
            ("\u{202E}evil\u{202C}", "<U+202E>evil<U+202C>"), ("\u{2066}x\u{2069}", "<U+2066>x<U+2069>"),
            ("a\u{200B}b", "a<U+200B>b"), ("a\u{200D}\u{200D}b", "a<U+200D><U+200D>b"), ("\u{FEFF}x", "<U+FEFF>x"),
            ("a\u{AD}b", "a<U+00AD>b"), ("\u{2028}", "<U+2028>"), ("\u{E000}", "<U+E000>"), ("\u{FFFF}", "<U+FFFF>"),
            ("\u{378}", "<U+0378>"), ("\u{E0061}\u{E0062}", "<U+E0061><U+E0062>"), ("\u{10FFFF}", "<U+10FFFF>"),
            ("a\u{FE0F}\u{FE0F}", "a\u{FE0F}<U+FE0F>"), ("\u{3164}", "<U+3164>"), ("\0", "␀"),
            ("😀\u{E0101}\u{E0102}", "😀<U+E0101><U+E0102>"),
        ])
    func escapes(text: String, seen: String) {
        var surface = Surface(Size(40, 1))
        let columns = surface.put(text, at: Point(column: 0, row: 0), style: .plain)
        #expect(surface.textDump == seen)
        #expect(columns == DisplayWidth.of(text))
        #expect(columns == DisplayWidth.of(seen))
    }

    @Test("escapes are dim, unlike the same characters in the text")
    func escapeStyle() {
        let surface = picture(24, 1) { $0.put("<U+202E>\u{202E}", at: Point(column: 0, row: 0), style: .plain) }
        #expect(surface.textDump == "<U+202E><U+202E>")
        #expect(surface.styleDump == "8. 8a\na = dim")
    }

    @Test("only visible scalars reach the cells")
    func allScalars() {
        var surface = Surface(Size(12, 1))
        for scalar in notableScalars {
            let value = scalar.value
            surface.clear()
            let text = String(Character(scalar))
            let columns = surface.put(text, at: Point(column: 0, row: 0), style: .plain)
            if columns < 1 || columns != DisplayWidth.of(text) {
                Issue.record("U+\(String(value, radix: 16)) takes \(columns) columns")
            }
            for sign in surface.textDump.unicodeScalars {
                let category = sign.properties.generalCategory
                if [.control, .unassigned, .privateUse, .surrogate, .lineSeparator, .paragraphSeparator].contains(
                    category)
                    || sign.properties.isBidiControl
                {
                    Issue.record("U+\(String(value, radix: 16)) is drawn without an escape")
                }
            }
        }
    }

    @Test("a mark without a letter is drawn on a dotted circle")
    func loneMark() {
        #expect(drawn(4, 1) { $0.put("\u{301}x", at: Point(column: 0, row: 0), style: .plain) } == "\u{25CC}\u{301}x")
    }

    @Test("excess marks are shown as a count within the width")
    func excessMarks() {
        let zalgo = "a" + String(repeating: "\u{301}", count: 200_000)
        var surface = Surface(Size(20, 1))
        #expect(surface.put(zalgo, at: Point(column: 0, row: 0), style: .plain, width: 20) <= 20)
        #expect(surface.textDump.hasSuffix("<+122>…"))
        #expect(surface.textDump.unicodeScalars.count < 40)
    }

    @Test(
        "aligned text is padded with blanks in its style",
        arguments: [
            (Alignment.left, "ab    |"), (.center, "  ab  |"), (.right, "    ab|"),
        ])
    func alignment(_ alignment: Alignment, seen: String) {
        let surface = picture(8, 1) {
            $0.put("xxxxxx|", at: Point(column: 0, row: 0), style: .plain)
            $0.put("ab", at: Point(column: 0, row: 0), style: Style(attributes: .bold), width: 6, aligned: alignment)
        }
        #expect(surface.textDump == seen)
        #expect(surface.styleDump == "6a\na = bold")
        #expect("ab".paddedToColumns(6, alignment) + "|" == seen)
    }

    @Test("the time to draw a long line depends only on its visible part")
    func longLine() {
        let long = String(repeating: "日", count: 2_000_000)
        let clock = ContinuousClock()
        var surface = Surface(Size(80, 1))
        let time = clock.measure {
            for _ in 0..<100 { surface.put(long, at: Point(column: 0, row: 0), style: .plain, width: 80) }
        }
        // A single pass over the whole text would take longer.
        #expect(time < .seconds(1))
        #expect(surface.textDump.hasSuffix("日…"))
    }
}
