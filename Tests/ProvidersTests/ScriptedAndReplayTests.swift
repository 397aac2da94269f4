import LanguageModels
import Providers
import Synchronization
import System
import Testing

@Suite("Scripted and replayed models") struct ScriptedAndReplayTests {
    @Test("a script writes its text on time")
    func aScriptSaysItsTextInTime() throws {
        let clock = SimulatedClock()
        let model = ScriptedModel([.text("It turns, slowly.", first: 2, delay: 0.5)], clock: clock.clock)
        let (response, events) = try model.collect(.user("x"))
        #expect(events.steps.map(\.text) == ["It", " turns,", " slowly."])
        #expect(events.steps.map(\.seconds) == [2, 0.5, 0.5])
        #expect(response.secondsToFirstToken == 2)
        #expect(response.seconds == 3)
        #expect(response.usage == Usage(output: 3))
        #expect(model.requests == [.user("x")])
        #expect(model.failure(.user("y"))?.problem == "the script has no reply for request 2 (replies: 1)")
    }

    @Test("a script stops at the token limit and on cancellation")
    func aScriptStopsWhereItIsTold() throws {
        let model = ScriptedModel([.text("a b c")], repeats: true)
        let short = try model.respond(to: .user("x", sampling: Sampling(maximumTokens: 2)))
        #expect(short.text == "a b")
        #expect(short.finish == .length)
        let asked = Mutex(0)
        let cancelled = try model.respond(
            to: .user("x"),
            isCancelled: {
                asked.withLock { count in
                    count += 1
                    return count > 1
                }
            }, receive: { _ in })
        #expect(cancelled.text == "a")
        #expect(cancelled.finish == .cancelled)
    }

    static let rich = ScriptedAnswer(
        [
            .init(
                .prompt([
                    PromptToken(id: 1, text: "<s>", origin: .template), PromptToken(id: 2, text: "x", origin: .user),
                ])),
            .init(.reasoning("hm")),
            .init(
                .token(
                    TokenStep(
                        text: "It", id: 3, logProbability: -0.25, entropy: 1.5, seconds: nil,
                        alternatives: [Alternative(id: 4, text: "\"\n", logProbability: -2, afterStages: [0.5, 0])],
                        stages: [ProcessorStage(name: "top-k 40", remaining: 40, entropy: 1.25)]))),
            .init(.toolCall(ToolCall(id: "c", name: "f", arguments: #"{"a":1}"#))),
        ], usage: Usage(input: 2, cacheRead: 1, output: 5, reasoning: 2))

    static let requests = [
        ModelRequest.user("x"), .user("x", alternatives: 3), ModelRequest(.text("x")), ModelRequest(.tokens([1, 2])),
        ModelRequest(
            .messages(
                [
                    Message(.system, [.text("S")]),
                    Message(.assistant, [.reasoning("r"), .toolCall(ToolCall(id: "i", name: "n", arguments: "{ }"))]),
                    Message(.tool, [.toolResult(ToolResult(callID: "i", content: "c", isError: true))]),
                    Message(
                        .user,
                        [
                            .attachment(Attachment(mediaType: "image/png", location: nil, byteCount: 3)),
                            .other(type: "o", json: "[1]"),
                        ]),
                ], tools: [ToolDefinition(name: "n", description: "d", parameters: #"{"type":"object"}"#)]),
            sampling: Sampling(
                temperature: 0.1, topK: 1, topP: 0.2, minP: 0.3, typicalP: 0.4, repetitionPenalty: 1.5,
                presencePenalty: 0.6, frequencyPenalty: 0.7, bias: [5: -1], stop: ["\n"], seed: .max, maximumTokens: 8),
            templateVariables: ["v": "[true]"]),
    ]

    @Test("a recorded response is replayed exactly", arguments: requests)
    func replays(request: ModelRequest) throws {
        let file = TemporaryFile()
        let clock = SimulatedClock()
        let recorded = try RecordingModel(ScriptedModel([Self.rich], clock: clock.clock), path: file.path).collect(
            request)
        let model = try ReplayModel(contentsOf: file.path)
        #expect(model.count == 1)
        let replayed = try model.collect(request)
        #expect(replayed.response == recorded.response)
        #expect(replayed.events == recorded.events)
    }

    @Test("failures are recorded, canceled requests are not")
    func failuresAreRecordedAndCancelsAreNot() throws {
        let file = TemporaryFile()
        let error = LanguageModelError(.rateLimit, model: "m", problem: "too many", remedy: "Wait.")
        let model = try RecordingModel(ScriptedModel([.failure(error), .text("a b")]), path: file.path)
        #expect(model.failure(.user("x")) == error)
        _ = try model.respond(to: .user("x"), isCancelled: { true }, receive: { _ in })
        let replay = try ReplayModel(contentsOf: file.path)
        #expect(replay.count == 1)
        #expect(replay.failure(.user("x")) == error)
    }

    @Test("a request without a recording is an error")
    func missesAreSaid() throws {
        let file = TemporaryFile()
        let recording = try RecordingModel(ScriptedModel([.text("a"), .text("b")]), path: file.path)
        for _ in 0..<2 { _ = try recording.respond(to: .user("x")) }
        let model = try ReplayModel(contentsOf: file.path)
        #expect(try model.respond(to: .user("x")).text == "a")
        #expect(try model.respond(to: .user("x")).text == "b")
        let third = model.failure(.user("x"))
        #expect(third?.problem.hasSuffix("have been used") == true)
        let other = model.failure(.user("x", sampling: Sampling(temperature: 1)))
        #expect(other?.problem.hasPrefix("none of the 2 recorded requests matches") == true)
        #expect(other?.kind == .local)
    }

    @Test(
        "errors in recordings have line numbers",
        arguments: [
            ("{", "line 1: the line is not JSON: Byte 1: the text ends in the middle of an object or array"),
            ("\n{}", "line 2: unsupported version; this build reads recordings of version 1"),
            (
                #"{"version":1,"request":{"text":"x"}}"#,
                "line 1: 'response' or 'error' is missing"
            ),
            (
                #"{"version":1,"request":{"messages":[{"role":"king"}]}}"#,
                "line 1: 'role' of a message must be system, user, assistant, or tool"
            ),
        ])
    func brokenRecordings(text: String, problem: String) {
        let file = TemporaryFile(text)
        do throws(LanguageModelError) {
            _ = try ReplayModel(contentsOf: file.path)
            Issue.record("it was read")
        } catch {
            #expect(error.problem == problem)
            #expect(error.model == file.path)
        }
    }

    @Test("every call is reported")
    func everyCallIsReported() throws {
        final class Sink: SpanSink {
            let calls = Mutex<[ModelCall]>([])
            func record(_ call: ModelCall) { calls.withLock { $0.append(call) } }
        }
        let sink = Sink()
        let clock = SimulatedClock(epoch: 1_000)
        let error = LanguageModelError(.server, model: "m", problem: "boom")
        let model = CallReporting(
            ScriptedModel([.text("a", first: 2), .failure(error)], name: "s", clock: clock.clock), to: sink,
            clock: clock.clock)
        let response = try model.respond(to: .user("x"))
        #expect(model.failure(.user("y")) == error)
        let calls = sink.calls.withLock { $0 }
        #expect(calls.map(\.model) == ["s", "s"])
        #expect(calls.map(\.provider) == ["scripted", "scripted"])
        #expect(calls.map(\.request) == [.user("x"), .user("y")])
        #expect(calls.map(\.start) == [1_000, 2_000_001_000])
        #expect(calls.map(\.end) == [2_000_001_000, 2_000_001_000])
        #expect(calls.map(\.outcome) == [.success(response), .failure(error)])
    }
}
