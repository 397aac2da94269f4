import Console
import Retrieval
import Testing
import Traces
import Workbench

@Suite("The retrieval panel: asking and following a chunk")
struct RetrievalAskingTests {
    let made: SearchedWorkspace
    let driver: ShellDriver
    let ask = "/\(SearchedWorkspace.question)<enter>"

    init() throws {
        made = try SearchedWorkspace()
        driver = .retrieval(made.workspace)
    }

    @Test("a question shows every stage as a column, and the best chunk with its terms")
    func columns() throws {
        try driver.type(ask)
        let heads = driver.rows(with: "lexical").first ?? ""
        #expect(heads.contains("dense") && heads.contains("fused") && heads.contains("context"))
        #expect(driver.rows(with: "DM-7.md #").count > 2)
        try driver.type("<tab>G")
        #expect(driver.rows(with: "the score of lexical").count == 1)
        #expect(driver.rows(with: "bolts → bolt").count == 1)
    }

    @Test("results update during typing; Esc returns to the last question")
    func typing() throws {
        try driver.type("/guide star")
        #expect(driver.rows(with: "2026-09-22.txt").count >= 1)
        #expect(driver.rows(with: "│ guide star").count == 1)
        try driver.type("<enter>")
        // The question of before is a proposal: what is typed takes its place.
        try driver.type("/rain")
        #expect(driver.row(2).hasPrefix("│ rain "))
        try driver.type("<esc>")
        #expect(driver.rows(with: "│ guide star ").count == 1)
        #expect(driver.rows(with: "2026-09-22.txt").count >= 1)
    }

    @Test("an empty text finds nothing and clears earlier results")
    func emptied() throws {
        try driver.type("/guide star<ctrl-u>")
        #expect(driver.rows(with: "2026-09-22.txt").isEmpty)
        try driver.type("<esc>")
        #expect(driver.rows(with: "/ asks a question").count == 1)
    }

    @Test("typing saves no trace, but asking does")
    func traces() throws {
        let before = try TraceStore(made.workspace).summaries().count
        try driver.type("/guide star lost")
        #expect(try TraceStore(made.workspace).summaries().count == before)
        try driver.type("<enter>")
        #expect(try TraceStore(made.workspace).summaries().count == before + 1)
    }

    @Test("h and l follow the chunk from stage to stage; j goes to the next one")
    func follows() throws {
        try driver.type(ask)
        let first = driver.shell.draw().styleDump
        try driver.type("h")
        #expect(driver.rows(with: "Chunk ── manuals/DM-7.md #2").count == 1)
        #expect(driver.shell.draw().styleDump != first)
        try driver.type("j")
        #expect(driver.rows(with: "Chunk ── manuals/DM-7.md #2").isEmpty)
        try driver.type("k")
        #expect(driver.rows(with: "Chunk ── manuals/DM-7.md #2").count == 1)
    }

    @Test("the gold passage is marked where a question set knows it, in the columns and in the source")
    func gold() throws {
        try driver.type(ask)
        #expect(driver.rows(with: "✓ ◇ DM-7.md #2").count == 1)
        try driver.type("v")
        #expect(driver.rows(with: "Source ── manuals/DM-7.md #2").count == 1)
        #expect(driver.rows(with: "62 N·m dry").count == 1)
    }

    @Test("v reads the chunk, its source with the borders, the answer, and about it")
    func views() throws {
        try driver.type(ask)
        for title in ["Source", "Answer", "About", "Chunk"] {
            try driver.type("v")
            #expect(driver.rows(with: "╭─ \(title) ──").count == 1, "\(title)")
        }
        try driver.type("vvv")
        #expect(driver.rows(with: "chunk         2 of ").count == 1)
        #expect(driver.rows(with: "rrf").count >= 1)
    }

    @Test("f finds text in the passage, and n goes to the next match")
    func finds() throws {
        try driver.type(ask + "f")
        try driver.type("leaf<enter>")
        #expect(driver.rows(with: "─ 1 of ").count == 1)
        try driver.type("n")
        #expect(driver.rows(with: "─ 2 of ").count == 1)
        try driver.type("N\\")
        #expect(driver.rows(with: "─ 1 of ").count == 1)
    }

    @Test("s changes a setting and runs again; S keeps the pipeline as a version")
    func settings() throws {
        try driver.type(ask + "sfusion.keep = 1<enter>")
        #expect(driver.rows(with: "hybrid, changed").count == 1)
        #expect(driver.rows(with: "── k = 1 ──").count == 1)
        try driver.type("S<ctrl-u>mine<enter>")
        #expect(!driver.rows(with: "mine v1").isEmpty)
        try driver.type("phybrid<enter>")
        #expect(driver.rows(with: "── hybrid ──").count == 1)
        #expect(driver.rows(with: "── k = 1 ──").isEmpty)
    }

    @Test("S asks before it replaces a pipeline, and the version before can be chosen again")
    func replacesPipeline() throws {
        try driver.type(ask + "sfusion.keep = 1<enter>")
        try driver.type("S<enter>")
        #expect(driver.text.contains("Replace hybrid?"))
        #expect(driver.text.contains("The current version remains available as hybrid@1."))
        try driver.type("<esc>")
        #expect(try made.store.pipelines().contains { $0.name == "hybrid" } == false)
        try driver.type("S<enter>s")
        #expect(driver.rows(with: "hybrid v2").count >= 1)
        #expect(try made.store.pipeline("hybrid").version == 2)
        try driver.type("phybrid@1<enter>")
        #expect(driver.rows(with: "── hybrid v1 ──").count == 1)
        #expect(driver.rows(with: "── k = 1 ──").isEmpty)
    }

    @Test(
        "an unknown setting or invalid value is reported and changes nothing",
        arguments: ["nothing.such", "nothing.such = 3", "dense.k = many"])
    func wrongSettings(typed: String) throws {
        try driver.type(ask + "s\(typed)<enter>")
        #expect(driver.rows(with: "changed").isEmpty)
        #expect(driver.rows(with: "✗").count >= 1)
    }

    @Test("the name of a setting asks for its value and shows the current value")
    func settingForm() throws {
        try driver.type(ask + "sfusion.keep<enter>")
        #expect(driver.rows(with: "─ Setting of hybrid ").count == 1)
        try driver.type("<esc>")
        #expect(driver.rows(with: "Setting of").isEmpty)
        #expect(driver.rows(with: "hybrid, changed").isEmpty)
        try driver.type("sfusion.keep<enter>1<enter>")
        #expect(driver.rows(with: "hybrid, changed ── fusion.keep 20 → 1").count == 1)
    }

    @Test("t measures the dense search against exact search")
    func truth() throws {
        try driver.type(ask + "t")
        #expect(driver.rows(with: "nothing missed").count >= 1)
        #expect(driver.rows(with: "of dense  1.00").count >= 1)
    }

    @Test("H shows lengths, indexes and near-duplicates; Esc goes back to the stages")
    func health() throws {
        try driver.type(ask + "H")
        for text in ["Chunk lengths", "hashed", "lexical", "Near-duplicates"] {
            #expect(driver.rows(with: text).count >= 1, "\(text)")
        }
        try driver.type("<esc>")
        #expect(driver.rows(with: "Chunk lengths").isEmpty)
        #expect(driver.rows(with: "fused  rrf 60").count == 1)
    }

    @Test("without a question every action that needs one says so")
    func refuses() throws {
        for key in ["r", "a", "w", "W", "t", "y", "e", "v", "f"] {
            try driver.type(key)
            #expect(driver.text.contains("ask something first: press /"), "\(key)")
        }
        for (key, reason) in [
            ("K", "select the chunk"), (".", "no change is proposed"), ("V", "the stages are already shown"),
            ("n", "search first"),
            ("S", "no setting was changed"), ("<enter>", "no chunk under the cursor"),
        ] {
            try driver.type(key)
            #expect(driver.text.contains(reason), "\(key)")
        }
        #expect(driver.requests.isEmpty)
    }

    @Test("the mouse selects a chunk, opens with two clicks, and scrolls")
    func mouse() throws {
        try driver.type(ask)
        let rows = driver.text.split(separator: "\n", omittingEmptySubsequences: false)
        let row = try #require(rows.firstIndex { $0.contains(" 2 ") && $0.contains("✓") })
        driver.handle(.mouse(Mouse(.press, at: Point(column: 8, row: row))))
        #expect(driver.rows(with: "╭─ Chunk ── manuals/DM-7.md #2").isEmpty)
        driver.handle(.mouse(Mouse(.doubleClick, at: Point(column: 8, row: row))))
        #expect(driver.rows(with: "╭─ Why ──").count == 1)
        driver.handle(.mouse(Mouse(.scrollDown, at: Point(column: 8, row: row))))
        driver.handle(.mouse(Mouse(.press, at: Point(column: 20, row: 2))))
        #expect(driver.footer.contains("ask "))
    }

    @Test("the last screen comes back: corpus, question, pipeline with its changes, view")
    func restores() throws {
        let first = ShellDriver.retrieval(made.workspace, isRestored: true)
        try first.type(ask + "sfusion.keep = 1<enter>v")
        first.shell.saveScreens()
        let second = ShellDriver.retrieval(made.workspace, isRestored: true)
        #expect(second.rows(with: SearchedWorkspace.question).count == 1)
        #expect(second.rows(with: "── k = 1 ──").count == 1)
        #expect(second.rows(with: "╭─ Source ──").count == 1)
    }
}
