import Console
import Testing

@Suite struct `A file browser` {
    private func browser(_ wanted: FileBrowser.Wanted = .file) -> FileBrowser {
        var browser = FileBrowser(
            "Import", wanted: wanted, folder: "/home/ada/runs", home: "/home/ada", now: 1_800_000_000_000_000_000,
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

    @Test func `takes a file, and enters folders`() throws {
        var browser = browser()
        #expect(try type("sess<enter>", into: &browser) == .chosen("/home/ada/runs/session.jsonl"))
        browser = self.browser()
        #expect(try type("<enter>", into: &browser) == .list("/home/ada/runs/old"))
        #expect(try type("<backspace>", into: &browser) == .list("/home/ada/runs"))
    }

    @Test func `follows a typed path, whether its folders were read or not`() throws {
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

    @Test func `offers the folder itself where a folder will do`() throws {
        var browser = browser(.fileOrFolder)
        #expect(try type("<enter>", into: &browser) == .chosen("/home/ada/runs"))
    }

    @Test func `takes a folder that was typed in full, listed or not`() throws {
        var browser = browser(.fileOrFolder)
        #expect(try type("old<enter>", into: &browser) == .chosen("/home/ada/runs/old"))
        browser = self.browser(.fileOrFolder)
        #expect(try type("/var/log<enter>", into: &browser) == .chosen("/var/log"))
        browser = self.browser(.file)
        #expect(try type("old<enter>", into: &browser) == .list("/home/ada/runs/old"))
    }

    @Test func `drops a listing that comes after the folder was left`() throws {
        var browser = browser()
        _ = try type("<backspace>", into: &browser)
        browser.show(FileBrowser.Listing(folder: "/home/ada/runs", entries: []))
        #expect(browser.folder == "/home/ada")
    }

    @Test func `asks for the preview of what is under the cursor, once`() throws {
        var browser = browser()
        _ = try type("<down>", into: &browser)
        #expect(browser.wantedPreview == "/home/ada/runs/notes.md")
        browser.show(preview: ["# Notes"], of: "/home/ada/runs/notes.md")
        #expect(browser.wantedPreview == nil)
        var surface = Surface(Size(140, 20))
        browser.draw(into: &surface, in: surface.bounds, theme: .mono)
        let text = surface.textDump
        #expect(text.contains("# Notes") && text.contains("session.jsonl") && !text.contains(".hidden"))
    }

    @Test func `lets nothing of the panel show between the list and the preview`() throws {
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

    @Test func `says why a folder could not be read`() {
        var browser = browser()
        browser.show(FileBrowser.Listing(folder: "/home/ada/runs", entries: [], problem: "Permission denied."))
        var surface = Surface(Size(80, 20))
        browser.draw(into: &surface, in: surface.bounds, theme: .mono)
        #expect(surface.textDump.contains("Permission denied."))
    }
}
