import Console
import Testing

@Suite struct `Help` {
    private let bindings: [Binding<Int>] = [
        Binding("j", "down", 0, name: "down", description: "next row or line", group: "Moving"),
        Binding("pgdn", 1, name: "page-down", description: "a page down", group: "Moving"),
        Binding("]e", 2, name: "next-error", description: "to the next failed step", group: "Replay"),
        Binding(keys: [], 3, name: "never", description: "has no key", group: "Replay"),
    ]

    @Test func `help groups bindings and shows why an action is disabled`() {
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

    @Test(
        "a title that does not fit is shortened by dropping whole parts",
        arguments: [(120, "─ Keys of Traces ── t starts the tour ─"), (30, "─ Keys of Traces ─"), (20, "─ Keys ─")])
    func titles(columns: Int, title: String) {
        let help = HelpView("Keys of Traces ── t starts the tour", bindings: bindings)
        var surface = Surface(Size(columns, 5))
        help.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(surface.textDump.contains(title), "\(surface.textDump)")
    }

    @Test func `help uses columns and scrolls if it does not fit`() {
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
    func `help draws in areas of any size`(size: Size) {
        var surface = Surface(size)
        HelpView("Keys", bindings: bindings).draw(into: &surface, in: surface.bounds, theme: .mono)
    }
}
