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
        let accept = try #require(request.acceptTyped)
        return driver.host.answer(accept(title))
    }

    /// Does the requested reads and writes, and returns what the page requests next.
    private func finish(_ effects: [ShellEffect]) throws -> [ShellEffect] {
        var next: [ShellEffect] = []
        for effect in effects {
            if case .ask(_, let work) = effect { next += driver.host.answer(try work(Cancellation())) }
            if case .write(_, let work) = effect { next += driver.host.answer(try work()) }
        }
        return next
    }

    private func reads(_ effects: [ShellEffect]) -> [String] {
        var keys: [String] = []
        for case .ask(let key, _) in effects { keys.append(key) }
        return keys
    }

    private func sentences(_ effects: [ShellEffect]) -> [String] {
        var sentences: [String] = []
        for case .notify(let sentence, _) in effects { sentences.append(sentence) }
        return sentences
    }

    private func reference(toChunk number: Int, of name: String) throws -> Reference {
        let document = try #require(try made.store.documents(named: name, of: 1).first)
        let chunks = try made.store.chunks(of: document.id).filter(\.isIndexed)
        return Reference(.chunk, [chunks[number - 1].id], title: name)
    }

    @Test("the contents of a chosen corpus are read before its search, and the previous question sets disappear")
    func corpus() throws {
        driver.press("corpus")
        let keys = reads(try beginAnswer("empty"))
        #expect(keys == ["corpus", "search"])
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
        let keys = reads(try finish(begin("run")))
        #expect(keys == ["passage", "why"])
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
        let next = try finish(write)
        #expect(sentences(next) == ["saved mine v1"])
        #expect(driver.text.contains("── narrow v1 ──"))
    }

    @Test("a case that is saved late does not change the question set of another corpus")
    func kept() throws {
        let write = try begin("keep-case")
        driver.press("corpus")
        driver.answer("empty")
        let keys = reads(try finish(write))
        #expect(keys.isEmpty)
    }

    @Test("the answer stays at the found match while the cursor moves")
    func answer() throws {
        driver.press("view", "view", "find")
        driver.answer("leaf")
        driver.press("next-match", "down")
        #expect(driver.rows(with: "─ 2 of ").count == 1)
    }
}
