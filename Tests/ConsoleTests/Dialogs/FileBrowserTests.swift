import Console
import Testing

@Suite struct `File browsers` {
    private func browser(_ selectable: FileBrowser.Selectable = .file) -> FileBrowser {
        var browser = FileBrowser(
            "Import", selectable: selectable, folder: "/home/ada/runs", home: "/home/ada",
            now: 1_800_000_000_000_000_000,
            isExpected: { $0.hasSuffix(".jsonl") })
        browser.show(
            FileBrowser.Listing(
                folder: "/home/ada/runs",
                entries: [
                    .init(name: "notes.md", isFolder: false, bytes: 812, modified: 1_799_999_000_000_000_000),
                    .init(
                        name: "session.jsonl", isFolder: false, bytes: 61_000_000, modified: 1_799_990_000_000_000_000),
                    .init(name: "old", isFolder: true, bytes: 0, modified: 1_790_000_000_000_000_000),
                    .init(name: ".hidden", isFolder: false, bytes: 1, modified: 0),
                ]))
        return browser
    }

    private func type(_ text: String, into browser: inout FileBrowser) throws -> FileBrowser.Outcome {
        var last = FileBrowser.Outcome.stays
        for key in try KeyNotation.typed(text) { last = browser.press(key) }
        return last
    }

    @Test func `Enter chooses a file or opens a folder`() throws {
        var browser = browser()
        #expect(try type("sess<enter>", into: &browser) == .chosen("/home/ada/runs/session.jsonl"))
        browser = self.browser()
        #expect(try type("<enter>", into: &browser) == .list("/home/ada/runs/old"))
        #expect(try type("<backspace>", into: &browser) == .list("/home/ada/runs"))
    }

    @Test func `typed paths work even before their folders are read`() throws {
        var browser = browser()
        #expect(try type("/tmp/x", into: &browser) == .stays)
        #expect(browser.folder == "/tmp")
        #expect(try type("<enter>", into: &browser) == .chosen("/tmp/x"))
        browser = self.browser()
        #expect(try type("~/", into: &browser) == .list("/home/ada"))
        #expect(try type("../", into: &browser) == .list("/home"))
        browser = self.browser()
        #expect(browser.paste("../other/a.jsonl") == .list("/home/ada/other"))
        #expect(try type("<enter>", into: &browser) == .chosen("/home/ada/other/a.jsonl"))
    }

    @Test func `the shown folder is offered if folders can be chosen`() throws {
        var browser = browser(.fileOrFolder)
        #expect(try type("<enter>", into: &browser) == .chosen("/home/ada/runs"))
    }

    @Test func `a folder typed in full is chosen, listed or not`() throws {
        var browser = browser(.fileOrFolder)
        #expect(try type("old<enter>", into: &browser) == .chosen("/home/ada/runs/old"))
        browser = self.browser(.fileOrFolder)
        #expect(try type("/var/log<enter>", into: &browser) == .chosen("/var/log"))
        browser = self.browser(.file)
        #expect(try type("old<enter>", into: &browser) == .list("/home/ada/runs/old"))
    }

    @Test func `a late listing of another folder is ignored`() throws {
        var browser = browser()
        _ = try type("<backspace>", into: &browser)
        browser.show(FileBrowser.Listing(folder: "/home/ada/runs", entries: []))
        #expect(browser.folder == "/home/ada")
    }

    @Test func `the preview of the entry under the cursor is requested once`() throws {
        var browser = browser()
        _ = try type("<down>", into: &browser)
        #expect(browser.missingPreview == "/home/ada/runs/notes.md")
        browser.show(preview: ["# Notes"], of: "/home/ada/runs/notes.md")
        #expect(browser.missingPreview == nil)
        var surface = Surface(Size(140, 20))
        browser.draw(into: &surface, in: surface.bounds, theme: .mono)
        let text = surface.textDump
        #expect(text.contains("# Notes") && text.contains("session.jsonl") && !text.contains(".hidden"))
    }

    @Test func `the panel behind is hidden between the list and the preview`() throws {
        var browser = browser()
        _ = try type("<down>", into: &browser)
        browser.show(preview: ["# Notes"], of: "/home/ada/runs/notes.md")
        var surface = Surface(Size(140, 20))
        for row in 0..<20 {
            surface.put(String(repeating: "#", count: 140), at: Point(column: 0, row: row), style: Theme.mono[.text])
        }
        browser.draw(into: &surface, in: surface.bounds, theme: .mono)
        let lines = surface.textDump.split(separator: "\n").filter { $0.contains("│") }
        #expect(!lines.isEmpty)
        for line in lines {
            let inside = line.drop { $0 != "│" }.reversed().drop { $0 != "│" }
            #expect(!String(inside).contains("##") && !String(inside).contains("│#│"), "\(line)")
        }
    }

    @Test func `an unreadable folder shows the reason`() {
        var browser = browser()
        browser.show(FileBrowser.Listing(folder: "/home/ada/runs", entries: [], problem: "Permission denied."))
        var surface = Surface(Size(80, 20))
        browser.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(surface.textDump.contains("Permission denied."))
    }
}
