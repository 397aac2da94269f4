import Console
import Retrieval
import Testing
import Workbench

@Suite("The retrieval panel: why, and why not")
struct RetrievalWhyTests {
    let made: SearchedWorkspace
    let driver: ShellDriver
    let ask = "/\(SearchedWorkspace.question)<enter>"

    init() throws {
        made = try SearchedWorkspace()
        driver = .retrieval(made.workspace)
    }

    @Test("w asks about any document of the corpus; Enter applies the change that is shown and runs again")
    func remedies() throws {
        try driver.type(ask + "sfusion.keep = 2<enter>wmanuals/old/DM-7-rev-B.md<enter>")
        #expect(driver.rows(with: "╭─ Why ── manuals/old/DM-7-rev-B.md").count == 1)
        try driver.type("wnotes/2026-09-20.txt<enter>")
        #expect(driver.rows(with: "is not in the context").count == 1)
        #expect(driver.rows(with: "→ fusion.keep 2 → 4   includes the chunk").count == 1)
        #expect(driver.rows(with: "Enter applies").count == 1)
        #expect(driver.rows(with: "╭─ Chunk ── notes/2026-09-20.txt").count == 1)
        try driver.type("<enter>")
        #expect(driver.rows(with: "2026-09-20.txt is in the context").count == 1)
        #expect(driver.rows(with: "hybrid, changed").count == 1)
    }

    @Test(". and , choose among the changes, X applies the chosen one from any pane")
    func chooses() throws {
        try driver.type(ask + "sfusion.keep = 1<enter>wnotes/2026-09-20.txt<enter>")
        let first = driver.rows(with: "includes the chunk")
        #expect(!first.isEmpty)
        try driver.type(".")
        try driver.type(",")
        #expect(driver.rows(with: "includes the chunk") == first)
        // From another pane it is X that applies, and the pane says so.
        try driver.type("<esc>")
        #expect(driver.rows(with: "X applies").count == 1)
        #expect(driver.rows(with: "Enter applies").isEmpty)
        try driver.type("X")
        #expect(driver.rows(with: "2026-09-20.txt is in the context").count == 1)
    }

    @Test("a change of several settings names every one, applies every one, and the question lists them all")
    func several() throws {
        try driver.type(
            ask + "sfusion.keep = 1, lexical.k = 1, dense.k = 1, context.budget = 60<enter>"
                + "wnotes/2026-09-20.txt<enter>")
        let remedy = try #require(driver.rows(with: "││ → ").first)
        let keys = ["lexical.k", "dense.k", "fusion.keep", "context.budget"].filter { remedy.contains("\($0) ") }
        try #require(keys.count > 1)
        try driver.type("<enter>")
        #expect(driver.rows(with: "2026-09-20.txt is in the context").count == 1)
        // The About page lists every setting that differs from the pipeline, as the line above does where it fits.
        try driver.type("vvv")
        for key in ["fusion.keep", "lexical.k", "dense.k", "context.budget"] where keys.contains(key) {
            #expect(driver.rows(with: "changed       \(key) ").count == 1, "\(key)")
        }
    }

    @Test("a setting that is set back counts as unchanged; two changes of a setting count as one")
    func merged() throws {
        try driver.type(ask + "sfusion.keep = 3<enter>sfusion.keep = 4<enter>")
        #expect(driver.rows(with: "hybrid, changed ── fusion.keep 20 → 4").count == 1)
        try driver.type("sfusion.keep = 20<enter>")
        #expect(driver.rows(with: "changed").isEmpty)
    }

    @Test("Why follows the cursor; a document chosen with w stays until Esc")
    func follows() throws {
        try driver.type(ask)
        #expect(driver.rows(with: "╭─ Why ── manuals/DM-7.md #2").count == 1)
        try driver.type("j")
        #expect(driver.rows(with: "╭─ Why ── manuals/DM-7.md #2").isEmpty)
        #expect(driver.rows(with: "╭─ Why ── ").count == 1)
        try driver.type("wnotes/2026-09-21.txt<enter>gg")
        #expect(driver.rows(with: "╭─ Why ── notes/2026-09-21.txt").count == 1)
        try driver.type("<esc>")
        #expect(driver.rows(with: "╭─ Why ── manuals/DM-7.md #2").count == 1)
    }

    @Test("W and Enter explain the chunk under the cursor")
    func found() throws {
        for key in ["W", "<enter>"] {
            let driver = ShellDriver.retrieval(made.workspace)
            try driver.type(ask + key)
            #expect(driver.rows(with: "manuals/DM-7.md #2 is in the context: no change is needed").count == 1, "\(key)")
        }
    }

    @Test("words that analysis dropped and words that the chunk lacks are named")
    func analysis() throws {
        try driver.type(ask + "wnotes/2026-09-21.txt<enter>")
        #expect(driver.text.contains("(stop word)"))
    }

    @Test("a document that there is not is a sentence; what was said before stays")
    func unknown() throws {
        try driver.type(ask + "W")
        try driver.type("wnothing.md<enter>")
        #expect(driver.text.contains("nothing.md"))
        #expect(driver.rows(with: "manuals/DM-7.md #2 is in the context").count == 1)
    }

    @Test("another question forgets what was explained, the same one asks again")
    func forgets() throws {
        try driver.type(ask + "wpeople.html<enter><esc>r")
        #expect(driver.rows(with: "╭─ Why ── wiki/people.html").count == 1)
        try driver.type("/guide star<enter>")
        #expect(driver.rows(with: "╭─ Why ── wiki/people.html").isEmpty)
    }

    @Test("part of a name is enough to choose a document")
    func completes() throws {
        try driver.type(ask + "wpeop<enter>")
        #expect(driver.rows(with: "╭─ Why ── wiki/people.html").count == 1)
    }
}
