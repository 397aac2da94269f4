import Console
import Retrieval
import Testing
import Workbench

@Suite("The retrieval panel: one truth while typing, after Enter, and under Why")
struct RetrievalTruthTests {
    let made: SearchedWorkspace

    init() throws { made = try SearchedWorkspace() }

    private static let texts = [
        "guide sta", "what torque do the bol", "bolts of the lower leaf", "\"lower leaf\" torqu", "\"lower lea",
        "torq*", "+dome -bolts", "shutter sp", "w", SearchedWorkspace.question,
    ]

    /// The panel without the line that is typed into, and without what only Enter adds.
    private func panel(_ driver: ShellDriver) -> [String] { (1..<driver.shell.size.rows - 1).map(driver.row) }

    @Test("what a text finds while it is typed is what Enter finds", arguments: texts)
    func typing(text: String) throws {
        let driver = ShellDriver.retrieval(made.workspace)
        try driver.type("/<ctrl-u>" + text)
        let typed = panel(driver)
        try driver.type("<enter>")
        #expect(panel(driver) == typed)
    }
}

/// What waits for Enter says so.
@Suite("The retrieval panel: stages that need a model")
struct RetrievalPendingTests {
    let made: SearchedWorkspace
    let driver: ShellDriver

    init() throws {
        made = try SearchedWorkspace()
        _ = try made.store.savePipeline(
            "judged",
            toml: "[rerank]\nmethod = \"language-model\"\nmodel = \"scripted:2 1 3\"\n")
        driver = .retrieval(made.workspace)
        try driver.type("pjudged<enter>")
    }

    @Test("while typing, they show no figures and say what they wait for; Enter runs them")
    func pending() throws {
        try driver.type("/guide star")
        #expect(driver.rows(with: "waits for Enter").count == 1)
        #expect(driver.rows(with: "context  ").isEmpty == false)
        #expect(driver.text.contains(" of 2,000 tokens") == false)
        let lexical = driver.rows(with: "2026-09-22.txt")
        #expect(!lexical.isEmpty)
        try driver.type("<enter>")
        #expect(driver.rows(with: "waits for Enter").isEmpty)
        #expect(driver.text.contains(" of 2,000 tokens"))
    }
}
