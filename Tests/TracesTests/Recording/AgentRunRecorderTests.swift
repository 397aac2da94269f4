import JSON
import LanguageModels
import Testing
import Traces
import Workspace

@Suite("The recorder of an agent's run")
struct AgentRunRecorderTests {
    let fixture: StoreFixture
    let recorder: AgentRunRecorder

    init() throws {
        fixture = try StoreFixture()
        recorder = AgentRunRecorder(fixture.store.workspace, project: "/srv/work")
    }

    static let start: Int64 = 1_790_000_000_000_000_000

    private func at(_ seconds: Int) -> Int64 { Self.start + Int64(seconds) * 1_000_000_000 }

    private var beginning: RunStart {
        RunStart(
            agent: "react", question: "What is 12 times 7?", model: "mini", provider: "in-process",
            tools: [ToolDefinition(name: "calculator", description: "computes", parameters: #"{"type":"object"}"#)],
            settings: [.init("max_steps", "8")], start: at(0))
    }

    private func call(
        _ input: ModelRequest.Input, _ answer: String, from start: Int, to end: Int, steps: [TokenStep] = [],
        prompt: [PromptToken] = [], sampling: Sampling = .greedy
    ) -> ModelCall {
        ModelCall(
            provider: "in-process", model: "mini", request: ModelRequest(input, sampling: sampling, alternatives: 2),
            start: at(start), end: at(end),
            outcome: .success(
                ModelResponse(
                    message: Message(.assistant, [.text(answer)]), finish: .stop, usage: Usage(input: 20, output: 7),
                    model: "mini", secondsToFirstToken: 0.25, seconds: Double(end - start))),
            specification: "/models/mini", prompt: prompt, answered: steps)
    }

    private func tool(_ content: String, isError: Bool = false, from start: Int, to end: Int) -> ToolRun {
        ToolRun(
            call: ToolCall(id: "call-\(start)", name: "calculator", arguments: #"{"expression":"12 * 7"}"#),
            result: ToolResult(callID: "call-\(start)", content: content, isError: isError), start: at(start),
            end: at(end))
    }

    private static let question = "Tools: calculator(expression)\nQuestion: What is 12 times 7?\n"
    private static let turn = "Thought: I multiply — é.\nAction: {\"tool\": \"calculator\"}"

    private func trace() throws -> Trace {
        #expect(recorder.problem == nil)
        let found = try fixture.store.find(String(recorder.trace.prefix(12)))
        return try #require(try fixture.store.trace(found.id))
    }

    /// The text that a call read, from the messages that the trace holds.
    private func prompt(of span: Int, in trace: Trace) throws -> [Message] {
        let replay = Replay(trace)
        let step = try #require(replay.step(of: span))
        return try fixture.store.messages(replay.context(at: step).messages).compactMap(\.self)
    }

    @Test("a run is one trace: the agent at the root, calls of the model and of tools under it")
    func whole() throws {
        let second = Self.question + Self.turn + "\nObservation: 84\n"
        recorder.record(.began(beginning))
        recorder.record(.model(call(.text(Self.question), Self.turn, from: 1, to: 3), SpanPosition(number: 1)))
        recorder.record(.tool(tool("84", from: 3, to: 4), SpanPosition(number: 2)))
        recorder.record(.model(call(.text(second), "Answer: 84", from: 4, to: 6), SpanPosition(number: 3)))
        recorder.record(
            .ended(
                RunEnd(
                    outcome: "answered", answer: "84", problem: nil, steps: 2, usage: Usage(input: 40, output: 14),
                    end: at(7))))
        let trace = try trace()
        #expect(trace.spans.map(\.kind) == [.agent, .model, .tool, .model])
        #expect(trace.spans.map(\.parent) == [nil, 0, 0, 0])
        #expect(trace.spans.allSatisfy { $0.status == .ok && $0.missingParent == nil })
        #expect(trace.spans.map { ($0.start - Self.start) / 1_000_000_000 } == [0, 1, 3, 4])
        #expect(trace.spans.map { $0.duration.map { $0 / 1_000_000_000 } } == [7, 2, 1, 2])
        #expect(trace.spans[2].name == "calculator")
        #expect(trace.summary.name == "react: What is 12 times 7?")
        #expect(trace.summary.modelCalls == 2 && trace.summary.toolCalls == 1 && trace.summary.errors == 0)
        #expect(trace.summary.usage == Usage(input: 40, output: 14))
        let root = try fixture.store.details(of: trace.spans[0])
        #expect(root.input == "What is 12 times 7?" && root.output == "84")
        let used = try fixture.store.details(of: trace.spans[2])
        #expect(used.input == #"{"expression":"12 * 7"}"# && used.output == "84")
    }

    @Test("prompts that are texts come back byte for byte, and what two calls both read is stored once")
    func prompts() throws {
        let second = Self.question + Self.turn + "\nObservation: 84\n"
        recorder.record(.began(beginning))
        recorder.record(.model(call(.text(Self.question), Self.turn, from: 1, to: 3), SpanPosition(number: 1)))
        recorder.record(.model(call(.text(second), "Answer: 84", from: 4, to: 6), SpanPosition(number: 2)))
        let trace = try trace()
        let messages = try prompt(of: 2, in: trace)
        #expect(messages.map(\.role) == [.user, .assistant, .tool])
        #expect(try prompt(of: 1, in: trace).map(\.parts) == [[.text(Self.question)]])
        #expect(Self.text(of: messages) == second)
        #expect(trace.messages.count == 4, "question, turn, observation, answer")
        #expect(try fixture.store.inside(of: trace.spans[2]).form == .text)
    }

    private static func text(of messages: [Message]) -> String {
        messages.flatMap(\.parts).compactMap { if case .text(let text) = $0 { text } else { nil } }.joined()
    }

    @Test(
        "even if the loop kept less of a turn than was said, or started over",
        arguments: [
            "Q\nThought: x\nObservation: e\u{301}", "Q\nThought: x and m", "Q\n", "other", "", "Q\nThought: x é",
            "Q\nThought: x e\u{301}\n",
        ])
    func otherPrompts(second: String) throws {
        recorder.record(.began(beginning))
        recorder.record(.model(call(.text("Q\n"), "Thought: x è and more", from: 1, to: 3), SpanPosition(number: 1)))
        recorder.record(.model(call(.text(second), "Answer: 84", from: 4, to: 6), SpanPosition(number: 2)))
        let trace = try trace()
        let text = Self.text(of: try prompt(of: 2, in: trace))
        #expect(Array(text.utf8) == Array(second.utf8))
    }

    @Test("a killed run keeps what was done")
    func killed() throws {
        recorder.record(.began(beginning))
        let begun = try trace()
        #expect(begun.spans.map(\.kind) == [.agent])
        #expect(begun.spans[0].end == nil && begun.spans[0].status == .unset)
        recorder.record(.model(call(.text("Q"), "A", from: 1, to: 3), SpanPosition(number: 1)))
        #expect(try trace().spans.count == 2)
        recorder.record(.tool(tool("error: it broke", isError: true, from: 3, to: 4), SpanPosition(number: 2)))
        let last = try trace()
        #expect(last.spans.count == 3 && last.spans[0].end == nil)
        #expect(last.spans[2].status == .error && last.spans[2].error == "error: it broke")
        #expect(last.summary.end == at(4))
    }

    @Test("a run without an answer is an error with its sentence, and so is a call that failed")
    func failed() throws {
        recorder.record(.began(beginning))
        var failing = call(.text("Q"), "", from: 1, to: 2)
        failing.outcome = .failure(LanguageModelError(.server, model: "mini", problem: "it broke"))
        recorder.record(.model(failing, SpanPosition(number: 1)))
        recorder.record(
            .ended(
                RunEnd(
                    outcome: "model failed", answer: nil, problem: "mini: it broke.", steps: 1, usage: Usage(),
                    end: at(3))))
        let trace = try trace()
        #expect(trace.spans.map(\.status) == [.error, .error])
        #expect(trace.spans.map(\.error) == ["mini: it broke.", "mini: it broke."])
        #expect(try prompt(of: 1, in: trace).map(\.parts) == [[.text("Q")]])
    }

    @Test("a call is recorded completely, and reads back the same")
    func inside() throws {
        let sampling = Sampling(
            temperature: 0.7, topK: 40, topP: 0.9, minP: 0.05, typicalP: 0.95, repetitionPenalty: 1.1,
            presencePenalty: 0.2, frequencyPenalty: 0.3, bias: [5: -1.5, 9: 2], stop: ["\nObservation:", "é"],
            seed: .max, maximumTokens: 64)
        let steps = [
            TokenStep(
                text: "8", id: 24, logProbability: -0.1, entropy: 0.5, seconds: 0.01,
                alternatives: [
                    Alternative(id: 24, text: "8", logProbability: -0.1, afterStages: [0.9, 1]),
                    Alternative(id: nil, text: "\u{1}\"", logProbability: -.infinity),
                ], stages: [ProcessorStage(name: "temperature 0.7", remaining: 2048, entropy: 0.4)]),
            TokenStep(text: "", id: 7), TokenStep(text: "é"),
        ]
        let prompt = [
            PromptToken(id: 0, text: "<|x|>", origin: .template), PromptToken(id: 3, text: "hé", origin: .user),
        ]
        recorder.record(.began(beginning))
        recorder.record(
            .model(
                call(.tokens([3, 1, 2047]), "8é", from: 1, to: 2, steps: steps, prompt: prompt, sampling: sampling),
                SpanPosition(number: 1)))
        let trace = try trace()
        let inside = try fixture.store.inside(of: trace.spans[1])
        #expect(inside.form == .tokens([3, 1, 2047]))
        #expect(inside.sampling == sampling)
        #expect(inside.steps == steps)
        #expect(inside.prompt == prompt)
        #expect(inside.alternatives == 2)
        #expect(inside.specification == "/models/mini")
        #expect(inside.finish == "stop" && inside.secondsToFirstToken == 0.25)
        let shown = try fixture.store.details(of: trace.spans[1]).attributes.map(\.name)
        #expect(!shown.contains { $0.hasPrefix("orrery.answer") || $0.hasPrefix("orrery.prompt.tokens") })
        #expect(shown.contains("gen_ai.request.temperature"))
    }

    @Test("of a call without anything of ours the form is a conversation, and nothing is invented")
    func foreign() throws {
        let imported = try fixture.store.trace(fixture.importMinimal())
        let span = try #require(imported?.spans.first { $0.kind == .model })
        let inside = try fixture.store.inside(of: span)
        #expect(inside.form == .messages && inside.steps.isEmpty && inside.prompt.isEmpty)
        #expect(inside.sampling == Sampling(temperature: 0.5))
        #expect(inside.specification == nil)
    }

    @Test("a workspace that cannot be written costs the run nothing, and says why")
    func readOnly() throws {
        let closed = try Workspace.open(
            fixture.store.workspace.path, migrations: TraceStore.migrations, access: .readOnly, create: false)
        let recorder = AgentRunRecorder(closed)
        recorder.record(.began(beginning))
        #expect(recorder.problem != nil)
    }
}

extension StoreFixture {
    /// Imports one call as any program might send it; the trace's row.
    fileprivate func importMinimal() throws -> Int64 {
        let span = #"""
            {"resourceSpans":[{"scopeSpans":[{"spans":[{"traceId":"\#(String(repeating: "6", count: 32))",
            "spanId":"6666666666666666","name":"chat","startTimeUnixNano":"1794990000000000000","attributes":[
            {"key":"gen_ai.operation.name","value":{"stringValue":"chat"}},
            {"key":"gen_ai.request.temperature","value":{"doubleValue":0.5}},
            {"key":"gen_ai.request.top_k","value":{"intValue":"-3"}},
            {"key":"orrery.answer.steps","value":{"stringValue":"[{\"te"}}]}]}]}]}
            """#
        try store.importTraces([write(span, to: "call.json")])
        return try store.find("666666666666").id
    }
}
