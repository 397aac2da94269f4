import Console
import Testing

@Suite("Frames")
struct FrameTests {
    private let runs = Frame(
        "Runs", count: "128", details: ["kind:agent", FrameLabel("3 errors", role: .failure)], trailing: ["38 ms"])

    @Test("labels appear in the top border") func labels() {
        var inner = Rect(Size(0, 0))
        let picture = drawn(52, 3) { inner = runs.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(
            picture
                == """
                ╭─ Runs ─ 128 ── kind:agent ── 3 errors ─── 38 ms ─╮
                │                                                  │
                ╰──────────────────────────────────────────────────╯
                """)
        #expect(inner == Rect(column: 1, row: 1, columns: 50, rows: 1))
    }

    @Test(
        "labels disappear one by one on narrow screens",
        arguments: [
            (60, "╭─ Runs ─ 128 ── kind:agent ── 3 errors ─────────── 38 ms ─╮"),
            (48, "╭─ Runs ─ 128 ── kind:agent ── 3 errors ───────╮"),
            (40, "╭─ Runs ─ 128 ── kind:agent ───────────╮"),
            (30, "╭─ Runs ─ 128 ── kind:agent ─╮"),
            (29, "╭─ Runs ─ 128 ──────────────╮"),
            (24, "╭─ Runs ─ 128 ─────────╮"),
            (12, "╭─ Runs ───╮"),
            (10, "╭─ Runs ─╮"),
            (9, "╭─ Ru… ─╮"),
            (6, "╭────╮"),
            (2, "╭╮"),
        ])
    func narrow(columns: Int, line: String) {
        let picture = drawn(columns, 2) { runs.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(picture.split(separator: "\n")[0] == line)
    }

    @Test("wide characters are truncated by columns") func wideCharacters() {
        #expect(
            drawn(14, 2) { Frame("日本語の題").draw(into: &$0, in: $0.bounds, theme: .dark) }
                == "╭─ 日本語… ──╮\n╰────────────╯")
    }

    @Test(
        "a long title and a long detail end after a whole word",
        arguments: [
            (50, "╭─ why does the dome jam? ── the lower leaf of… ─╮"),
            (34, "╭─ why does the dome jam? ───────╮"),
            (25, "╭─ why does the dome… ──╮"),
            (18, "╭─ why does… ────╮"),
        ])
    func wholeWords(columns: Int, line: String) {
        let frame = Frame("why does the dome jam?", details: ["the lower leaf of the dome"])
        let picture = drawn(columns, 2) { frame.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(picture.split(separator: "\n")[0] == line)
    }

    @Test("the focused frame is highlighted") func focus() {
        let plain = picture(16, 3) { Frame("Runs").draw(into: &$0, in: $0.bounds, theme: .dark) }
        let focused = picture(16, 3) { Frame("Runs", isFocused: true).draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(plain.textDump == focused.textDump)
        #expect(plain.styleDump == "2a 6. 8a\na 14. a\n16a\na = 242")
        #expect(focused.styleDump == "2a 6b 8a\na 14. a\n16a\na = 110\nb = 255 bold")
    }

    @Test("a label can have its own style") func roles() {
        let surface = picture(40, 2) {
            Frame("Run", details: [FrameLabel("3 errors", role: .failure)]).draw(into: &$0, in: $0.bounds, theme: .dark)
        }
        #expect(surface[Point(column: 10, row: 0)].style == Theme.dark[.failure])
    }

    @Test("small areas are empty inside", arguments: [Size(0, 0), Size(1, 1), Size(1, 5), Size(9, 1), Size(2, 2)])
    func smallAreas(size: Size) {
        var surface = Surface(size)
        let inner = runs.draw(into: &surface, in: surface.bounds, theme: .dark)
        #expect(inner.isEmpty)
    }

    @Test("a long title is shortened before figures are omitted", arguments: [(71, 2), (52, 1), (120, 3)])
    func figures(columns: Int, shown: Int) {
        let figures = ["8 m 57 s", "703k total tokens", "$0.40"]
        let frame = Frame("tidebook: the low water at midnight is lost", details: figures.map { FrameLabel($0) })
        let line = drawn(columns, 2) { frame.draw(into: &$0, in: $0.bounds, theme: .dark) }.split(separator: "\n")[0]
        #expect(line.hasPrefix("╭─ tidebook: the low"))
        #expect(figures.map { line.contains(" \($0) ") } == figures.indices.map { $0 < shown }, "\(line)")
        #expect(line.count == columns && line.contains("…") == (columns < 80))
    }

    @Test("lines join frames and each other") func lines() {
        let picture = drawn(24, 6) {
            let theme = Theme.dark
            Frame("Query").draw(into: &$0, in: $0.bounds, theme: theme)
            $0.horizontalLine(row: 2, columns: 0..<24, style: theme[.border], glyphs: theme.glyphs)
            $0.verticalLine(column: 11, rows: 2..<6, style: theme[.border], glyphs: theme.glyphs)
            $0.horizontalLine(row: 4, columns: 0..<24, style: theme[.border], glyphs: theme.glyphs)
            Frame("dense").drawTitle(
                into: &$0, in: Rect(column: 11, row: 2, columns: 13, rows: 1), theme: theme)
        }
        #expect(
            picture == """
                ╭─ Query ──────────────╮
                │                      │
                ├──────────┬─ dense ───┤
                │          │           │
                ├──────────┼───────────┤
                ╰──────────┴───────────╯
                """)
    }

    @Test("ASCII lines join frames") func asciiLines() {
        let theme = Theme.dark.with(.ascii)
        let picture = drawn(12, 4) {
            Frame("Q").draw(into: &$0, in: $0.bounds, theme: theme)
            $0.verticalLine(column: 6, rows: 0..<4, style: .plain, glyphs: theme.glyphs)
        }
        #expect(picture == "+- Q -+----+\n|     |    |\n|     |    |\n+-----+----+")
    }
}
