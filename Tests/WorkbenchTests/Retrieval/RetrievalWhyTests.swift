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

    @Test("w asks about any document of the corpus; Enter in its pane applies the change and runs again")
    func remedies() throws {
        try driver.type(ask + "sfusion.keep = 2<enter>wmanuals/old/DM-7-rev-B.md<enter>")
        #expect(driver.rows(with: "╭─ Why ── manuals/old/DM-7-rev-B.md").count == 1)
        try driver.type("wnotes/2026-09-20.txt<enter>")
        #expect(driver.rows(with: "is not in the context").count == 1)
        #expect(driver.rows(with: "fusion.keep = ").count >= 1)
        #expect(driver.rows(with: "╭─ Chunk ── notes/2026-09-20.txt").count == 1)
        try driver.type("<tab><tab><enter>")
        #expect(driver.rows(with: "2026-09-20.txt is in the context").count == 1)
        #expect(driver.rows(with: "hybrid, changed").count == 1)
    }

    @Test(". and , choose among the changes, X applies the chosen one from any pane")
    func chooses() throws {
        try driver.type(ask + "sfusion.keep = 1<enter>wnotes/2026-09-20.txt<enter>")
        let first = driver.rows(with: "Enter applies")
        #expect(first.count == 1)
        try driver.type(".")
        try driver.type(",")
        #expect(driver.rows(with: "Enter applies") == first)
        try driver.type("X")
        #expect(driver.rows(with: "2026-09-20.txt is in the context").count == 1)
    }

    @Test("W and Enter explain the chunk under the cursor")
    func found() throws {
        for key in ["W", "<enter>"] {
            let driver = ShellDriver.retrieval(made.workspace)
            try driver.type(ask + key)
            #expect(driver.rows(with: "manuals/DM-7.md #2 is in the context").count == 1, "\(key)")
        }
    }

    @Test("words that analysis lost, and words that the chunk lacks, are told")
    func analysis() throws {
        try driver.type(ask + "wnotes/2026-09-21.txt<enter>")
        #expect(driver.text.contains("stop word"))
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
        try driver.type(ask + "Wr")
        #expect(driver.rows(with: "is in the context").count == 1)
        try driver.type("/<ctrl-u>guide star<enter>")
        #expect(driver.rows(with: "is in the context").isEmpty)
    }

    @Test("documents complete what is typed")
    func completes() throws {
        try driver.type(ask + "wpeop<tab><enter>")
        #expect(driver.rows(with: "╭─ Why ── wiki/people.html").count == 1)
    }
}
