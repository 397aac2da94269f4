import Console
import Retrieval
import TestFixtures
import Testing
import Workbench

@Suite("The retrieval panel: adding files and undo")
struct RetrievalAddingTests {
    let made: SearchedWorkspace
    let driver: ShellDriver
    let path: String

    init() throws {
        made = try SearchedWorkspace()
        driver = .retrieval(made.workspace)
        path = made.made.folder.file("telegram.txt")
        File.write("The zeppelin is moored at the east gate.\n", to: path)
    }

    @Test("i asks for the corpus, proposes the shown corpus, and the files are found at once")
    func adds() throws {
        try driver.type("/zeppelin<enter>i\(path)<enter>")
        #expect(driver.rows(with: "Add telegram.txt to").count == 1)
        #expect(driver.rows(with: "│ • dome").count == 1)
        try driver.type("<enter>")
        driver.finishJobs()
        #expect(driver.text.contains("dome: 1 added. u undoes it."))
        #expect(driver.rows(with: "1 telegram.txt").count >= 1)
    }

    @Test("u names an addition of this page and asks before undoing it; then nothing of this page is left to undo")
    func undoes() throws {
        try driver.type("i\(path)<enter><enter>")
        driver.finishJobs()
        #expect(try made.store.documents(named: "telegram.txt", of: 1).count == 1)
        try driver.type("u")
        #expect(driver.text.contains("Undo adding telegram.txt to dome?"))
        try driver.type("<esc>")
        driver.finishJobs()
        #expect(try made.store.documents(named: "telegram.txt", of: 1).count == 1)
        try driver.type("uu")
        driver.finishJobs()
        #expect(driver.text.contains("undid adding telegram.txt: 1 document removed."))
        #expect(try made.store.documents(named: "telegram.txt", of: 1).isEmpty)
        #expect(try made.store.corpus(1).documentCount == SearchedWorkspace.papers.count + 2)
        try driver.type("u")
        #expect(driver.text.contains("was not made on this page"))
    }

    @Test("u leaves alone what another page, session, or process did, and names the change")
    func undoesOwnChangesOnly() throws {
        try driver.type("uu")
        driver.finishJobs()
        #expect(driver.text.contains("was not made on this page"))
        #expect(try made.store.corpora().map(\.name) == ["dome"])
        try driver.type("i\(path)<enter><enter>")
        driver.finishJobs()
        let other = try made.store.create("other")
        try made.store.add([path], to: other.id)
        // The box was opened before the panel heard of the other add.
        try driver.type("uu")
        driver.finishJobs()
        #expect(try made.store.corpora().map(\.name) == ["dome", "other"])
        #expect(try made.store.documents(named: "telegram.txt", of: 1).count == 1)
    }

    @Test(
        "a typed name makes a corpus, with or without +, and shows it once it is filled",
        arguments: ["+ letters", "letters"])
    func new(typed: String) throws {
        try driver.type("i\(path)<enter>\(typed)<enter>")
        #expect(driver.text.contains("New corpus letters"))
        try driver.type("<enter>")
        driver.finishJobs()
        #expect(try made.store.corpora().map(\.name) == ["dome", "letters"])
        #expect(try made.store.corpus(named: "letters").settings.analyzer == "english")
        #expect(driver.row(1).contains("letters"))
        try driver.type("u")
        #expect(driver.text.contains("This also deletes the corpus letters, which was empty before."))
        try driver.type("u")
        driver.finishJobs()
        #expect(try made.store.corpora().map(\.name) == ["dome"])
        #expect(driver.row(1).contains("dome"))
    }

    @Test("the form of a new corpus chooses its analyzer from a list")
    func analyzer() throws {
        try driver.type("i\(path)<enter>letters<enter>c<enter>")
        driver.finishJobs()
        #expect(try made.store.corpus(named: "letters").settings.analyzer == "cjk")
    }

    @Test(
        "a new corpus needs a name of its own",
        arguments: [
            ("+ dome", "a corpus named dome already exists"), ("+ north", "choose the row north (sample data)"),
        ])
    func refused(typed: String, sentence: String) throws {
        _ = try made.store.create("north", isSample: true)
        let driver = ShellDriver.retrieval(made.workspace)
        try driver.type("i\(path)<enter>\(typed)<enter>")
        driver.finishJobs()
        #expect(driver.text.contains(sentence))
        #expect(try made.store.corpora().map(\.documentCount).reduce(0, +) == made.store.corpus(1).documentCount)
    }

    @Test("sample data is never proposed and accepts files only if its row is chosen")
    func samples() throws {
        let sample = try SampleCorpus.workspace()
        let driver = ShellDriver.retrieval(sample.workspace)
        let store = CorpusStore(sample.workspace)
        let before = try #require(try store.corpora().first).documentCount
        try driver.type("i\(path)<enter>")
        #expect(driver.rows(with: "Add telegram.txt to").count == 1)
        #expect(driver.rows(with: "│ • + telegram.txt").count == 1)
        #expect(driver.rows(with: "northfold (sample data)").count == 1)
        try driver.type("<enter><enter>")
        driver.finishJobs()
        #expect(try store.corpus(named: "northfold").documentCount == before)
        #expect(try store.corpus(named: "telegram.txt").documentCount == 1)
        try driver.type("i\(path)<enter>northfold (sample data)<enter>")
        driver.finishJobs()
        #expect(try store.corpus(named: "northfold").documentCount == before + 1)
    }

    @Test("a missing path is reported before the corpus is chosen")
    func missing() throws {
        try driver.type("i/nowhere/at/all<enter>")
        #expect(driver.text.contains("/nowhere/at/all: No such file or directory. Nothing was added."))
    }
}
