import LanguageModels
import Providers
import Testing

/// A stream, and what becomes of it.
struct StreamCase: Sendable, CustomTestStringConvertible {
    var name: String
    var stream: String
    var text = ""
    var reasoning = ""
    var calls: [ToolCall] = []
    var finish = ModelResponse.FinishReason.stop
    var usage: Usage?

    var testDescription: String { name }

    static func chunk(_ delta: String, finish: String? = nil) -> String {
        let reason = finish.map { "\"\($0)\"" } ?? "null"
        return #"data: {"choices":[{"index":0,"delta":{\#(delta)},"finish_reason":\#(reason)}]}"# + "\n\n"
    }

    static let all = [
        StreamCase(
            name: "OpenAI",
            stream:
                #"data: {"id":"c","model":"m-1","choices":[{"index":0,"delta":{"role":"assistant","content":""}}],"usage":null}"#
                + "\n\n" + Answer.delta("It ") + Answer.delta("turns.") + chunk("", finish: "stop")
                + #"data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":3,"prompt_tokens_details":{"cached_tokens":4},"completion_tokens_details":{"reasoning_tokens":1}}}"#
                + "\n\ndata: [DONE]\n\n",
            text: "It turns.", usage: Usage(input: 9, cacheRead: 4, output: 3, reasoning: 1)),
        StreamCase(
            name: "without [DONE]", stream: Answer.delta("a") + chunk("", finish: "length"), text: "a", finish: .length),
        StreamCase(name: "without a reason", stream: Answer.delta("a") + "data: [DONE]\n\n", text: "a"),
        StreamCase(name: "without the last empty line", stream: Answer.delta("a") + "data: [DONE]", text: "a"),
        StreamCase(
            name: "keep-alives", stream: ": OPENROUTER PROCESSING\n\n" + Answer.delta("a") + ":\n\n" + Answer.stop,
            text: "a"),
        StreamCase(
            name: "Azure's filter",
            stream: #"data: {"choices":[],"prompt_filter_results":[{"prompt_index":0}]}"# + "\n\n" + Answer.delta("a")
                + #"data: {"choices":[{"index":0,"content_filter_results":{}}]}"# + "\n\n"
                + chunk("", finish: "content_filter") + "data: [DONE]\n\n",
            text: "a", finish: .other("content_filter")),
        StreamCase(
            name: "vLLM's reasoning",
            stream: chunk(#""reasoning_content":"hm ""#) + chunk(#""reasoning_content":"so""#) + Answer.delta("a")
                + Answer.stop,
            text: "a", reasoning: "hm so"),
        StreamCase(
            name: "OpenRouter's reasoning", stream: chunk(#""reasoning":"hm""#) + Answer.delta("a") + Answer.stop,
            text: "a", reasoning: "hm"),
        StreamCase(
            name: "Mistral's thinking",
            stream: chunk(#""content":[{"type":"thinking","thinking":[{"type":"text","text":"hm"}]}]"#)
                + chunk(#""content":[{"type":"text","text":"a"}]"#) + Answer.stop,
            text: "a", reasoning: "hm"),
        StreamCase(
            name: "DeepSeek's cache",
            stream: Answer.delta("a")
                + Answer.stop.replacingFirst(
                    "data: [DONE]",
                    #"data: {"choices":[],"usage":{"prompt_tokens":9,"completion_tokens":1,"prompt_cache_hit_tokens":8}}"#
                        + "\n\ndata: [DONE]"),
            text: "a", usage: Usage(input: 9, cacheRead: 8, output: 1)),
        StreamCase(
            name: "two tools in pieces",
            stream: chunk(
                #""tool_calls":[{"index":0,"id":"x","type":"function","function":{"name":"f","arguments":""}}]"#)
                + chunk(#""tool_calls":[{"index":0,"function":{"arguments":"{\"a\":"}}]"#)
                + chunk(#""tool_calls":[{"index":1,"id":"y","function":{"name":"g","arguments":""}}]"#)
                + chunk(#""tool_calls":[{"index":0,"function":{"arguments":"1}"}}]"#)
                + chunk("", finish: "tool_calls") + "data: [DONE]\n\n",
            calls: [
                ToolCall(id: "x", name: "f", arguments: #"{"a":1}"#), ToolCall(id: "y", name: "g", arguments: "{}"),
            ],
            finish: .toolCalls),
        StreamCase(
            name: "Ollama's tools, all of index 0, ended by stop",
            stream: chunk(#""tool_calls":[{"index":0,"id":"x","function":{"name":"f","arguments":"{}"}}]"#)
                + chunk(#""tool_calls":[{"index":0,"id":"y","function":{"name":"f","arguments":"{\"b\":2}"}}]"#)
                + Answer.stop,
            calls: [
                ToolCall(id: "x", name: "f", arguments: "{}"), ToolCall(id: "y", name: "f", arguments: #"{"b":2}"#),
            ],
            finish: .toolCalls),
        StreamCase(
            name: "tools without index, arguments as an object, name repeated",
            stream: chunk(#""tool_calls":[{"id":"x","function":{"name":"f","arguments":{"a": 1}}}]"#)
                + chunk(#""tool_calls":[{"function":{"name":"g","arguments":"{"}}]"#)
                + chunk(#""tool_calls":[{"function":{"arguments":"}"}}]"#) + Answer.stop,
            calls: [
                ToolCall(id: "x", name: "f", arguments: #"{"a": 1}"#),
                ToolCall(id: "call_1", name: "g", arguments: "{}"),
            ],
            finish: .toolCalls),
        StreamCase(
            name: "other choices are not this answer",
            stream: #"data: {"choices":[{"index":1,"delta":{"content":"no"}},{"index":0,"delta":{"content":"a"}}]}"#
                + "\n\n" + Answer.stop,
            text: "a"),
        StreamCase(name: "a refusal is text", stream: chunk(#""refusal":"No.""#) + Answer.stop, text: "No."),
        StreamCase(
            name: "escapes", stream: Answer.delta(#"\u00e9\n\ud83d\ude00"#) + Answer.stop, text: "\u{E9}\n\u{1F600}"),
    ]
}

extension String {
    func replacingFirst(_ text: String, _ other: String) -> String {
        guard let range = firstRange(of: text) else { return self }
        return self[..<range.lowerBound] + other + self[range.upperBound...]
    }
}

@Suite("Streams of chat completions", .enabled(if: Providers.missingHTTP == nil, "libcurl is not installed"))
struct OpenAIStreamTests {
    static func model(_ server: TestServer, streams: Bool = true, setting: Setting = Setting()) -> OpenAIModel {
        OpenAIModel(
            Endpoint(address: server.address, model: "m", retries: 0, streams: streams),
            environment: setting.environment)
    }

    @Test("are put together", arguments: StreamCase.all)
    func streams(one: StreamCase) throws {
        let server = TestServer(answers: Answer.stream(one.stream))
        let (response, events) = try Self.model(server).collect(.user("Hello"))
        #expect(response.text == one.text)
        #expect(events.steps.map(\.text).joined() == one.text)
        #expect(events.reasoning == one.reasoning)
        #expect(events.calls == one.calls)
        #expect(response.finish == one.finish)
        #expect(response.usage == one.usage)
    }

    @Test("characters may be split anywhere")
    func charactersMayBeCutAnywhere() throws {
        let server = TestServer { connection, _ in
            guard connection.request() != nil else { return }
            connection.send(Answer.chunkedHead)
            for byte in Array((Answer.delta("zo\u{EB} \u{1F600}") + Answer.stop).utf8) {
                connection.send([UInt8(ascii: "1"), 13, 10, byte, 13, 10])
            }
            connection.sendChunk("")
        }
        #expect(try Self.model(server).collect(.user("Hello")).response.text == "zo\u{EB} \u{1F600}")
    }

    @Test("probabilities are reported for each token")
    func probabilitiesAreToldTokenByToken() throws {
        let entry =
            #"{"token":" a","logprob":-0.5,"bytes":[32,97],"top_logprobs":[{"token":" b","logprob":-1.5,"bytes":null},{"token":" a","logprob":-0.5,"bytes":[32,97]},{"token":"x","logprob":-9999.0}]}"#
        // A whole token, then two halves of a character, the last with its id as in llama.cpp.
        let half =
            #"{"token":"q","logprob":-3,"bytes":[113],"top_logprobs":[]},{"token":"\\xc3","logprob":-1,"bytes":[195],"top_logprobs":[]},{"token":"\\xab","id":7,"logprob":-2,"bytes":[171],"top_logprobs":[]}"#
        let server = TestServer(
            answers: Answer.stream(
                #"data: {"choices":[{"index":0,"delta":{"content":" a"},"logprobs":{"content":[\#(entry)]}}]}"# + "\n\n"
                    + #"data: {"choices":[{"index":0,"delta":{"content":"që"},"logprobs":{"content":[\#(half)]}}]}"#
                    + "\n\n"
                    + #"data: {"choices":[{"index":0,"delta":{"content":"z"}}]}"# + "\n\n" + Answer.stop))
        let (response, events) = try Self.model(server).collect(.user("Hello", alternatives: 3))
        #expect(response.text == " aq\u{EB}z")
        #expect(events.steps.map(\.text) == [" a", "q", "", "\u{EB}", "z"])
        #expect(events.steps.map(\.logProbability) == [-0.5, -3, -1, -2, nil])
        #expect(events.steps.map(\.id) == [nil, nil, nil, 7, nil])
        let alternatives = events.steps[0].alternatives
        #expect(alternatives?.map(\.text) == [" a", " b"])
        #expect(alternatives?.map(\.logProbability) == [-0.5, -1.5])
        #expect(events.steps[4].alternatives == nil)
        #expect(server.requests[0].body.contains(#""logprobs":true,"top_logprobs":3"#))
    }

    @Test("text is correct if tokens do not add up to it")
    func textIsRightWhereTokensDoNotAddUp() throws {
        let two = #"{"token":"a","logprob":-1},{"token":"<|end|>","logprob":-2}"#
        let server = TestServer(
            answers: Answer.stream(
                #"data: {"choices":[{"index":0,"delta":{"content":"a"},"logprobs":{"content":[\#(two)]}}]}"# + "\n\n"
                    + Answer.stop))
        let (response, events) = try Self.model(server).collect(.user("Hello", alternatives: 1))
        #expect(response.text == "a")
        #expect(events.steps.map(\.logProbability) == [-1, -2])
    }

    @Test("responses without a stream have the same form")
    func wholeAnswersHaveTheSameForm() throws {
        let body =
            #"{"model":"m-2","choices":[{"index":0,"message":{"role":"assistant","content":"Hi","reasoning_content":"hm","tool_calls":[{"id":"x","type":"function","function":{"name":"f","arguments":"{}"}}]},"finish_reason":"tool_calls"}],"usage":{"prompt_tokens":2,"completion_tokens":1}}"#
        let server = TestServer(answers: Answer.json(body))
        for streams in [false, true] {
            let (response, events) = try Self.model(server, streams: streams).collect(.user("Hello"))
            #expect(response.model == "m-2")
            #expect(
                response.message.parts == [
                    .reasoning("hm"), .text("Hi"), .toolCall(ToolCall(id: "x", name: "f", arguments: "{}")),
                ])
            #expect(events.count == 3)
            #expect(response.finish == .toolCalls)
            #expect(response.usage == Usage(input: 2, output: 1))
        }
    }

    @Test("plain text is completed")
    func textIsCompleted() throws {
        let server = TestServer(
            answers: Answer.stream(
                #"data: {"choices":[{"index":0,"text":" turns","logprobs":{"tokens":[" tu","rns"],"token_logprobs":[-0.1,-0.2],"top_logprobs":[{" tu":-0.1," go":-3},null]}}]}"#
                    + "\n\n" + #"data: {"choices":[{"index":0,"text":"","finish_reason":"length"}]}"#
                    + "\n\ndata: [DONE]\n\n"))
        let (response, events) = try Self.model(server).collect(
            ModelRequest(.text("An orrery"), sampling: Sampling(maximumTokens: 2), alternatives: 2))
        #expect(response.text == " turns")
        #expect(response.finish == .length)
        #expect(events.steps.map(\.logProbability) == [-0.1, -0.2])
        #expect(events.steps[0].alternatives?.map(\.text) == [" tu", " go"])
        #expect(events.steps[1].alternatives == nil)
        let request = server.requests[0]
        #expect(request.head.hasPrefix("POST /v1/completions "))
        #expect(request.body.contains(#""prompt":"An orrery""#))
        #expect(request.body.contains(#""logprobs":2,"stream":true"#))
    }

    @Test(
        "failures inside a stream are reported",
        arguments: [
            (#"data: {"error":{"message":"out of memory","type":"server_error"}}"#, LanguageModelError.Kind.server),
            (#"data: {"error":{"message":"slow down","code":"rate_limit_exceeded"}}"#, .rateLimit),
            (#"data: {"error":{"message":"too long","code":"context_length_exceeded"}}"#, .request),
            (#"data: {"object":"error","message":"boom","type":"Internal"}"#, .server),
            (#"data: {"error":"boom"}"#, .server), ("data: {oops", .protocolViolation),
            ("data: <html>", .protocolViolation),
        ])
    func failures(event: String, kind: LanguageModelError.Kind) {
        let server = TestServer(answers: Answer.stream(Answer.delta("a") + event + "\n\n"))
        #expect(Self.model(server).failure(.user("Hello"))?.kind == kind)
    }

    @Test("a truncated stream is an error")
    func aStreamThatStopsIsNoAnswer() {
        let server = TestServer(answers: Answer.stream(Answer.delta("a")))
        #expect(
            Self.model(server).failure(.user("Hello"))?.problem == "the stream ended before the response was complete")
    }
}
