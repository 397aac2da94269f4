import LanguageModels
import Providers
import Testing

@Suite("Anthropic's messages", .enabled(if: Providers.missingHTTP == nil, "libcurl is not installed"))
struct AnthropicTests {
    static func model(_ server: TestServer, streams: Bool = true, thinking: Int? = nil) -> AnthropicModel {
        AnthropicModel(
            Endpoint(
                address: server.address, model: "claude", keyVariable: "KEY", keyHeader: .xAPIKey, retries: 0,
                streams: streams, thinkingTokens: thinking),
            environment: Setting(variables: ["KEY": "secret-2"]).environment)
    }

    static func event(_ name: String, _ members: String) -> String {
        "event: \(name)\ndata: {\"type\":\"\(name)\"\(members.isEmpty ? "" : ",")\(members)}\n\n"
    }

    static let start = event(
        "message_start",
        #""message":{"model":"claude-1","usage":{"input_tokens":5,"cache_creation_input_tokens":3,"cache_read_input_tokens":2,"output_tokens":1}}"#
    )
    static let end =
        event("message_delta", #""delta":{"stop_reason":"end_turn"},"usage":{"output_tokens":9}"#)
        + event("message_stop", "")

    static func block(_ index: Int, _ content: String, _ deltas: String...) -> String {
        event("content_block_start", #""index":\#(index),"content_block":{\#(content)}"#)
            + deltas.map { event("content_block_delta", #""index":\#(index),"delta":{\#($0)}"#) }.joined()
            + event("content_block_stop", #""index":\#(index)"#)
    }

    @Test("a stream is combined into one response")
    func streamsArePutTogether() throws {
        let stream =
            Self.start + Self.event("ping", "")
            + Self.block(
                0, #""type":"thinking","thinking":"""#, #""type":"thinking_delta","thinking":"hm""#,
                #""type":"signature_delta","signature":"c2ln""#)
            + Self.block(1, #""type":"redacted_thinking","data":"eA==""#)
            + Self.block(
                2, #""type":"text","text":"""#, #""type":"text_delta","text":"It ""#,
                #""type":"text_delta","text":"turns.""#)
            + Self.event("something_new", #""x":1"#)
            + Self.block(
                3, #""type":"tool_use","id":"t1","name":"f","input":{}"#,
                #""type":"input_json_delta","partial_json":"""#, #""type":"input_json_delta","partial_json":"{\"a\"""#,
                #""type":"input_json_delta","partial_json":":1}""#)
            + Self.block(4, #""type":"tool_use","id":"t2","name":"g","input":{}"#)
            + Self.end.replacingFirst("end_turn", "tool_use")
        let server = TestServer(answers: Answer.stream(stream))
        let (response, events) = try Self.model(server).collect(.user("x"))
        let hidden = #"{"type":"redacted_thinking","data":"eA=="}"#
        #expect(
            response.message.parts == [
                .reasoning("hm"), .other(type: "thinking_signature", json: #""c2ln""#), .reasoning(""),
                .other(type: "redacted_thinking", json: hidden), .text("It turns."),
                .toolCall(ToolCall(id: "t1", name: "f", arguments: #"{"a":1}"#)),
                .toolCall(ToolCall(id: "t2", name: "g", arguments: "{}")),
            ])
        #expect(response.finish == .toolCalls)
        #expect(response.model == "claude-1")
        #expect(response.usage == Usage(input: 10, cacheRead: 2, cacheWrite: 3, output: 9))
        #expect(events.steps.map(\.text) == ["It ", "turns."])
        #expect(events.reasoning == "hm")
        #expect(events.calls.map(\.name) == ["f", "g"])
        let request = server.requests[0]
        #expect(request.head.hasPrefix("POST /v1/messages "))
        #expect(request["x-api-key"] == "secret-2")
        #expect(request["anthropic-version"] == "2023-06-01")

        // The whole conversation goes back with its thoughts.
        let back = ModelRequest(
            .messages(
                [
                    Message(.system, [.text("S")]), Message(.user, [.text("x")]), response.message,
                    Message(.tool, [.toolResult(ToolResult(callID: "t1", content: "1", isError: false))]),
                    Message(
                        .user, [.text("so?"), .toolResult(ToolResult(callID: "t2", content: "2", isError: true))]),
                ], tools: [ToolDefinition(name: "f", description: "F", parameters: #"{"type":"object"}"#)]),
            sampling: Sampling(temperature: 0.5, topK: 3, stop: ["."], seed: 1, maximumTokens: 7))
        _ = try Self.model(server, thinking: 2000).respond(to: back)
        #expect(
            server.requests[1].body == #"{"model":"claude","max_tokens":2007,"system":"S","messages":["#
                + #"{"role":"user","content":[{"type":"text","text":"x"}]},"#
                + #"{"role":"assistant","content":[{"type":"thinking","thinking":"hm","signature":"c2ln"},"#
                + hidden + #",{"type":"text","text":"It turns."},"#
                + #"{"type":"tool_use","id":"t1","name":"f","input":{"a":1}},{"type":"tool_use","id":"t2","name":"g","input":{}}]},"#
                + #"{"role":"user","content":[{"type":"tool_result","tool_use_id":"t1","content":"1"},"#
                + #"{"type":"tool_result","tool_use_id":"t2","content":"2","is_error":true},{"type":"text","text":"so?"}]}],"#
                + #""tools":[{"name":"f","description":"F","input_schema":{"type":"object"}}],"#
                + #""temperature":0.5,"top_k":3,"stop_sequences":["."],"#
                + #""thinking":{"type":"enabled","budget_tokens":2000},"stream":true}"#)
    }

    @Test("responses without a stream are read")
    func wholeAnswers() throws {
        let server = TestServer(
            answers: Answer.json(
                #"{"type":"message","model":"c","content":[{"type":"text","text":"Hi"},{"type":"tool_use","id":"t","name":"f","input":{"a": 1}}],"stop_reason":"max_tokens","usage":{"input_tokens":1,"output_tokens":2}}"#
            ))
        let (response, events) = try Self.model(server, streams: false).collect(.user("x"))
        #expect(
            response.message.parts == [.text("Hi"), .toolCall(ToolCall(id: "t", name: "f", arguments: #"{"a": 1}"#))])
        #expect(response.finish == .length)
        #expect(response.usage == Usage(input: 1, output: 2))
        #expect(events.count == 2)
        #expect(server.requests[0].body.hasSuffix(#""stream":false}"#))
    }

    @Test(
        "streamed and complete responses have equal usage and finish reasons",
        arguments: ["end_turn", "max_tokens", "stop_sequence", "tool_use", "refusal"])
    func streamedAndWhole(reason: String) throws {
        let counts = #""input_tokens":5,"cache_creation_input_tokens":3,"cache_read_input_tokens":2,"output_tokens""#
        let whole =
            #"{"type":"message","model":"claude-1","content":[{"type":"text","text":"Hi"}],"#
            + #""stop_reason":"\#(reason)","usage":{\#(counts):9}}"#
        let stream =
            Self.start + Self.block(0, #""type":"text","text":"""#, #""type":"text_delta","text":"Hi""#)
            + Self.end.replacingFirst("end_turn", reason)
        let bare = "HTTP/1.1 200 OK\r\nContent-Length: \(whole.utf8.count)\r\nConnection: close\r\n\r\n\(whole)"
        let responses = try [Answer.stream(stream), Answer.json(whole), bare].map { answer in
            try Self.model(TestServer(answers: answer), streams: false).respond(to: .user("x"))
        }
        for response in responses {
            #expect(response.text == "Hi")
            #expect(response.model == "claude-1")
            #expect(response.finish == responses[0].finish)
            #expect(response.usage == Usage(input: 10, cacheRead: 2, cacheWrite: 3, output: 9))
        }
    }

    /// Requests that may take minutes are streamed even if the caller does not need a stream.
    @Test("long responses are streamed", arguments: [(16_384, "false"), (16_385, "true"), (Int.max, "true")])
    func longAnswersAreStreamed(tokens: Int, streams: String) throws {
        let server = TestServer(answers: Answer.stream(Self.start + Self.end))
        _ = try Self.model(server, streams: false).respond(to: .user("x", sampling: Sampling(maximumTokens: tokens)))
        #expect(server.requests[0].body.hasSuffix(#""stream":\#(streams)}"#))
    }

    @Test(
        "failures are reported",
        arguments: [
            ("overloaded_error", LanguageModelError.Kind.server), ("rate_limit_error", .rateLimit),
            ("authentication_error", .authorization), ("invalid_request_error", .request), ("api_error", .server),
        ])
    func failures(word: String, kind: LanguageModelError.Kind) {
        let error = Self.event("error", #""error":{"type":"\#(word)","message":"because"}"#)
        let server = TestServer(answers: Answer.stream(Self.start + error))
        let failure = Self.model(server).failure(.user("x"))
        #expect(failure?.kind == kind)
        #expect(failure?.problem.contains(word) == true)
    }

    private static var extra: Sampling {
        var sampling = Sampling()
        sampling[SamplingField("logit_gap", label: "logit gap", in: 0...100, default: "none", help: "Gap.")] = .number(
            1)
        return sampling
    }

    @Test(
        "unsupported settings are errors",
        arguments: [
            (Sampling(minP: 0.1), "min-p"), (Sampling(typicalP: 0.1), "typical-p"), (Sampling(bias: [1: 1]), "bias"),
            (Sampling(repetitionPenalty: 1.1), "repetition penalty"), (extra, "logit gap"),
        ])
    func unknown(sampling: Sampling, name: String) {
        let failure = Self.model(TestServer(answers: "")).failure(.user("x", sampling: sampling))
        #expect(failure?.problem == "Anthropic's API does not support \(name)")
        let text = Self.model(TestServer(answers: "")).failure(ModelRequest(.text("x")))
        #expect(text?.problem == "Anthropic's API accepts only messages")
    }

    @Test("a truncated stream is an error")
    func aStreamThatStopsIsNoAnswer() {
        let server = TestServer(
            answers: Answer.stream(Self.start + Self.block(0, #""type":"text","text":"a""#)))
        #expect(Self.model(server).failure(.user("x"))?.kind == .connection)
    }
}
