import Console
import JSON
import Retrieval
import TestFixtures
import Testing
import Workbench

@Suite("The retrieval panel: question sets, comparison, and saving")
struct RetrievalJudgingTests {
    let made: SearchedWorkspace
    let driver: ShellDriver
    let ask = "/\(SearchedWorkspace.question)<enter>"

    init() throws {
        made = try SearchedWorkspace()
        driver = .retrieval(made.workspace)
    }

    private func compare(_ typed: String) throws {
        try driver.type("b<ctrl-u>\(typed)<enter>")
        driver.finishJobs()
    }

    @Test(
        "b compares two pipelines over the set: the mean with its interval, the greatest loss first, both side by side")
    func compares() throws {
        try driver.type(ask)
        try compare("narrow")
        #expect(driver.rows(with: "A hybrid ── B narrow v1").count == 1)
        #expect(driver.rows(with: "nDCG@10").first?.contains("[") == true)
        let head = driver.rows(with: "A  context").first ?? ""
        #expect(head.contains("A  fused") && head.contains("B  fused") && head.contains("B  context"))
        let before = driver.row(2)
        try driver.type("j")
        #expect(driver.row(2) != before)
        try driver.type("<esc><esc>")
        #expect(driver.rows(with: "A  context").isEmpty)
        #expect(driver.rows(with: SearchedWorkspace.question).count >= 1)
    }

    @Test("b also compares settings, and a changed pipeline with its original")
    func variants() throws {
        try compare("fusion.keep = 1, dense.k = 3")
        #expect(driver.rows(with: "A hybrid ── B hybrid, changed").count == 1)
        try driver.type("<esc><esc>sfusion.keep = 1<enter>")
        try compare("hybrid")
        #expect(driver.rows(with: "A hybrid ── B hybrid, changed").count == 1)
    }

    @Test("a search that runs when a comparison ends does not replace the comparison")
    func cancelsSearch() throws {
        try driver.type(ask)
        driver.engine.holdsReads = true
        try driver.type("b<ctrl-u>narrow<enter>r")
        driver.finishJobs()
        #expect(driver.rows(with: "A hybrid ── B narrow v1").count == 1)
        #expect(driver.rows(with: "searching").isEmpty)
    }

    @Test("an unknown pipeline is reported")
    func unknownPipeline() throws {
        try compare("nowhere")
        #expect(driver.text.contains("unknown pipeline"))
    }

    @Test("Enter on a question asks it")
    func asks() throws {
        try driver.type("<tab><tab><tab>jj<enter>")
        #expect(driver.rows(with: "│ how long does the guider wait?").count >= 1)
        #expect(driver.rows(with: "2026-09-22.txt").count >= 1)
    }

    @Test("K saves the question as a case with the chunk as its answer")
    func keeps() throws {
        try driver.type("/gasket<enter>K")
        #expect(driver.text.contains("saved as case"))
        let set = try #require(made.store.questionSets(of: 1).first)
        let last = try #require(try made.store.questions(in: set.id).cases.last)
        #expect(last.question == "gasket")
        #expect(last.gold.map(\.document).first?.hasPrefix("tables/parts.csv") == true)
        // The question now has a gold passage.
        #expect(driver.rows(with: "✓ ◇ parts.csv").count == 1)
    }

    @Test("Q lists the question sets if the name is wrong")
    func sets() throws {
        try driver.type("Qnone<enter>")
        #expect(driver.text.contains("Sets: dome-questions"))
        try driver.type("Qdome<tab><enter><tab><tab><tab>")
        #expect(driver.rows(with: "Questions ─ 4 ── dome-questions").count == 1)
    }

    @Test("Q reads questions from a file, and b compares over them")
    func questionFile() throws {
        let path = made.made.folder.file("more.jsonl")
        let set = try #require(made.store.questionSets(of: 1).first)
        File.write(try made.store.questions(in: set.id).cases.prefix(2).map { $0.json() + "\n" }.joined(), to: path)
        try driver.type("Q\(path)<enter>")
        #expect(driver.text.contains("read 2 questions from more.jsonl"))
        try driver.type("b")
        #expect(driver.text.contains("Compare") && !driver.text.contains("choose a question set first"))
        try driver.type("<esc>")
        try compare("narrow")
        #expect(driver.rows(with: "A hybrid ── B narrow v1").count == 1)
    }

    @Test("without question sets, b names the keys that create one, and Q opens the file list")
    func noSets() throws {
        let made = try TestWorkspace()
        _ = try CorpusStore(made.workspace).create("empty")
        let driver = ShellDriver.retrieval(made.workspace)
        try driver.type("b")
        #expect(driver.text.contains("K saves one as a case, Q reads a file"))
        try driver.type("Q")
        #expect(driver.text.contains("Read questions"))
    }

    @Test("c changes the corpus; an unknown name matches nothing and changes nothing")
    func corpora() throws {
        _ = try made.store.create("empty")
        let driver = ShellDriver.retrieval(made.workspace)
        try driver.type("cnowhere<enter>")
        #expect(driver.rows(with: "Nothing matches.").count == 1)
        try driver.type("<esc>")
        #expect(driver.rows(with: "Nothing matches.").isEmpty && driver.row(1).contains("dome"))
        try driver.type("cempty<enter>")
        #expect(driver.row(1).contains("empty"))
    }

    @Test("y copies the ranking as Markdown; e writes it as JSON or Markdown")
    func exports() throws {
        try driver.type(ask + "y")
        let isCopied = driver.asked {
            guard case .copy(let text) = $0 else { return false }
            return text.contains("| passage | lexical | dense | fused | context |")
        }
        #expect(isCopied)
        for (name, beginning) in [("ranking.json", "{"), ("ranking.md", "## what torque")] {
            let path = made.made.folder.file(name)
            try driver.type("e<ctrl-u>\(path)<enter>")
            #expect(File.text(path)?.hasPrefix(beginning) == true)
        }
    }

    @Test("a lets a model answer once and marks the cited passages; the pipeline is unchanged")
    func answers() throws {
        try driver.type(ask + "a<ctrl-u>scripted:The lower leaf needs 62 N·m dry [1].<enter>")
        #expect(driver.rows(with: "The lower leaf needs 62 N·m dry [1].").count == 1)
        #expect(driver.rows(with: "not used in the answer").count == 1)
        #expect(driver.rows(with: "changed").isEmpty)
    }

    @Test("an unknown model is reported, and the stages stay")
    func unknownModel() throws {
        try driver.type(ask + "a<ctrl-u>nobody<enter>")
        #expect(driver.text.contains("nobody"))
        #expect(driver.rows(with: "manuals/DM-7.md #2").count >= 1)
    }

    @Test("every key acts or gives a reason, with and without a question", arguments: [true, false])
    func everyKey(isAsked: Bool) throws {
        let driver = ShellDriver.retrieval(made.workspace, size: Size(80, 24))
        for binding in PageHost<RetrievalPage>.bindings {
            try driver.type(isAsked ? ask : "")
            for key in try binding.keys.first.map({ try KeyNotation.keys($0) }) ?? [] { driver.handle(.key(key)) }
            driver.finishJobs()
            #expect(Hostile.dangers(on: driver.shell.draw()) == [], "\(binding.name)")
            try driver.type("<esc><esc><esc>")
            #expect(driver.row(0).contains("1 Retrieval"), "\(binding.name)")
        }
    }
}
