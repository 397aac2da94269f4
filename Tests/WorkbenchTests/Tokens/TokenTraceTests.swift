import Console
import LanguageModels
import ModelLab
import TestFixtures
import Testing
import Traces
import Workbench

@Suite("A model call of a trace on the tokens page")
struct TokenTraceTests {
    let made: TestWorkspace

    init() throws { made = try TestWorkspace.sample() }

    private func driver() throws -> ShellDriver {
        ShellDriver(
            made.workspace, panels: [PanelEntry(TracePage.self), PanelEntry(TokenPage.self)],
            opening: Reference(try made.store.find("7e57ab1e")))
    }

    @Test("o opens the call under the cursor: its messages are the prompt, and the recorded reply is the first answer")
    func opens() throws {
        let driver = try driver()
        try driver.type("]mo")
        #expect(driver.text.contains("Tokens"))
        try driver.type("<enter>")
        #expect(driver.text.contains("Sessions ─ 1"))
        #expect(driver.rows(with: "recorded").count >= 2, "in the list and above the text")
        #expect(!driver.text.contains("the prompt has changed"))
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

    @Test("opening a call again shows the same session; answers of other providers appear next to the recorded one")
    func answersBeside() throws {
        let driver = try driver()
        try driver.type("]mo<enter>")
        try driver.type("1]m[mo<enter>")
        #expect(try made.generations.sessions().count <= 2)
        let before = try made.generations.sessions().count
        try driver.ask("M<ctrl-u>scripted:I would look at the table first.<enter>R2<enter>")
        #expect(driver.text.contains("I would look at the table first."))
        #expect(try made.generations.sessions().count >= before)
        let newest = try #require(try made.generations.sessions().first { $0.generationCount == 3 })
        #expect(
            try made.generations.generations(of: newest.id).map(\.outcome.state) == [.recorded, .done, .done])
        try driver.type("d")
        #expect(driver.text.contains("identical for"))
    }

    @Test("every model call of the sample data opens, and has a prompt")
    func all() throws {
        var count = 0
        for summary in try made.store.summaries() {
            guard let trace = try made.store.trace(summary.id) else { continue }
            for span in trace.spans.indices where trace.spans[span].kind == .model {
                let driver = ShellDriver(
                    made.workspace, panels: [PanelEntry(TokenPage.self)],
                    opening: Reference(.span, [summary.id, Int64(span)], title: ""))
                #expect(Hostile.dangers(on: driver.shell.draw()) == [])
                count += 1
            }
        }
        let drafts = try made.generations.sessions().map { try PromptDocument(text: $0.draft) }
        #expect(drafts.count == count)
        #expect(drafts.count(where: \.isEmpty) == 0)
    }

    /// A call recorded in OpenTelemetry's `gen_ai` attributes, with instructions, tools, and an answer that calls a tool.
    private static let call = #"""
        {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"\#(String(repeating: "5", count: 32))",
        "spanId":"5555555555555555","name":"chat model-1","startTimeUnixNano":"1794990000000000000",
        "endTimeUnixNano":"1794990001000000000","attributes":[
        {"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},
        {"key":"gen_ai.request.model","value":{"stringValue":"model-1"}},
        {"key":"gen_ai.tool.definitions","value":{"stringValue":
        "[{\"name\":\"weather\",\"description\":\"tells it\",\"parameters\":{\"type\":\"object\"}},{\"name\":\"news\"}]"}},
        {"key":"gen_ai.input.messages","value":{"stringValue":
        "[{\"role\":\"user\",\"parts\":[{\"type\":\"text\",\"content\":\"Will it rain?\"}]}]"}},
        {"key":"gen_ai.output.messages","value":{"stringValue":
        "[{\"role\":\"assistant\",\"parts\":[{\"type\":\"tool_call\",\"id\":\"c1\",\"name\":\"weather\",\"arguments\":{\"at\":\"sea\"}}]}]"}}
        ]}]}]}]}
        """#

    @Test("the tools of a call belong to the prompt, and its tool calls are the answer")
    func tools() throws {
        let made = try TestWorkspace()
        let path = made.folder.file("call.json")
        File.write(Self.call, to: path)
        try made.store.importTraces([path])
        let driver = ShellDriver(
            made.workspace, panels: [PanelEntry(TokenPage.self)], opening: Reference(.span, [1, 0], title: ""))
        let session = try #require(try made.generations.sessions().first)
        let draft = try PromptDocument(text: session.draft)
        guard case .messages(let messages, let tools) = draft.input else {
            Issue.record("the prompt is not a conversation")
            return
        }
        #expect(messages == [Message(.user, [.text("Will it rain?")])])
        #expect(tools.map(\.name) == ["weather", "news"])
        #expect(tools.first?.description == "tells it")
        #expect(tools.first?.parameters == #"{"type":"object"}"#)
        #expect(try made.generations.generation(1)?.toolCalls.map(\.name) == ["weather"])
        #expect(driver.text.contains("▸ weather("))
        #expect(driver.text.contains("tool news"))
    }

    @Test("a prompt keeps all its words when the list of sessions grows wider")
    func widerSessions() throws {
        let made = try TestWorkspace()
        let words = (1...60).map { "word\($0)" }
        let call = Self.call.replacing("Will it rain?", with: words.joined(separator: " "))
            .replacing("chat model-1", with: "chat model-1 on tomorrow's weather at sea")
        let path = made.folder.file("call.json")
        File.write(call, to: path)
        try made.store.importTraces([path])
        let driver = ShellDriver(
            made.workspace, panels: [PanelEntry(TokenPage.self)], opening: Reference(.span, [1, 0], title: ""))
        let shown = Set(driver.text.split { !$0.isLetter && !$0.isNumber }.map(String.init))
        #expect(words.filter { !shown.contains($0) } == [])
    }

    @Test("a span that is not a model call is reported")
    func noCall() throws {
        let trace = try made.store.find("7e57ab1e")
        let spans = try #require(try made.store.trace(trace.id)).spans
        let tool = try #require(spans.firstIndex { $0.kind == .tool })
        let driver = ShellDriver(
            made.workspace, panels: [PanelEntry(TokenPage.self)],
            opening: Reference(.span, [trace.id, Int64(tool)], title: ""))
        #expect(driver.text.contains("is not a model call"))
        #expect(try made.generations.sessions().isEmpty)
    }

    @Test("every answer of the panel is a run in the trace panel")
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
        // The list shows agents at first; O goes on to chats.
        try driver.type("2O")
        #expect(driver.text.contains("It turns.") || driver.text.contains("scripted"))
    }
}
