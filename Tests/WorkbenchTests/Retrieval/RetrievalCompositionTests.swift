import Console
import Retrieval
import Testing
import Workbench

@Suite("The retrieval panel: first screen and small screens")
struct RetrievalCompositionTests {
    private let question = "what torque do the bolts of the lower shutter leaf need?"

    @Test("the first screen of the sample data shows an answered question with a note")
    func firstSight() throws {
        let made = try SampleCorpus.workspace()
        let driver = ShellDriver.retrieval(made.workspace)
        #expect(driver.row(2).contains(question))
        #expect(driver.row(2).contains("a sample question: / asks your own"))
        #expect(driver.rows(with: "✓ ◇ DM-7.md #5").count == 1)
        #expect(driver.rows(with: "is in the context").count == 1)
        try driver.type("/guide star<enter>")
        #expect(driver.rows(with: "a sample question").isEmpty)
    }

    @Test("unused rows of Why go to the questions")
    func shortWhy() throws {
        let made = try SampleCorpus.workspace()
        let driver = ShellDriver.retrieval(made.workspace, size: Size(200, 60))
        let rows = (0..<60).map { String(driver.row($0).prefix(60)) }
        let top = try #require(rows.firstIndex { $0.contains("─ Why ") })
        let bottom = try #require(rows[top...].firstIndex { $0.hasPrefix("╰") })
        let last = try #require(rows[..<bottom].lastIndex { !$0.allSatisfy { " │┃".contains($0) } })
        #expect(bottom - last <= 5, "\(driver.text)")
    }

    @Test("no question is asked in the user's own data")
    func ownData() throws {
        let made = try SearchedWorkspace()
        let driver = ShellDriver.retrieval(made.workspace)
        #expect(driver.rows(with: "/ asks a question").count == 1, "\(driver.text)")
    }

    @Test("stages without room are named with the key that reaches them", arguments: [80, 60, 40, 24])
    func hidden(columns: Int) throws {
        let made = try SearchedWorkspace()
        let driver = ShellDriver.retrieval(made.workspace, size: Size(columns, 24))
        try driver.type("/bolts<enter>")
        let stages = ["lexical", "dense", "fused", "context"]
        for step in 0..<stages.count {
            if step > 0 { try driver.type("h") }
            let frame = try #require(driver.rows(with: "─ Stages ").first)
            let rows = (0..<24).map { driver.row($0) }
            let place = try #require(rows.firstIndex(of: frame))
            let head = rows[place + 1]
            let shown = stages.filter { head.contains($0) }
            try #require(!shown.isEmpty)
            let before = stages.prefix { $0 != shown[0] }.count
            let behind = stages.count - before - shown.count
            #expect(frame.contains("‹") == (before > 0), "\(frame)")
            if columns >= 40 { #expect(frame.contains("›") == (behind > 0), "\(frame)") }
        }
    }

    @Test(
        "a tiny terminal shows passages, not only headers",
        arguments: [Size(20, 5), Size(20, 8), Size(30, 6), Size(80, 5)])
    func tiny(size: Size) throws {
        let made = try SearchedWorkspace()
        let driver = ShellDriver.retrieval(made.workspace, size: size)
        try driver.type("/bolts<enter>")
        let ranks = (0..<size.rows).filter { driver.row($0).contains("✓") || driver.row($0).contains(".0") }
        #expect(!ranks.isEmpty, "\(driver.text)")
    }

    @Test("o opens the recorded search in Traces and offers only panels that can show it")
    func elsewhere() throws {
        let made = try SearchedWorkspace()
        let driver = ShellDriver.retrieval(made.workspace)
        try driver.type("o")
        #expect(driver.text.contains("ask something first: press /"))
        try driver.type("/bolts<enter>o")
        #expect(driver.text.contains("Traces"))
        #expect(driver.rows(with: "Retrieval").count == 1)
        try driver.type("<enter>")
        #expect(driver.row(0).contains("2 Traces"))
        #expect(driver.rows(with: "bolts").count >= 1)
    }
}
