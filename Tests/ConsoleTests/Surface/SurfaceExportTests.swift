import Console
import Testing

@Suite("Surface exports")
struct SurfaceExportTests {
    private let accent = Style(foreground: .indexed(110), attributes: .bold)

    @Test("the style dump lists runs, a legend, and the cursor")
    func styleDump() {
        var surface = picture(10, 4) {
            $0.put("ab", at: Point(column: 0, row: 0), style: accent)
            $0.put(
                "c", at: Point(column: 5, row: 0), style: Style(foreground: .rgb(255, 0, 128), background: .indexed(3)))
            $0.put("dddd", at: Point(column: 2, row: 2), style: accent)
        }
        surface.cursor = Point(column: 1, row: 2)
        #expect(
            surface.styleDump == """
                2a 3. b

                2. 4a
                a = 110 bold
                b = #ff0080 on 3
                cursor at column 1, row 2
                """)
    }

    @Test("the style dump uses two letters after 26 styles")
    func manyStyles() {
        let surface = picture(30, 1) {
            for column in 0..<30 {
                $0.put("x", at: Point(column: column, row: 0), style: Style(foreground: .indexed(UInt8(column))))
            }
        }
        #expect(surface.styleDump.hasPrefix("a b c d"))
        #expect(surface.styleDump.contains("z aa ab ac ad\n"))
    }

    @Test("lines with color sequences end in the terminal's default style")
    func ansi() {
        let surface = picture(6, 3) {
            $0.put("ab", at: Point(column: 0, row: 0), style: accent)
            $0.put("c", at: Point(column: 2, row: 0), style: Style(foreground: .indexed(1), background: .indexed(12)))
            $0.put("日", at: Point(column: 0, row: 1), style: .plain)
        }
        #expect(
            surface.ansi(colors: .palette)
                == "\u{1B}[0;1;38;5;110mab\u{1B}[0;31;104mc\u{1B}[0m\n日\n\n")
        #expect(surface.ansi(colors: .monochrome) == "\u{1B}[0;1mab\u{1B}[0mc\n日\n\n")
        #expect(surface.ansi(colors: .eight).contains("\u{1B}[0;31;104m") == false)
    }

    @Test("conversion to ASCII leaves all text in place")
    func ascii() {
        let surface = picture(24, 3) {
            $0.box($0.bounds, style: accent, glyphs: .unicode)
            $0.put("naïve café 日本 ✓…▸", at: Point(column: 2, row: 1), style: .plain)
        }
        let ascii = surface.transliterated()
        #expect(ascii.textDump.utf8.allSatisfy { $0 < 0x80 })
        #expect(ascii.textDump.split(separator: "\n").map(\.count) == [24, 24, 24])
        #expect(ascii.textDump.contains("naive cafe ???? +"))
        #expect(ascii.styleDump == surface.styleDump)
    }

    @Test("widgets drawn with the ASCII glyphs are ASCII")
    func asciiGlyphs() {
        let theme = Theme.dark.with(.ascii)
        let surface = picture(40, 8) {
            let inner = Frame("Runs", count: "3", details: ["x"], isFocused: true).draw(
                into: &$0, in: $0.bounds, theme: theme)
            var tree = Tree(TreeShape(depths: [0, 1, 1, 0, 1]), height: inner.rows)
            tree.close(3)
            tree.draw(into: &$0, in: inner, theme: theme, isFocused: true) { surface, row in
                surface.put("node \(row.node)", at: row.area.origin, style: row.style(.text, theme))
            }
            ScrollBar(count: 90, top: 3, height: 6).draw(
                into: &$0, in: Rect(column: 39, row: 1, columns: 1, rows: 6), theme: theme)
            ProgressBar("import", fraction: 0.5).draw(
                into: &$0, in: Rect(column: 1, row: 6, columns: 36, rows: 1), theme: theme)
        }
        #expect(surface.textDump.utf8.allSatisfy { $0 < 0x80 })
        #expect(surface.transliterated().textDump == surface.textDump)
    }

    @Test("an SVG picture has shapes, backgrounds, and escaped text")
    func svg() {
        let surface = picture(20, 3) {
            $0.box($0.bounds, style: accent, glyphs: .unicode)
            $0.put("a<b & \"c\"", at: Point(column: 2, row: 1), style: Style(background: .indexed(238)))
            $0.put("█⣀", at: Point(column: 12, row: 1), style: .plain)
        }
        let svg = surface.svg(theme: .dark)
        #expect(svg.contains(">a&lt;b &amp; &quot;c&quot;</text>"))
        #expect(svg.contains("fill=\"#444444\""))
        #expect(svg.contains("fill=\"#1c1c1c\""))
        #expect(svg.contains("stroke=\"#87afd7\""))
        #expect(!svg.contains("─"))
        #expect(svg.components(of: "<text").count - 1 == 1)
        #expect(surface.svg(theme: .light).contains("fill=\"#fafafa\""))
    }

    @Test("the length of SVG text is the width of its cells")
    func textLength() {
        let svg = picture(10, 1) { $0.put("abc日", at: Point(column: 0, row: 0), style: .plain) }.svg(
            theme: .dark, options: SVGOptions(fontSize: 10, advance: 0.6))
        #expect(svg.contains("textLength=\"18\""))
        #expect(svg.contains("<text x=\"18\""))
        #expect(svg.contains("textLength=\"12\""))
    }
}

extension String {
    fileprivate func components(of separator: String) -> [Substring] {
        split(separator: separator, omittingEmptySubsequences: false)
    }
}
