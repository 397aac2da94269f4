import Console
import LanguageModels
import ModelLab
import Testing
import Traces
import Workbench

@Suite("A model call of a trace in the tokens panel")
struct TokenTraceTests {
    let made: TestWorkspace

    init() throws { made = try TestWorkspace.sample() }

    private func driver() throws -> ShellDriver {
        ShellDriver(
            made.workspace, panels: [PanelEntry(TracePanel.self), PanelEntry(TokenPanel.self)],
            opening: Reference(try made.store.find("7e57ab1e")))
    }

    @Test("o opens the call under the cursor: its messages are the prompt, what was recorded the first answer")
    func opens() throws {
        let driver = try driver()
        try driver.type("]mo")
        #expect(driver.text.contains("Tokens"))
        try driver.type("j<enter>")
        #expect(driver.text.contains("Sessions ─ 1"))
        #expect(driver.rows(with: "recorded").count >= 2, "in the list and above the text")
        #expect(!driver.text.contains("the prompt has changed since"))
        let session = try #require(try made.generations.sessions().first)
        let recorded = try #require(try made.generations.generation(1))
        #expect(recorded.outcome.state == .recorded)
        #expect(recorded.document.model.hasPrefix("claude"))
        guard case .messages(let messages, _) = recorded.document.input else { return #expect(Bool(false)) }
        #expect(messages.contains { $0.role == .user })
        #expect(try PromptDocument(text: session.draft).input == recorded.document.input)
        #expect(session.origin != nil)
        // Tool calls that were recorded are part of the answer.
        #expect(!recorded.toolCalls.isEmpty || !recorded.text.isEmpty)
    }

    @Test("opened again it is the same session; another provider's answers stand beside the recorded one")
    func answersBeside() throws {
        let driver = try driver()
        try driver.type("]moj<enter>")
        try driver.type("1]m[moj<enter>")
        #expect(try made.generations.sessions().count <= 2)
        let before = try made.generations.sessions().count
        try driver.ask("M<ctrl-u>scripted:I would look at the table first.<enter>R2<enter>")
        #expect(driver.text.contains("I would look at the table first."))
        #expect(try made.generations.sessions().count >= before)
        let newest = try #require(try made.generations.sessions().first { $0.generationCount == 3 })
        #expect(
            try made.generations.generations(of: newest.id).map(\.outcome.state) == [.recorded, .done, .done])
        try driver.type("d")
        #expect(driver.text.contains("the same for"))
    }

    @Test("the tools that a call was given are those of the prompt")
    func tools() throws {
        var found: [String] = []
        for summary in try made.store.summaries() {
            guard let trace = try made.store.trace(summary.id) else { continue }
            for span in trace.spans.indices where trace.spans[span].kind == .model {
                let driver = ShellDriver(
                    made.workspace, panels: [PanelEntry(TokenPanel.self), PanelEntry(TracePanel.self)],
                    opening: Reference(.span, [summary.id, Int64(span)], title: ""))
                #expect(Hostile.dangers(on: driver.shell.draw()) == [])
            }
        }
        for session in try made.generations.sessions() {
            let draft = try PromptDocument(text: session.draft)
            #expect(!draft.isEmpty, "\(session.title)")
            if case .messages(_, let tools) = draft.input { found += tools.map(\.name) }
        }
        #expect(!found.isEmpty)
    }

    @Test("what is no call of a model is answered with a sentence")
    func noCall() throws {
        let trace = try made.store.find("7e57ab1e")
        let spans = try #require(try made.store.trace(trace.id)).spans
        let tool = try #require(spans.firstIndex { $0.kind == .tool })
        let driver = ShellDriver(
            made.workspace, panels: [PanelEntry(TokenPanel.self), PanelEntry(TracePanel.self)],
            opening: Reference(.span, [trace.id, Int64(tool)], title: ""))
        #expect(driver.text.contains("is no call of a model"))
        #expect(try made.generations.sessions().isEmpty)
    }

    @Test("every answer that the panel gets is a run of the trace panel")
    func spans() throws {
        let fresh = try TestWorkspace()
        let driver = ShellDriver.tokens(fresh.workspace)
        try driver.ask("M<ctrl-u>scripted:It turns.<enter>iWhy?<enter>r")
        driver.finishJobs()
        let runs = try fresh.store.summaries()
        #expect(runs.count == 1)
        let run = try #require(runs.first)
        let trace = try #require(try fresh.store.trace(run.id))
        #expect(trace.spans.filter { $0.kind == .model }.count == 2)
        try driver.type("2")
        #expect(driver.text.contains("It turns.") || driver.text.contains("scripted"))
    }
}
