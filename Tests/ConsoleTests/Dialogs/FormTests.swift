import Console
import Testing

@Suite struct `A form` {
    private var form: Form {
        Form(
            "Settings",
            [
                .init(
                    "temperature", value: "0.7", allowed: "0 to 2", help: "0 always takes the most probable token.",
                    check: { Double($0).map { (0...2).contains($0) } == true ? nil : "a number from 0 to 2" }),
                .init("stream", value: "on", choices: ["on", "off", "auto"], help: "Show tokens as they come."),
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

    /// Presses Tab, and hands over what a folder holds.
    private func complete(_ form: inout Form, with candidates: [String]) throws {
        var asked: String?
        if case .completing(let text) = form.press(Key(.tab)) { asked = text }
        form.complete(try #require(asked, "Tab asked for no completion"), with: candidates)
    }

    @Test func `starts from the values in force, and typing replaces the one under the cursor`() throws {
        var form = form
        #expect(try type("<enter>", into: &form) == ["temperature": "0.7", "stream": "on", "stop": ""])
        #expect(form.changes.isEmpty)
        let values = try type("1.5<down><right><down>END<enter>", into: &form)
        #expect(values == ["temperature": "1.5", "stream": "off", "stop": "END"])
        #expect(form.changes.count == 3)
    }

    @Test func `keeps a proposed value that arrows enter`() throws {
        var form = form
        #expect(try type("<end>5<enter>", into: &form)?["temperature"] == "0.75")
    }

    @Test func `completes a path with Tab, and lists several candidates`() throws {
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

    @Test func `completes the only candidate without a space behind it`() throws {
        var form = Form("Export", [.init("file", value: "", isPath: true)])
        #expect(try type("n", into: &form) == nil)
        try complete(&form, with: ["notes/a.md"])
        #expect(try type("<enter>", into: &form) == ["file": "notes/a.md"])
    }

    @Test func `completes a path that contains spaces`() throws {
        var form = Form("Export", [.init("file", value: "", isPath: true)])
        #expect(try type("my<space>n", into: &form) == nil)
        try complete(&form, with: ["my notes.md"])
        #expect(try type("<enter>", into: &form) == ["file": "my notes.md"])
    }

    @Test func `drops candidates for a text that has changed`() throws {
        var form = Form("Export", [.init("file", value: "", isPath: true)])
        #expect(try type("n<tab>e", into: &form) == nil)
        form.complete("n", with: ["notes"])
        #expect(form.selected?.value == "ne")
    }

    @Test func `shows the default of an empty value, marked as one`() throws {
        var form = Form("Run", [.init("limit", value: "", standard: "all samples"), .init("epochs", value: "2")])
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

    @Test func `goes through choices by arrows and by their first letters`() throws {
        var form = form
        #expect(try type("<down><left><enter>", into: &form)?["stream"] == "auto")
        #expect(try type("o<enter>", into: &form)?["stream"] == "on")
        #expect(try type("o<enter>", into: &form)?["stream"] == "off")
    }

    @Test func `accepts nothing while a value is wrong, and goes to it`() throws {
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

    @Test func `closes without a change`() throws {
        var form = form
        for key in try KeyNotation.typed("9<esc>") {
            if case .closed = form.press(key) { return }
        }
        Issue.record("Esc did not close the form")
    }

    @Test(arguments: [Size(0, 0), Size(1, 1), Size(8, 3), Size(20, 5), Size(200, 60)])
    func `draws in any space`(size: Size) {
        var surface = Surface(size)
        form.draw(into: &surface, in: surface.bounds, theme: .mono)
    }
}
