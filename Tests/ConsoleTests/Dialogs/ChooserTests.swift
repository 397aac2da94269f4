import Console
import Testing

@Suite struct `Choosers` {
    private var chooser: Chooser<Int> {
        var chooser = Chooser(
            "Commands",
            [
                Choice("play or pause", group: "traces", facts: ["Space"], value: 1),
                Choice(
                    "to the next failed step", group: "traces", facts: ["]e"], disabledReason: "nothing failed",
                    value: 2),
                Choice("leave", facts: ["q"], value: 3),
            ])
        chooser.factRole = .key
        return chooser
    }

    private var models: Chooser<String> {
        var chooser = Chooser(
            "Model",
            [
                Choice("orrery-mini", facts: ["in process", "6.1 MB"], detail: "The bundled model."),
                Choice("qwen3-0.6b", facts: ["in process", "1.2 GB"], isCurrent: true),
                Choice("qwen3", facts: ["endpoint", ""]),
            ])
        chooser.typedAction = "Add the model at"
        return chooser
    }

    private func type<Value>(_ text: String, into chooser: inout Chooser<Value>) throws -> String {
        var last = ""
        for key in try KeyNotation.typed(text) { last = "\(chooser.press(key))" }
        return last
    }

    @Test func `typing narrows the list, and Enter chooses`() throws {
        var chooser = chooser
        #expect(try type("le<enter>", into: &chooser) == "chosen([3])")
        #expect(try type("<backspace><backspace><enter>", into: &chooser) == "chosen([1])")
        #expect(try type("<down><enter>", into: &chooser) == "refused(\"nothing failed\")")
        #expect(try type("zzz<enter>", into: &chooser) == "stays")
        #expect(chooser.selected == nil)
        #expect(try type("<ctrl-u><esc>", into: &chooser) == "closed")
        chooser.paste("pl ay\n")
        #expect(chooser.query == "pl ay")
        #expect(try type("<ctrl-w>", into: &chooser) == "stays")
        #expect(chooser.query == "pl ")
    }

    @Test func `the cursor starts on the current value, which is marked`() throws {
        var chooser = models
        #expect(chooser.selected?.title == "qwen3-0.6b")
        #expect(try type("<enter>", into: &chooser) == "chosen([\"qwen3-0.6b\"])")
        var surface = Surface(Size(60, 9))
        chooser.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(
            surface.textDump == """
                  ╭─ Model ────────────────────────────────────────── 3 ─╮
                  │ › type to filter                                     │
                  │ ──────────────────────────────────────────────────── │
                  │   orrery-mini                     in process  6.1 MB │
                  │ • qwen3-0.6b                      in process  1.2 GB │
                  │   qwen3                             endpoint         │
                  │                                                      │
                  │                                                      │
                  ╰── Enter choose  Esc cancel ──────────────────────────╯
                """)
    }

    @Test func `a name typed in full comes before names that contain it`() throws {
        var chooser = models
        #expect(try type("qwen3<enter>", into: &chooser) == "chosen([\"qwen3\"])")
    }

    @Test func `an action name typed in full comes before actions that only mention it`() throws {
        var chooser = Chooser(
            "Actions",
            [
                Choice("keys of this panel", group: "help", value: 1),
                Choice("change a key by pressing the new one", group: "keys", value: 2),
            ])
        #expect(try type("keys<enter>", into: &chooser) == "chosen([2])")
    }

    @Test func `typed text can be chosen if the chooser has an action for it`() throws {
        var chooser = models
        #expect(try type("http://host<enter>", into: &chooser) == "typed(\"http://host\")")
        var listed = self.chooser
        #expect(try type("http://host<enter>", into: &listed) == "stays")
    }

    @Test func `marked values are returned in the order of marking`() throws {
        var chooser = models
        chooser.allowsMultiple = true
        #expect(try type("<up><tab><down><tab><enter>", into: &chooser) == "chosen([\"orrery-mini\", \"qwen3\"])")
        #expect(try type("<up><up><tab><enter>", into: &chooser) == "chosen([\"qwen3\"])")
    }

    @Test func `keys appear at the right, and disabled choices show their reason`() throws {
        var chooser = chooser
        chooser.setQuery("tra")
        var surface = Surface(Size(60, 7))
        chooser.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(
            surface.textDump == """
                  ╭─ Commands ────────────────────────────────── 2 of 3 ─╮
                  │ › tra                                                │
                  │ ──────────────────────────────────────────────────── │
                  │   traces play or pause                         Space │
                  │   traces to the next failed step  nothing fa…     ]e │
                  │                                                      │
                  ╰── Enter choose  Esc cancel ──────────────────────────╯
                """)
        let onRow = chooser.click(at: Point(column: 10, row: 4), in: surface.bounds)
        #expect(onRow && chooser.selected?.value == 2)
        let below = chooser.click(at: Point(column: 10, row: 5), in: surface.bounds)
        #expect(!below)
    }

    @Test(arguments: [Size(0, 0), Size(1, 1), Size(5, 3), Size(20, 4), Size(200, 60)])
    func `choosers draw in areas of any size`(size: Size) {
        var chooser = models
        for query in [String(repeating: "行", count: 200), ""] {
            chooser.setQuery(query)
            var surface = Surface(size)
            chooser.draw(into: &surface, in: surface.bounds, theme: .mono)
        }
    }
}
