import Console
import LanguageModels
import Retrieval
import Testing
import Traces
import Workbench

@Suite("The retrieval panel: searches recorded by other systems")
struct RetrievalForeignTests {
    let made: SearchedWorkspace

    init() throws { made = try SearchedWorkspace() }

    private func trace(_ beginning: String) throws -> Int64 { try TraceStore(made.workspace).find(beginning).id }

    /// The panel with something of a trace in it: it is in front, and so it is asked first.
    private func open(_ reference: Reference) -> ShellDriver {
        ShellDriver.retrieval(made.workspace, opening: reference)
    }

    private func spans(_ trace: Int64, _ kind: SpanKind) throws -> [Int] {
        try TraceStore(made.workspace).spans(of: trace).filter { $0.kind == kind }.map(\.ordinal)
    }

    @Test("a search of an agent opens as columns, its documents matched with the corpus by their text")
    func matched() throws {
        let id = try trace("decade0f")
        let span = try #require(try spans(id, .retrieval).first)
        let driver = open(Reference(.span, [id, Int64(span)], title: "search"))
        #expect(driver.row(1).contains("recorded by another system"))
        #expect(driver.rows(with: "retrieval manuals-2026").first?.contains("in the prompt") == true)
        #expect(driver.rows(with: "of 3 documents are in a local corpus").count == 1)
        #expect(driver.rows(with: "→ manuals/DM-7.md #").first?.contains("by text") == true)
        try driver.type("<enter>")
        #expect(driver.rows(with: "╭─ Source ──").count == 1)
    }

    @Test("a reranker's order and cutoff have their own columns")
    func reranked() throws {
        let id = try trace("0ddba115")
        let driver = open(Reference(.trace, [id], title: "run"))
        let head = driver.rows(with: "runbook retriever").first ?? ""
        #expect(head.contains("rerank") && head.contains("in the prompt"))
        #expect(driver.rows(with: "── k = 2 ─").count == 1)
        #expect(driver.rows(with: "✗ runbook/queues#1").count == 1)
        #expect(driver.rows(with: "not in a corpus").count == 3)
    }

    @Test("unavailable actions give the reason; a new question continues from there")
    func limits() throws {
        let driver = open(Reference(.trace, [try trace("0ddba115")], title: "run"))
        for key in ["w", "W", "t"] {
            try driver.type(key)
            #expect(driver.text.contains("another system ran this search"), "\(key)")
        }
        try driver.type("K")
        #expect(driver.text.contains("another system recorded this question"))
        try driver.type("/guide star<enter>")
        #expect(driver.rows(with: "recorded by another system").isEmpty)
        #expect(driver.rows(with: "2026-09-22.txt").count >= 1)
    }

    @Test("a trace without a search is reported, for the trace and for a model call")
    func nothing() throws {
        let id = try trace("01dc0de5")
        for reference in [Reference(.trace, [id], title: "signs"), Reference(.span, [id, 0], title: "call")] {
            let driver = open(reference)
            #expect(driver.text.contains("no retrieval was recorded at this step of the trace"))
        }
    }

    @Test("the trace panel offers Retrieval for a search, and only Tokens for a model call")
    func offered() throws {
        let id = try trace("decade0f")
        func offers(_ kind: SpanKind) throws -> ShellDriver {
            let span = try #require(try spans(id, kind).first)
            let driver = ShellDriver(
                made.workspace,
                panels: [PanelEntry(TracePage.self), PanelEntry(TokenPage.self), PanelEntry(RetrievalPage.self)],
                opening: Reference(.span, [id, Int64(span)], title: "span"))
            try driver.type("o")
            return driver
        }
        let call = try offers(.model)
        #expect(call.rows(with: "│ ▌ Tokens ").count == 1, "\(call.text)")
        #expect(call.rows(with: "passages found for").isEmpty)
        let search = try offers(.retrieval)
        #expect(search.rows(with: "3 passages found for").first?.contains("Retrieval ") == true, "\(search.text)")
    }

    @Test("o opens the trace again, and Esc returns to what was open")
    func back() throws {
        let id = try trace("0ddba115")
        let driver = open(Reference(.trace, [id], title: "run"))
        try driver.type("o<enter>")
        #expect(driver.rows(with: "╭─ Runs").count == 1)
    }

    @Test("a chunk opened from another panel shows its source at the chunk")
    func chunk() throws {
        let store = made.store
        let document = try #require(try store.documents(named: "manuals/DM-7.md", of: 1).first)
        let chunk = try #require(try store.chunks(of: document.id).filter(\.isIndexed).last)
        let driver = ShellDriver.retrieval(
            made.workspace, size: Size(80, 24), opening: Reference(.chunk, [chunk.id], title: "chunk"))
        #expect(driver.rows(with: "╭─ Source ── manuals/DM-7.md").count == 1)
        #expect(driver.rows(with: "half speed below").count == 1)
    }
}
