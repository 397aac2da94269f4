import JSON
import LanguageModels
import Providers
import Testing

@Suite("Requests to OpenAI's interface", .enabled(if: Providers.missingHTTP == nil, "libcurl is not installed"))
struct OpenAIRequestTests {
    /// The body that is sent for a request.
    static func body(_ request: ModelRequest, preset: Endpoint.Preset? = nil) throws -> String {
        let server = TestServer(answers: Answer.stream(Answer.stop))
        let model = OpenAIModel(
            Endpoint(preset: preset, address: server.address, model: "m", retries: 0),
            environment: Setting().environment)
        _ = try model.respond(to: request)
        return server.requests[0].body
    }

    @Test("a conversation with tools")
    func aConversationWithTools() throws {
        let call = ToolCall(id: "x", name: "clock", arguments: #"{"zone":"UTC"}"#)
        let body = try Self.body(
            ModelRequest(
                .messages(
                    [
                        Message(.system, [.text("Be brief.")]), Message(.user, [.text("One"), .text("two")]),
                        Message(.assistant, [.reasoning("hm"), .toolCall(call)]),
                        Message(.tool, [.toolResult(ToolResult(callID: "x", content: "12:00", isError: false))]),
                        // As Anthropic writes it: the result and what the user says to it.
                        Message(
                            .user,
                            [.toolResult(ToolResult(callID: "y", content: "no", isError: true)), .text("Go on")]),
                        Message(.assistant, [.text("Noon.")]),
                    ],
                    tools: [
                        ToolDefinition(
                            name: "clock", description: "The time", parameters: #"{ "type": "object" }"#),
                        ToolDefinition(name: "nothing", description: "", parameters: ""),
                    ])))
        #expect(
            body == #"{"model":"m","messages":[{"role":"system","content":"Be brief."},"#
                + #"{"role":"user","content":[{"type":"text","text":"One"},{"type":"text","text":"two"}]},"#
                + #"{"role":"assistant","content":null,"tool_calls":[{"id":"x","type":"function","function":{"name":"clock","arguments":"{\"zone\":\"UTC\"}"}}]},"#
                + #"{"role":"tool","tool_call_id":"x","content":"12:00"},{"role":"tool","tool_call_id":"y","content":"no"},"#
                + #"{"role":"user","content":"Go on"},{"role":"assistant","content":"Noon."}],"#
                + #""tools":[{"type":"function","function":{"name":"clock","description":"The time","parameters":{"type":"object"}}},"#
                + #"{"type":"function","function":{"name":"nothing","parameters":{"type":"object","properties":{}}}}],"#
                + #""stream":true,"stream_options":{"include_usage":true}}"#)
    }

    @Test("sampling settings are sent")
    func sampling() throws {
        let all = Sampling(
            temperature: 0.5, topK: 40, topP: 0.9, minP: 0.05, typicalP: 0.8, repetitionPenalty: 1.1,
            presencePenalty: 0.1, frequencyPenalty: 0.2, bias: [7: -100, 3: 1.5], stop: ["a", "b"],
            seed: UInt64.max, maximumTokens: 9)
        let body = try Self.body(.user("x", sampling: all))
        #expect(
            body.contains(
                #""temperature":0.5,"top_p":0.9,"top_k":40,"min_p":0.05,"typical_p":0.8,"repetition_penalty":1.1,"#
                    + #""repeat_penalty":1.1,"presence_penalty":0.1,"frequency_penalty":0.2,"#
                    + #""logit_bias":{"3":1.5,"7":-100.0},"stop":["a","b"],"seed":9223372036854775807,"max_tokens":9,"#)
        )
        #expect(!(try Self.body(.user("x")).contains("temperature")))
    }

    @Test("a field outside the standard ones is sent under its names")
    func extraField() throws {
        let field = SamplingField(
            "logit_gap", in: 0...100, default: "all tokens", help: "Gap.", openAINames: ["logit_gap", "gap"])
        var sampling = Sampling(temperature: 0.5, seed: 3)
        sampling[field] = .number(1.5)
        let body = try Self.body(.user("x", sampling: sampling))
        #expect(body.contains(#""temperature":0.5,"logit_gap":1.5,"gap":1.5,"seed":3"#))
    }

    @Test("OpenAI has its own name for the token limit")
    func openAIHasANewNameForTheLimit() throws {
        let body = try Self.body(.user("x", sampling: Sampling(maximumTokens: 9)), preset: .openAI)
        #expect(body.contains(#""max_completion_tokens":9"#))
    }

    @Test("template variables are JSON")
    func templateVariablesAreJSON() throws {
        var request = ModelRequest.user("x")
        request.templateVariables = ["enable_thinking": "false"]
        #expect(try Self.body(request).contains(#""chat_template_kwargs":{"enable_thinking":false}"#))
    }

    @Test(
        "unsupported requests are errors",
        arguments: [
            (ModelRequest(.tokens([1, 2])), "only local models accept token IDs"),
            (
                ModelRequest(
                    .messages(
                        [
                            Message(
                                .user,
                                [.attachment(Attachment(mediaType: "image/png", location: "/secret", byteCount: 1))])
                        ],
                        tools: [])), "attachments (image/png) are not supported; only text can be sent"
            ),
            (
                ModelRequest(.messages([Message(.user, [.other(type: "video", json: "{}")])], tools: [])),
                "message parts of type video are not supported; only text can be sent"
            ),
            (
                ModelRequest(.messages([], tools: [ToolDefinition(name: "t", description: "", parameters: "{")])),
                "the schema of the tool t is not JSON"
            ),
            (
                ModelRequest(.messages([], tools: [ToolDefinition(name: "t", description: "", parameters: "[]")])),
                "the schema of the tool t has the wrong JSON type"
            ),
            (
                ModelRequest(.text(""), templateVariables: ["v": "x"]), "the template variable v is not JSON"
            ),
        ])
    func impossible(request: ModelRequest, problem: String) {
        let model = OpenAIModel(Endpoint(address: "http://127.0.0.1:9/v1", model: "m"))
        let error = model.failure(request)
        #expect(error?.problem == problem)
        #expect(error?.kind == .request)
    }

    @Test("Azure has its own path and header")
    func azureHasItsOwnPathAndHeader() throws {
        let server = TestServer(answers: Answer.stream(Answer.stop))
        guard
            case .openAI(let endpoint) = try ProviderSpecification(
                "\(server.address)/deployments/d?api-version=1#m,auth=api-key,key=AZURE")
        else { return }
        let setting = Setting(variables: ["AZURE": "secret-1"])
        _ = try OpenAIModel(endpoint, environment: setting.environment).respond(to: .user("x"))
        let request = server.requests[0]
        #expect(request.head.hasPrefix("POST /v1/deployments/d/chat/completions?api-version=1 HTTP/1.1\r\n"))
        #expect(request["api-key"] == "secret-1")
        #expect(request["authorization"] == nil)
    }

    @Test("the only model of an endpoint is used")
    func theOnlyModelIsAskedFor() throws {
        let server = TestServer { connection, _ in
            while let request = connection.request() {
                connection.send(
                    request.head.hasPrefix("GET /v1/models ")
                        ? "HTTP/1.1 200 OK\r\nContent-Length: 29\r\n\r\n" + #"{"data":[{"id":"the-model"}]}"#
                        : Answer.stream(Answer.delta("a") + Answer.stop))
                if !request.body.isEmpty { return }
            }
        }
        let model = OpenAIModel(Endpoint(address: server.address, model: ""), environment: Setting().environment)
        for _ in 0..<2 { #expect(try model.respond(to: .user("x")).text == "a") }
        #expect(model.name == "the-model")
        #expect(server.requests.map { String($0.head.prefix(5)) } == ["GET /", "POST ", "POST "])
        #expect(server.requests[1].body.contains(#""model":"the-model""#))
    }

    @Test("an error names several models")
    func severalModelsAreNamed() throws {
        let server = TestServer(answers: Answer.json(#"{"data":[{"id":"b"},{"id":"a"}]}"#))
        let endpoint = Endpoint(address: server.address, model: "")
        let error = OpenAIModel(endpoint, environment: Setting().environment).failure(.user("x"))
        #expect(error?.problem == "the endpoint has 2 models: a, b")
        #expect(try Providers.models(of: .openAI(endpoint), environment: Setting().environment) == ["a", "b"])
    }
}
