import Console
import Testing

@Suite struct `Forms` {
    private var form: Form {
        Form(
            "Settings",
            [
                .init(
                    "temperature", value: "0.7", allowed: "0 to 2", help: "0 always takes the most probable token.",
                    check: { Double($0).map { (0...2).contains($0) } == true ? nil : "a number from 0 to 2" }),
                .init("stream", value: "on", choices: ["on", "off", "auto"], help: "Show tokens as they arrive."),
                .init("stop", value: ""),
            ])
    }

    private func type(_ text: String, into form: inout Form) throws -> [String: String]? {
        var values: [String: String]?
        for key in try KeyNotation.typed(text) {
            if case .accepted(let accepted) = form.press(key) { values = accepted }
        }
        return values
    }

    /// Presses Tab and provides the contents of a folder.
    private func complete(_ form: inout Form, with candidates: [String]) throws {
        var requested: String?
        if case .completing(let text) = form.press(Key(.tab)) { requested = text }
        form.complete(try #require(requested, "Tab requested no completion"), with: candidates)
    }

    @Test func `a form starts with the current values, and typing replaces the value under the cursor`() throws {
        var form = form
        #expect(try type("<enter>", into: &form) == ["temperature": "0.7", "stream": "on", "stop": ""])
        #expect(form.changes.isEmpty)
        let values = try type("1.5<down><right><down>END<enter>", into: &form)
        #expect(values == ["temperature": "1.5", "stream": "off", "stop": "END"])
        #expect(form.changes.count == 3)
    }

    @Test func `arrow keys start editing a proposed value`() throws {
        var form = form
        #expect(try type("<end>5<enter>", into: &form)?["temperature"] == "0.75")
    }

    @Test func `Tab completes a path or lists several candidates`() throws {
        var form = Form("Export", [.init("file", value: "run.md", help: "No overwriting.", isPath: true)])
        #expect(try type("n", into: &form) == nil)
        try complete(&form, with: ["notes/a", "notes/b"])
        #expect(form.selected?.value == "notes/")
        var surface = Surface(Size(80, 9))
        form.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(surface.textDump.contains("notes/a  notes/b"))
        #expect(surface.textDump.contains("Enter apply  Tab complete  Esc cancel"))
        #expect(try type("c.md<enter>", into: &form) == ["file": "notes/c.md"])
    }

    @Test func `a single candidate is completed without a trailing space`() throws {
        var form = Form("Export", [.init("file", value: "", isPath: true)])
        #expect(try type("n", into: &form) == nil)
        try complete(&form, with: ["notes/a.md"])
        #expect(try type("<enter>", into: &form) == ["file": "notes/a.md"])
    }

    @Test func `paths with spaces are completed`() throws {
        var form = Form("Export", [.init("file", value: "", isPath: true)])
        #expect(try type("my<space>n", into: &form) == nil)
        try complete(&form, with: ["my notes.md"])
        #expect(try type("<enter>", into: &form) == ["file": "my notes.md"])
    }

    @Test func `candidates for text that has changed are ignored`() throws {
        var form = Form("Export", [.init("file", value: "", isPath: true)])
        #expect(try type("n<tab>e", into: &form) == nil)
        form.complete("n", with: ["notes"])
        #expect(form.selected?.value == "ne")
    }

    @Test func `an empty value shows its default, labeled as such`() throws {
        var form = Form("Run", [.init("limit", value: "", defaultValue: "all samples"), .init("epochs", value: "2")])
        func drawn() -> String {
            var surface = Surface(Size(80, 9))
            form.draw(into: &surface, in: surface.bounds, theme: .mono)
            return surface.textDump
        }
        #expect(drawn().contains("limit   all samples (default)"))
        #expect(try type("5", into: &form) == nil)
        #expect(!drawn().contains("(default)"))
        #expect(try type("<backspace><enter>", into: &form) == ["limit": "", "epochs": "2"])
    }

    @Test func `arrows and first letters select a choice`() throws {
        var form = form
        #expect(try type("<down><left><enter>", into: &form)?["stream"] == "auto")
        #expect(try type("o<enter>", into: &form)?["stream"] == "on")
        #expect(try type("o<enter>", into: &form)?["stream"] == "off")
    }

    @Test func `Enter on an invalid form moves to the first invalid value`() throws {
        var form = form
        #expect(try type("9<down><enter>", into: &form) == nil)
        #expect(form.selected?.name == "temperature")
        var surface = Surface(Size(80, 9))
        form.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(
            surface.textDump == """

                        ╭─ Settings ─────────────────────────────────────── 1 changed ─╮
                        │ temperature  9                   a number from 0 to 2        │
                        │ stream       on                                              │
                        │ stop                                                         │
                        │                                                              │
                        │ 0 always takes the most probable token.                      │
                        ╰── Enter apply  ↑↓ field  Esc cancel ─────────────────────────╯

                """)
    }

    @Test func `Esc closes the form`() throws {
        var form = form
        for key in try KeyNotation.typed("9<esc>") {
            if case .closed = form.press(key) { return }
        }
        Issue.record("Esc did not close the form")
    }

    @Test(arguments: [Size(0, 0), Size(1, 1), Size(8, 3), Size(20, 5), Size(200, 60)])
    func `forms draw in areas of any size`(size: Size) {
        var surface = Surface(size)
        form.draw(into: &surface, in: surface.bounds, theme: .mono)
    }
}
