import Console
import Testing

@Suite("Pop-ups, messages, and lists of values")
struct BoxesTests {
    @Test("a pop-up covers the middle of the screen")
    func popup() {
        var inner = Rect(Size(0, 0))
        let seen = drawn(20, 6) {
            $0.fill($0.bounds, with: "x", style: .plain)
            inner = Popup("Help", content: Size(8, 2)).draw(into: &$0, in: $0.bounds, theme: .dark)
            $0.put("question", at: inner.origin, style: .plain, width: inner.columns)
        }
        #expect(
            seen == """
                xxxxxxxxxxxxxxxxxxxx
                xxxx╭─ Help ───╮xxxx
                xxxx│ question │xxxx
                xxxx│          │xxxx
                xxxx╰──────────╯xxxx
                xxxxxxxxxxxxxxxxxxxx
                """)
        #expect(inner == Rect(column: 6, row: 2, columns: 8, rows: 2))
    }

    @Test("a pop-up never exceeds the screen", arguments: [Size(0, 0), Size(1, 1), Size(3, 3), Size(12, 2)])
    func popupOnSmallScreen(size: Size) {
        var surface = Surface(size)
        let inner = Popup("Help", content: Size(80, 40)).draw(into: &surface, in: surface.bounds, theme: .dark)
        #expect(inner.intersection(surface.bounds).size == inner.size)
    }

    @Test("a message covers only the last row")
    func toast() {
        let surface = picture(24, 4) {
            Toast(.failure, "no such run").draw(into: &$0, in: $0.bounds, theme: .dark)
        }
        #expect(
            surface.textDump == """



                 ✗ no such run
                """)
        #expect(surface[Point(column: 1, row: 3)].style.foreground == Theme.dark[.failure].foreground)
        #expect(surface[Point(column: 4, row: 3)].style == Theme.dark[.popup])
    }

    @Test("a long message takes several rows, so that its remedy is visible")
    func longToast() {
        let seen = drawn(17, 5) {
            Toast(.warning, "no such run: list them").draw(into: &$0, in: $0.bounds, theme: .dark)
        }
        #expect(
            seen == """



                 ! no such run:
                   list them
                """)
    }

    @Test("a message is not drawn on a screen that is too narrow", arguments: [8, 6, 1, 0])
    func toastOnNarrowScreen(columns: Int) {
        let seen = drawn(columns, 3) { Toast(.warning, "no such run").draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(!seen.contains("no such"))
    }

    private let facts = KeyValue([
        .init("model", "claude-opus-4-5"), .init("status", "failed", .failure), .init("cost", "$3.18", .number),
    ])

    @Test("values are aligned after their names")
    func alignedValues() {
        let surface = picture(28, 4) { facts.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(
            surface.textDump == """
                model    claude-opus-4-5
                status   failed
                cost     $3.18

                """)
        #expect(surface.styleDump == "5a\n6a 3. 6b\n4a 5. 5c\na = 248\nb = 204\nc = 173")
    }

    @Test(
        "names take at most two fifths of the width",
        arguments: [(15, "model    claud…"), (10, "mod…   cl…"), (4, "…"), (1, ""), (0, "")])
    func nameColumns(columns: Int, line: String) {
        var rows = 0
        let seen = drawn(columns, 2) { rows = facts.draw(into: &$0, in: $0.bounds, theme: .dark) }
        #expect(seen.split(separator: "\n").first.map(String.init) ?? "" == line)
        #expect(rows == (columns == 0 ? 0 : 2))
    }
}
