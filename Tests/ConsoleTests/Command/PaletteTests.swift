import Console
import Testing

@Suite struct `The palette` {
    private var palette: Palette<Int> {
        Palette(
            "Commands",
            [
                .init("play or pause", group: "traces", keys: "Space", value: 1),
                .init("to the next failed step", group: "traces", keys: "]e", disabled: "nothing failed", value: 2),
                .init("leave", keys: "q", value: 3),
            ])
    }

    private func type(_ text: String, into palette: inout Palette<Int>) throws -> String {
        var last = ""
        for key in try KeyNotation.typed(text) { last = "\(palette.press(key))" }
        return last
    }

    @Test func `is narrowed by typing, and Enter chooses`() throws {
        var palette = palette
        #expect(try type("le<enter>", into: &palette) == "chosen(3)")
        #expect(try type("<backspace><backspace><enter>", into: &palette) == "chosen(1)")
        #expect(try type("<down><enter>", into: &palette) == "refused(\"nothing failed\")")
        #expect(try type("zzz<enter>", into: &palette) == "stays")
        #expect(palette.selected == nil)
        #expect(try type("<ctrl-u><esc>", into: &palette) == "closed")
        palette.paste("pl ay\n")
        #expect(palette.query == "pl ay")
        #expect(try type("<ctrl-w>", into: &palette) == "stays")
        #expect(palette.query == "pl ")
    }

    @Test func `shows keys at the right and why something cannot be chosen`() throws {
        var palette = palette
        palette.setQuery("tra")
        var surface = Surface(Size(60, 7))
        palette.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(
            surface.textDump == """
                ╭─ Commands ────────────────────────────────────── 2 of 3 ─╮
                │ › tra                                                    │
                │ ──────────────────────────────────────────────────────── │
                │ traces play or pause                               Space │
                │ traces to the next failed step  nothing failed        ]e │
                │                                                          │
                ╰──────────────────────────────────────────────────────────╯
                """)
        #expect(surface.cursor == Point(column: 7, row: 1))
        #expect(surface[Point(column: 2, row: 3)].style.attributes.contains(.reverse))
        #expect(surface[Point(column: 2, row: 4)].style.attributes.contains([.bold, .underline]))
        let onRow = palette.click(at: Point(column: 10, row: 4), in: surface.bounds)
        #expect(onRow && palette.selected?.value == 2)
        let below = palette.click(at: Point(column: 10, row: 5), in: surface.bounds)
        #expect(!below)
    }

    @Test(arguments: [Size(0, 0), Size(1, 1), Size(5, 3), Size(20, 4), Size(200, 60)])
    func `draws in any space`(size: Size) {
        var palette = palette
        palette.setQuery(String(repeating: "行", count: 200))
        var surface = Surface(size)
        palette.draw(into: &surface, in: surface.bounds, theme: .mono)
        palette.setQuery("")
        palette.draw(into: &surface, in: surface.bounds, theme: .mono)
    }
}

@Suite struct `Help` {
    private let bindings: [Binding<Int>] = [
        Binding("j", "down", 0, name: "down", description: "next row or line", group: "Moving"),
        Binding("pgdn", 1, name: "page-down", description: "a page down", group: "Moving"),
        Binding("]e", 2, name: "next-error", description: "to the next failed step", group: "Replay"),
        Binding(keys: [], 3, name: "never", description: "has no key", group: "Replay"),
    ]

    @Test func `groups bindings, and says why one cannot run`() {
        let help = HelpView("Keys", bindings: bindings, disabled: { $0 == 2 ? "no run" : nil })
        var surface = Surface(Size(60, 8))
        help.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(
            surface.textDump == """
                       ╭─ Keys ────────────────────────────────────╮
                       │ Moving                                    │
                       │ j, Down  next row or line                 │
                       │    PgDn  a page down                      │
                       │                                           │
                       │ Replay                                    │
                       │      ]e  to the next failed step (no run) │
                       ╰───────────────────────────────────────────╯
                """)
    }

    @Test func `fits 80 x 24 by columns, and scrolls where it does not`() {
        let many = (0..<80).map {
            Binding("f\($0 % 12 + 1)", $0, name: "n\($0)", description: "does thing \($0)", group: "Group \($0 / 8)")
        }
        var help = HelpView("Keys", bindings: many)
        func screen(_ size: Size) -> String {
            var surface = Surface(size)
            help.draw(into: &surface, in: surface.bounds, theme: .mono)
            return surface.textDump
        }
        let all = screen(Size(160, 40))
        #expect((0..<80).allSatisfy { all.contains("does thing \($0)") })
        let small = Size(80, 24)
        #expect(screen(small).contains("does thing 0 ") && !screen(small).contains("does thing 39"))
        help.scroll(by: 1_000, in: Rect(small))
        #expect(screen(small).contains("does thing 39"))
        help.scroll(by: -1_000, in: Rect(small))
        #expect(help.top == 0)
    }

    @Test(arguments: [Size(0, 0), Size(1, 1), Size(6, 3), Size(12, 5)])
    func `draws in any space`(size: Size) {
        var surface = Surface(size)
        HelpView("Keys", bindings: bindings).draw(into: &surface, in: surface.bounds, theme: .mono)
    }
}
