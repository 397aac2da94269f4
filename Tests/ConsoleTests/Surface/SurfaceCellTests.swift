import Console
import Testing

@Suite("Cells of a surface")
struct SurfaceCellTests {
    @Test("text outside the grid is cut off")
    func bounds() {
        let surface = picture(4, 2) {
            $0.put("abcdef", at: Point(column: 2, row: 0), style: .plain)
            $0.put("abcdef", at: Point(column: -4, row: 1), style: .plain)
            $0.put("nothing", at: Point(column: 0, row: 2), style: .plain)
            $0.put("nothing", at: Point(column: 0, row: -1), style: .plain)
            $0.put("x", at: Point(column: 9, row: 0), style: .plain)
        }
        #expect(surface.textDump == "  ab\nef")
    }

    @Test("a clip limits text and fills until its closure returns")
    func clip() {
        let surface = picture(6, 3) {
            $0.clipped(to: Rect(column: 1, row: 1, columns: 3, rows: 1)) { inner in
                inner.put("abcdef", at: Point(column: 0, row: 1), style: .plain)
                inner.fill(Rect(column: 0, row: 0, columns: 6, rows: 1), with: "#", style: .plain)
            }
            $0.put("z", at: Point(column: 5, row: 2), style: .plain)
        }
        #expect(surface.textDump == "\n bcd\n     z")
    }

    @Test(
        "overwriting one half of a wide glyph blanks the other half",
        arguments: [
            (0, "x語", "x 語"), (1, "x", " x語"), (2, "x", "日x"), (3, "x", "日 x"), (1, "語", " 語"), (1, "xy", " xy"),
        ])
    func halves(column: Int, text: String, seen: String) {
        var surface = Surface(Size(4, 1))
        surface.put("日語", at: Point(column: 0, row: 0), style: .plain)
        if column == 0 {
            surface.put("x", at: Point(column: 0, row: 0), style: .plain)
        } else {
            surface.put(text, at: Point(column: column, row: 0), style: .plain)
        }
        #expect(surface.textDump == seen)
        checkHalves(surface)
    }

    @Test("a wide glyph that crosses the edge of the clip is drawn as a blank")
    func wideGlyphAtEdge() {
        let surface = picture(6, 1) {
            $0.fill($0.bounds, with: ".", style: .plain)
            $0.clipped(to: Rect(column: 0, row: 0, columns: 3, rows: 1)) { inner in
                inner.put(Unicode.Scalar(0x65E5)!, at: Point(column: 2, row: 0), style: .plain)
            }
        }
        #expect(surface.textDump == ".. ...")
    }

    @Test("drawing random text over random text never leaves half a wide glyph", arguments: 0..<5)
    func randomText(seed: Int) {
        var state = UInt64(seed + 1)
        func random(_ limit: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % limit
        }
        let texts = ["日本語", "abc", "é", "👨‍👩‍👧", "e\u{301}日", "ภาษา", "हिन्दी", "🇩🇪x", "─", "한국"]
        var surface = Surface(Size(17, 4))
        for _ in 0..<2_000 {
            let clip = Rect(column: random(17), row: random(4), columns: random(17), rows: random(4))
            let place = Point(column: random(20) - 3, row: random(5))
            let text = texts[random(texts.count)]
            surface.clipped(to: clip) {
                $0.put(text, at: place, style: .plain, width: random(3) == 0 ? random(6) : nil)
            }
            if random(7) == 0 { surface.fill(clip, with: "·", style: .plain) }
        }
        checkHalves(surface)
        #expect(surface.textDump.contains { $0 != "·" && $0 != "\n" && $0 != " " })
    }

    /// Expects exactly one right half after every wide cell.
    private func checkHalves(_ surface: Surface) {
        for row in 0..<surface.size.rows {
            var remaining = 0
            for column in 0..<surface.size.columns {
                let width = Int(surface[Point(column: column, row: row)].width)
                #expect((width == 0) == (remaining > 0), "row \(row), column \(column)")
                remaining = width == 0 ? remaining - 1 : width - 1
            }
            #expect(remaining == 0)
        }
    }

    @Test("changing styles leaves the text unchanged")
    func restyle() {
        let surface = picture(4, 1) {
            $0.put("日ab", at: Point(column: 0, row: 0), style: .plain)
            $0.restyle(Rect(column: 0, row: 0, columns: 3, rows: 1)) { $0.adding(.reverse) }
        }
        #expect(surface.textDump == "日ab")
        #expect(surface.styleDump == "3a\na = reverse")
    }

    @Test("a cleared surface has no text, styles, or clusters")
    func clear() {
        var surface = picture(4, 1) { $0.put("👨‍👩‍👧a", at: Point(column: 0, row: 0), style: Style(attributes: .bold)) }
        surface.cursor = Point(column: 1, row: 0)
        surface.clear()
        #expect(surface.textDump == "")
        #expect(surface.styleDump == "")
        #expect(surface.clusters.isEmpty)
    }

    @Test("drawing on an empty surface has no effect")
    func emptySurface() {
        let surface = picture(0, 0) {
            $0.put("日本", at: Point(column: 0, row: 0), style: .plain)
            $0.fill(Rect(column: -1, row: -1, columns: 9, rows: 9), style: .plain)
            $0.restyle($0.bounds) { $0 }
        }
        #expect(surface.textDump == "")
        #expect(surface.svg(theme: .dark).contains("<svg"))
    }
}
