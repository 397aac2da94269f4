import Console
import Retrieval
import Testing
import Traces
import Workbench
import Workspace

@Suite("The retrieval page: replies that come late, and the order of reads")
struct RetrievalTimingTests {
    let made: SearchedWorkspace
    let driver: PageDriver<RetrievalPage>

    init() throws {
        made = try SearchedWorkspace()
        _ = try made.store.create("empty")
        driver = PageDriver(made.workspace)
        driver.press("ask")
        driver.answer(SearchedWorkspace.question)
    }

    /// Performs an action without the work that it requests.
    private func begin(_ action: String) throws -> [ShellEffect] {
        guard case .done(let effects) = driver.host.run(command: action) else { throw CancellationError() }
        return effects
    }

    /// Answers the open list without the work that the answer requests.
    private func beginAnswer(_ title: String) throws -> [ShellEffect] {
        guard case .choose(let request)? = driver.dialog else { throw CancellationError() }
        if let choice = request.chooser.choices.first(where: { $0.title == title }) {
            return driver.host.answer(request.accept([choice.value]))
        }
        return driver.host.answer(try #require(request.acceptTyped)(title))
    }

    /// Does the requested reads and writes, and returns what the page requests next.
    private func finish(_ effects: [ShellEffect]) throws -> [ShellEffect] {
        try effects.flatMap { effect -> [ShellEffect] in
            switch effect {
            case .ask(_, let work): driver.host.answer(try work(Cancellation()))
            case .write(_, let work): driver.host.answer(try work())
            default: []
            }
        }
    }

    private func reads(_ effects: [ShellEffect]) -> [String] {
        effects.compactMap { if case .ask(let key, _) = $0 { key } else { nil } }
    }

    private func reference(toChunk number: Int, of name: String) throws -> Reference {
        let document = try #require(try made.store.documents(named: name, of: 1).first)
        let chunks = try made.store.chunks(of: document.id).filter(\.isIndexed)
        return Reference(.chunk, [chunks[number - 1].id], title: name)
    }

    @Test("the contents of a chosen corpus are read before its search, and the previous question sets disappear")
    func corpus() throws {
        driver.press("corpus")
        #expect(reads(try beginAnswer("empty")) == ["corpus", "search"])
        driver.press("questions")
        guard case .browse? = driver.dialog else {
            Issue.record("the question sets of the previous corpus are offered")
            return
        }
    }

    @Test("the passage is read before a pinned explanation")
    func pinned() throws {
        driver.press("why-not")
        driver.answer("notes/2026-09-21.txt")
        #expect(reads(try finish(begin("run"))) == ["passage", "why"])
        #expect(driver.text.contains("pinned"))
    }

    @Test("a change of the workspace keeps the passage that no stage ranks")
    func aside() throws {
        driver.press("setting")
        driver.answer("lexical.k = 2, dense.k = 2")
        driver.press("why-not")
        driver.answer("notes/2026-09-21.txt")
        driver.workspaceChanged()
        #expect(driver.text.contains("─ Chunk ── notes/2026-09-21.txt"))
    }

    @Test("an explained chunk that was deleted is reported")
    func deleted() throws {
        driver.press("setting")
        driver.answer("lexical.k = 2, dense.k = 2")
        driver.press("why-not")
        let next = try finish(beginAnswer("notes/2026-09-21.txt"))
        let document = try #require(try made.store.documents(named: "notes/2026-09-21.txt", of: 1).first)
        try made.store.remove(documents: [document.id], from: 1)
        for case .notify(let sentence, _) in try finish(next) {
            #expect(sentence.contains("is no longer in the workspace"))
            return
        }
        Issue.record("the deleted chunk was not reported")
    }

    @Test("a chunk that is opened again shows its source at the chunk, even after scrolling")
    func reopened() throws {
        let chunk = try reference(toChunk: 3, of: "manuals/DM-7.md")
        let driver = PageDriver<RetrievalPage>(made.workspace, size: Size(80, 24), opening: chunk)
        #expect(driver.text.contains("half speed below"))
        driver.press("top")
        #expect(!driver.text.contains("half speed below"))
        driver.open(chunk)
        #expect(driver.text.contains("half speed below"))
    }

    @Test("the passage follows the cursor after a chunk replaced a trace that was being opened")
    func replaced() throws {
        let trace = try TraceStore(made.workspace).find("decade0f").id
        _ = driver.host.open(Reference(.trace, [trace], title: "run"))
        driver.open(try reference(toChunk: 2, of: "manuals/DM-7.md"))
        #expect(driver.text.contains("─ Source ── manuals/DM-7.md #2"))
        driver.press("down")
        #expect(!driver.text.contains("─ Source ── manuals/DM-7.md #2"))
    }

    @Test("a pipeline that is saved late does not replace a newer choice")
    func saved() throws {
        driver.press("setting")
        driver.answer("fusion.keep = 1")
        driver.press("save")
        let write = try beginAnswer("mine")
        driver.press("pipeline")
        driver.answer("narrow")
        #expect(try finish(write).contains { if case .notify("saved mine v1", _) = $0 { true } else { false } })
        #expect(driver.text.contains("── narrow v1 ──"))
    }

    @Test("a case that is saved late does not change the question set of another corpus")
    func kept() throws {
        let write = try begin("keep-case")
        driver.press("corpus")
        driver.answer("empty")
        #expect(reads(try finish(write)).isEmpty)
    }

    @Test("the answer stays at the found match while the cursor moves")
    func answer() throws {
        driver.press("view", "view", "find")
        driver.answer("leaf")
        driver.press("next-match", "down")
        #expect(driver.rows(with: "─ 2 of ").count == 1)
    }
}
