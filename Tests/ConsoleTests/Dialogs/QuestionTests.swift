import Console
import Testing

@Suite struct `Questions` {
    private let question = Question(
        "Stop training \"tiny2\"?", lines: ["Step 1,204 of 5,000. The last checkpoint is 40 s old."],
        [
            .init("s", "stop and keep the checkpoint", value: "stop"),
            .init("b", "keep running in the background", value: "detach"),
        ])

    private func answer(_ key: String) throws -> String {
        "\(question.press(try KeyNotation.typed(key)[0]))"
    }

    @Test func `only the listed keys answer a question`() throws {
        #expect(try answer("s") == "chosen(\"stop\")")
        #expect(try answer("b") == "chosen(\"detach\")")
        #expect(try answer("<esc>") == "closed")
        for key in ["y", "n", "<enter>", "q", "<space>"] { #expect(try answer(key) == "stays") }
    }

    @Test func `n closes a question that has one answer, and the hint shows it`() throws {
        let single = Question("Delete night?", [.init("d", "delete the run", value: "delete")])
        #expect("\(single.press(try KeyNotation.typed("n")[0]))" == "closed")
        #expect("\(single.press(try KeyNotation.typed("d")[0]))" == "chosen(\"delete\")")
        #expect("\(single.press(try KeyNotation.typed("y")[0]))" == "stays")
        var surface = Surface(Size(70, 8))
        single.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(surface.textDump.contains(" [n]o  Esc go back "))
    }

    @Test func `n selects an answer with the key n`() throws {
        let named = Question("Next?", [.init("n", "take the next one", value: "next")])
        #expect("\(named.press(try KeyNotation.typed("n")[0]))" == "chosen(\"next\")")
        var surface = Surface(Size(70, 8))
        named.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(!surface.textDump.contains("[n]o"))
    }

    @Test func `a question shows its answers and the effect of Esc`() {
        var surface = Surface(Size(70, 8))
        question.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(
            surface.textDump == """

                      ╭─ Stop training "tiny2"? ──────────────────────────────╮
                      │ Step 1,204 of 5,000. The last checkpoint is 40 s old. │
                      │                                                       │
                      │ [s] stop and keep the checkpoint                      │
                      │ [b] keep running in the background                    │
                      ╰── Esc go back ────────────────────────────────────────╯

                """)
        #expect(question.click(at: Point(column: 12, row: 4), in: surface.bounds) == "stop")
        #expect(question.click(at: Point(column: 12, row: 2), in: surface.bounds) == nil)
    }

    @Test(arguments: [Size(0, 0), Size(1, 1), Size(8, 3), Size(20, 5), Size(200, 60)])
    func `questions draw in areas of any size`(size: Size) {
        var surface = Surface(size)
        question.draw(into: &surface, in: surface.bounds, theme: .mono)
    }
}
