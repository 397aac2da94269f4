import GRDB
import LanguageModels
import Testing
import Traces
import Workspace

@Suite("Spans as records")
struct SpanRecordTests {
    private static let start: Int64 = 1_790_000_000_000_000_000
    private static let trace = String(repeating: "5", count: 32)

    private static func id(_ number: Int) -> String { "000000000000000\(number)" }

    private static func call(
        _ messages: [Message], tools: [ToolDefinition] = [],
        _ outcome: Result<[Message.Part], LanguageModelError>
    ) -> ModelCall {
        ModelCall(
            provider: "openai", model: "gpt-4o",
            request: ModelRequest(
                .messages(messages, tools: tools), sampling: Sampling(temperature: 0.5, stop: ["é"], seed: .max)),
            start: start + 5, end: start + 9,
            outcome: outcome.map { parts in
                ModelResponse(
                    message: Message(.assistant, parts), finish: .stop,
                    usage: Usage(input: 20, cacheRead: 4, output: 7),
                    model: "gpt-4o-2024", secondsToFirstToken: 0.25, seconds: 1)
            }, specification: "openai:gpt-4o")
    }

    /// Spans of every kind that the program records, in the order of recording; one list is recorded at once.
    private static var recorded: [[SpanRecord]] {
        let question = Message(
            .user,
            [
                .text("What is 6 × 7?\n\u{1}\"'"),
                .attachment(Attachment(mediaType: "image/png", location: "file:///a.png", byteCount: 0)),
            ])
        let used = Message(
            .assistant,
            [
                .reasoning("hm"), .toolCall(ToolCall(id: "c1", name: "sum", arguments: "{\"a\": 1,\n\"b\":[2]}")),
                .toolCall(ToolCall(id: "c2", name: "sum", arguments: "no JSON")),
                .other(type: "citation", json: "{\"page\": 3}"), .other(type: "note", json: "text"),
            ])
        let result = Message(
            .tool,
            [
                .toolResult(ToolResult(callID: "c1", content: "42", isError: false)),
                .toolResult(ToolResult(callID: "c2", content: "{\"e\":1}", isError: true)),
            ])
        let definition = ToolDefinition(name: "sum", description: "adds", parameters: #"{"type": "object"}"#)
        let failure = LanguageModelError(.server, model: "gpt-4o", problem: "it broke")
        let tool = ToolRun(
            call: ToolCall(id: "c1", name: "sum", arguments: #"{"a":1,"text":"é\u0001 \"x\""}"#),
            result: ToolResult(callID: "c1", content: "two\nlines", isError: true), start: start + 9, end: start + 10)
        func call(_ call: ModelCall, _ number: Int) -> SpanRecord {
            call.span(id(number), below: id(9), inTrace: trace)
        }
        var text = Self.call([], .success([.text("")]))
        text.request.input = .text("Once upon a time")
        var root = SpanRecord(trace: trace, span: id(9), name: "Run: é", start: start, end: nil)
        root.add("openinference.span.kind", "AGENT")
        root.add("gen_ai.agent.name", "solver")
        var search = SpanRecord(
            trace: trace, span: id(6), parent: id(8), name: "search", start: start + 11, end: start + 12, status: .ok)
        search.add("openinference.span.kind", "RETRIEVER")
        search.add("input.value", "torque\nof \"bolts\"")
        search.addDocument(0, under: "retrieval.documents", id: "1", score: 0.5, text: "8 Nm", source: "DM-7")
        var foreign = SpanRecord(
            trace: trace, span: id(7), parent: id(9), name: "llm", start: start + 13, end: start + 14,
            status: .error("it broke\nagain"))
        foreign.add("llm.model_name", "mini")
        foreign.add("llm.input_messages.0.message.role", "user")
        foreign.add("llm.input_messages.0.message.content", "Hello")
        foreign.add("llm.output_messages.0.message.content", "Hi")
        foreign.events = [
            .init("exception", time: start + 13, attributes: [.init("exception.type", .text("Broken"))]),
            .init("gen_ai.evaluation.result", time: start + 14), .init("retry", time: start + 14),
        ]
        return [
            [root], [call(Self.call([question], tools: [definition], .success(used.parts)), 1)],
            [call(Self.call([question, used, result], .success([.text("It is\n42.")])), 2)],
            [call(Self.call([question], .failure(failure)), 3)], [call(text, 4)],
            [tool.span(id(5), below: id(9), inTrace: trace)],
            [
                search, SpanRecord(trace: trace, span: id(8), name: "pipeline", start: start + 11, end: start + 13),
                foreign,
            ],
            [foreign],
        ]
    }

    private static let tables = [
        "SELECT id, format, size, head, skipped FROM source", "SELECT * FROM source_block", "SELECT * FROM word",
        "SELECT * FROM trace", "SELECT * FROM trace_source", "SELECT * FROM span", "SELECT * FROM message",
        "SELECT * FROM event",
    ]

    private func rows(_ store: TraceStore, _ query: String) throws -> [Row] {
        try store.workspace.read { db in try Row.fetchAll(db, sql: query) }
    }

    @Test(
        "spans give the same rows recorded directly and exported to OTLP and imported", arguments: [nil, "/srv/work"])
    func sameRows(project: String?) throws {
        let (direct, imported) = (try StoreFixture(), try StoreFixture())
        for (number, spans) in Self.recorded.enumerated() {
            try direct.store.record([spans], origin: .chat, project: project)
            let document = String(decoding: OTLPDocument(spans).bytes, as: UTF8.self)
            let path = try imported.write(document, to: "\(number).json")
            try imported.store.importTraces([path], options: ImportOptions(origin: .chat, project: project))
        }
        for query in Self.tables {
            #expect(try rows(direct.store, query) == rows(imported.store, query), "\(query)")
        }
        let trace = try #require(try direct.store.trace(direct.store.find(Self.trace).id))
        #expect(
            trace.spans.map(\.kind) == [
                .agent, .model, .model, .model, .model, .tool, .retrieval, .other, .model,
            ])
        #expect(trace.spans.map(\.parent) == [nil, 0, 0, 0, 0, 0, 7, nil, 0])
        #expect(trace.events.map(\.kind) == [.error, .evaluation, .other])
        #expect(trace.messages.count > 8)
    }

    @Test("a span of a kind and with attributes that the program does not know is stored, shown, and read back")
    func unknown() throws {
        let fixture = try StoreFixture()
        var span = SpanRecord(
            trace: Self.trace, span: Self.id(1), name: "plan the route", start: Self.start, end: Self.start + 7,
            status: .ok)
        span.add("openinference.span.kind", "PLANNER")
        span.add("planner.depth", 3)
        span.add("planner.score", 0.1)
        span.add("planner.is_final", .flag(true))
        span.add("planner.steps", ["left", "right é"])
        span.add(
            "planner.state",
            .object([.init("at", .list([.integer(1), .number(2.5), .null])), .init("on", .flag(false))]))
        span.events = [.init("planner.turn", time: Self.start + 1, attributes: [.init("angle", .number(90.5))])]
        try fixture.store.record([[span]], origin: .agent)
        let stored = try #require(try fixture.store.spans(of: fixture.store.find(Self.trace).id).first)
        #expect(stored.kind == .other && stored.name == "plan the route" && stored.duration == 7)
        #expect(try fixture.store.record(of: stored) == span)
        let shown = try fixture.store.details(of: stored).attributes
        #expect(shown.contains(.init("planner.depth", "3")))
        #expect(shown.contains(.init("planner.steps", #"["left","right é"]"#)))
    }

    @Test("a span recorded again changes nothing, and brings back a deleted run")
    func again() throws {
        let fixture = try StoreFixture()
        let spans = Self.recorded[1]
        try fixture.store.record([spans], origin: .chat)
        let counts = try fixture.store.rowCounts()
        let id = try fixture.store.find(Self.trace).id
        try fixture.store.delete([id])
        try fixture.store.record([spans], origin: .chat)
        #expect(try fixture.store.rowCounts() == counts)
        #expect(try fixture.store.find(Self.trace).id == id)
    }
}
