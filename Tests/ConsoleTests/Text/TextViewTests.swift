import Console
import Testing

/// Returns the text of a view drawn at its size.
func screen(_ view: TextView, theme: Theme = .mono) -> String {
    var surface = Surface(view.size)
    view.draw(into: &surface, in: surface.bounds, theme: theme)
    return surface.textDump
}

@Suite("Text view")
struct TextViewTests {
    private func numbered(_ count: Int, columns: Int = 12, rows: Int = 4) -> TextView {
        var view = TextView((1...count).map { "line \($0)" }.joined(separator: "\n"))
        view.layout(Size(columns, rows))
        return view
    }

    @Test("the view draws the rows that fit, starting at the top")
    func drawing() {
        #expect(screen(numbered(9)) == "line 1\nline 2\nline 3\nline 4")
    }

    @Test("scrolling stops at the ends")
    func scrolling() {
        var view = numbered(9)
        view.scroll(by: 3)
        #expect(screen(view) == "line 4\nline 5\nline 6\nline 7")
        view.scroll(by: 100)
        #expect(screen(view) == "line 6\nline 7\nline 8\nline 9")
        #expect(view.isAtEnd && view.fraction == 1)
        view.scrollPages(by: -1)
        #expect(screen(view) == "line 4\nline 5\nline 6\nline 7")
        view.scroll(by: -100)
        #expect(view.isAtTop && view.fraction == 0)
        view.scrollToEnd()
        #expect(screen(view) == "line 6\nline 7\nline 8\nline 9")
        view.scroll(toLine: 2)
        #expect(screen(view) == "line 2\nline 3\nline 4\nline 5")
        #expect(view.topLine == 2 && view.lineCount == 9)
    }

    @Test("text shorter than its pane stays at the top")
    func shortText() {
        var view = numbered(2)
        view.scrollToEnd()
        #expect(screen(view) == "line 1\nline 2\n\n")
        #expect(view.isAtTop && view.isAtEnd)
    }

    @Test("the topmost row stays the same when the width changes")
    func resizing() {
        var view = TextView((1...50).map { "paragraph \($0) has words enough to be wrapped" }.joined(separator: "\n"))
        view.layout(Size(20, 4))
        view.scroll(by: 30)
        let place = view.top
        view.layout(Size(60, 4))
        #expect(view.top <= place)
        #expect(screen(view).hasPrefix("paragraph 11 has"))
        view.layout(Size(20, 4))
        #expect(screen(view).hasPrefix("paragraph 11 has"))
    }

    @Test("sections follow each other, each with its margin")
    func sections() {
        var view = TextView([
            TextSection(StyledLine("bash", .heading) + StyledLine("  0.1 s", .dim)),
            TextSection("swift test --filter Parser", margin: StyledLine("▌ ", .new)),
            TextSection(""),
            TextSection("ok"),
        ])
        view.layout(Size(16, 6))
        #expect(
            screen(view) == """
                bash  0.1 s
                ▌ swift test
                ▌ --filter
                ▌ Parser

                ok
                """)
        view.scroll(to: TextPosition(section: 1, offset: 0))
        #expect(view.isAtTop)
    }

    @Test("without wrapping, lines are cut off and can be scrolled sideways")
    func sideways() {
        var view = TextView("0123456789abcdef\n行星行星行星行星行星\n\tx", wraps: false)
        view.layout(Size(8, 3))
        #expect(screen(view) == "01234567\n行星行星\n    x")
        view.scrollSideways(by: 3)
        #expect(screen(view) == "3456789a\n 行星行\n x")
        view.scrollSideways(by: -10)
        #expect(view.left == 0)
    }

    @Test("control characters are shown, not sent")
    func controlCharacters() {
        var view = TextView("a\u{1B}[2Jb\u{202E}c\rd")
        view.layout(Size(40, 2))
        #expect(screen(view) == "a␛[2Jb<U+202E>c␍d\n")
    }

    @Test("a click finds its row, and extreme distances scroll to the end")
    func clicks() {
        var view = numbered(9)
        let area = Rect(column: 2, row: 1, columns: 12, rows: 4)
        #expect(view.position(at: Point(column: 3, row: 3), in: area) == TextPosition(offset: 14))
        #expect(view.position(at: Point(column: 0, row: 3), in: area) == nil)
        view.scroll(by: .max)
        #expect(view.isAtEnd)
        view.scroll(by: .min)
        view.scrollPages(by: .min)
        view.scrollSideways(by: .max)
        #expect(view.isAtTop)
        #expect(numbered(2).position(at: Point(column: 3, row: 4), in: area) == nil)
        var empty = TextView([])
        empty.layout(Size(0, 0))
        empty.scroll(by: 3)
        empty.find("x")
        #expect(screen(empty) == "" && !empty.advance())
    }

    @Test("scrolling row by row agrees with wrapping the whole text", arguments: 0..<40)
    func naiveScrolling(seed: Int) {
        var generator = SeededGenerator(seed)
        let size = Size(Int.random(in: 1..<60, using: &generator), Int.random(in: 1..<12, using: &generator))
        // Blanks at the end of a row may exceed its width, and a dump omits them. With tabs, rows would be hard to
        // compare.
        let text = randomText(&generator, words: 90).replacing("\t", with: "-")
        let rows = wrapped(text, columns: size.columns)
        var view = TextView(text)
        view.layout(size)
        for top in 0...max(0, rows.count - size.rows) {
            var expected = Surface(size)
            for (row, text) in rows.dropFirst(top).prefix(size.rows).enumerated() {
                expected.put(text, at: Point(column: 0, row: row), style: .plain)
            }
            #expect(screen(view) == expected.textDump, "row \(top)")
            view.scroll(by: 1)
        }
        #expect(view.isAtEnd)
        for _ in rows.indices { view.scroll(by: -1) }
        #expect(view.isAtTop)
    }

    @Test("60 MB of text opens, jumps, and scrolls without delay")
    func largeText() {
        let line = "{\"path\": \"Sources/Parser.swift\", \"content\": \"let token = next() ?? .eof 行星\"}, "
        let one = String(repeating: line, count: 60_000_000 / line.utf8.count)
        let many = one.replacing("}, ", with: "},\n")
        for text in [one, many] {
            let clock = ContinuousClock()
            var view = TextView("", language: .json)
            let opening = clock.measure {
                view = TextView(text, language: .json)
                view.layout(Size(120, 40))
                _ = screen(view)
            }
            let moving = clock.measure {
                view.scrollToEnd()
                _ = screen(view)
                for _ in 0..<8 {
                    view.scroll(by: -3)
                    _ = screen(view)
                }
            }
            // The limit is ten frames, because tests run in parallel and without optimization.
            #expect(opening < .milliseconds(1_600))
            #expect(moving < .milliseconds(10 * 160))
            #expect(screen(view).contains("Parser.swift"))
        }
    }
}
