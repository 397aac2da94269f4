import LanguageModels
import Testing
import Traces

private typealias T = MessageText

@Suite("OTLP: messages")
struct OTLPMessageTests {
    private static let asked = Message(.user, [.text("Weather in Paris?")])
    private static let called = Message(
        .assistant,
        [.text("Let me check."), .toolCall(ToolCall(id: "c1", name: "weather", arguments: #"{"city":"Paris"}"#))])
    private static let returned = Message(
        .tool, [.toolResult(ToolResult(callID: "c1", content: "rainy", isError: false))])
    private static let answered = Message(.assistant, [.text("It rains.")])
    private static let chat = T.attribute("gen_ai.operation.name", "chat")

    /// The same conversation in every convention.
    static let conventions: [(name: String, span: String)] = [
        (
            "gen_ai as JSON in strings",
            T.span(
                "ab", chat,
                T.attribute(
                    "gen_ai.input.messages",
                    #"[{"role":"user","parts":[{"type":"text","content":"Weather in Paris?"}]},{"role":"assistant","parts":[{"type":"text","content":"Let me check."},{"type":"tool_call","id":"c1","name":"weather","arguments":{"city":"Paris"}}]},{"role":"tool","parts":[{"type":"tool_call_response","id":"c1","response":"rainy"}]}]"#
                ),
                T.attribute(
                    "gen_ai.output.messages",
                    #"[{"role":"assistant","parts":[{"type":"text","content":"It rains."}],"finish_reason":"stop"}]"#))
        ),
        (
            "gen_ai as structured values",
            T.span(
                "ab", chat,
                T.attribute("gen_ai.input.messages", raw: structured([asked, called, returned])),
                T.attribute("gen_ai.output.messages", raw: structured([answered])))
        ),
        (
            "older gen_ai as JSON in strings",
            T.span(
                "ab", chat,
                T.attribute(
                    "gen_ai.prompt",
                    #"[{"role":"user","content":"Weather in Paris?"},{"role":"assistant","content":"Let me check.","tool_calls":[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]},{"role":"tool","tool_call_id":"c1","content":"rainy"}]"#
                ), T.attribute("gen_ai.completion", #"{"role":"assistant","content":"It rains."}"#))
        ),
        (
            "older gen_ai flattened",
            T.span(
                "ab", chat, T.attribute("gen_ai.prompt.0.role", "user"),
                T.attribute("gen_ai.prompt.0.content", "Weather in Paris?"),
                T.attribute("gen_ai.prompt.1.role", "assistant"),
                T.attribute("gen_ai.prompt.1.content", "Let me check."),
                T.attribute("gen_ai.prompt.1.tool_calls.0.id", "c1"),
                T.attribute("gen_ai.prompt.1.tool_calls.0.name", "weather"),
                T.attribute("gen_ai.prompt.1.tool_calls.0.arguments", #"{"city":"Paris"}"#),
                T.attribute("gen_ai.prompt.2.role", "tool"), T.attribute("gen_ai.prompt.2.tool_call_id", "c1"),
                T.attribute("gen_ai.prompt.2.content", "rainy"),
                T.attribute("gen_ai.completion.0.content", "It rains."))
        ),
        (
            "events of the span",
            T.span(
                "ab", chat,
                more: #""events":["#
                    + [
                        event("gen_ai.user.message", T.attribute("content", "Weather in Paris?")),
                        event(
                            "gen_ai.assistant.message", T.attribute("content", "Let me check."),
                            T.attribute(
                                "tool_calls",
                                #"[{"id":"c1","type":"function","function":{"name":"weather","arguments":"{\"city\":\"Paris\"}"}}]"#
                            )),
                        event("gen_ai.tool.message", T.attribute("id", "c1"), T.attribute("content", "rainy")),
                        event("gen_ai.choice", T.attribute("message", #"{"role":"assistant","content":"It rains."}"#)),
                    ].joined(separator: ",") + "]")
        ),
        (
            "OpenInference, its attributes in no order",
            T.span(
                "ab", T.attribute("openinference.span.kind", "LLM"),
                T.attribute("llm.input_messages.2.message.content", "rainy"),
                T.attribute("llm.input_messages.2.message.role", "tool"),
                T.attribute("llm.input_messages.2.message.tool_call_id", "c1"),
                T.attribute(
                    "llm.input_messages.1.message.tool_calls.0.tool_call.function.arguments", #"{"city":"Paris"}"#),
                T.attribute("llm.input_messages.1.message.tool_calls.0.tool_call.function.name", "weather"),
                T.attribute("llm.input_messages.1.message.tool_calls.0.tool_call.id", "c1"),
                T.attribute("llm.input_messages.1.message.contents.0.message_content.text", "Let me check."),
                T.attribute("llm.input_messages.1.message.contents.0.message_content.type", "text"),
                T.attribute("llm.input_messages.1.message.role", "assistant"),
                T.attribute("llm.input_messages.0.message.content", "Weather in Paris?"),
                T.attribute("llm.input_messages.0.message.role", "user"),
                T.attribute("llm.output_messages.0.message.content", "It rains."),
                T.attribute("llm.output_messages.0.message.role", "assistant"))
        ),
        (
            "the Vercel AI SDK",
            T.span(
                "ab", T.attribute("ai.operationId", "ai.generateText.doGenerate"),
                T.attribute(
                    "ai.prompt.messages",
                    #"[{"role":"user","content":[{"type":"text","text":"Weather in Paris?"}]},{"role":"assistant","content":[{"type":"text","text":"Let me check."},{"type":"tool-call","toolCallId":"c1","toolName":"weather","input":{"city":"Paris"}}]},{"role":"tool","content":[{"type":"tool-result","toolCallId":"c1","output":"rainy"}]}]"#
                ), T.attribute("ai.response.text", "It rains."))
        ),
    ]

    private static func event(_ name: String, _ attributes: String...) -> String {
        #"{"name":"\#(name)","timeUnixNano":"1","attributes":[\#(attributes.joined(separator: ","))]}"#
    }

    /// Messages as OTLP's own objects and arrays.
    private static func structured(_ messages: [Message]) -> String {
        func text(_ text: String) -> String { #"{"stringValue":\#(T.quoted(text))}"# }
        func object(_ members: [(String, String)]) -> String {
            let pairs = members.map { #"{"key":"\#($0.0)","value":\#($0.1)}"# }.joined(separator: ",")
            return #"{"kvlistValue":{"values":[\#(pairs)]}}"#
        }
        func array(_ values: [String]) -> String { #"{"arrayValue":{"values":[\#(values.joined(separator: ","))]}}"# }
        return array(
            messages.map { message in
                object([
                    ("role", text(message.role.name)),
                    (
                        "parts",
                        array(
                            message.parts.map { part in
                                switch part {
                                case .text(let content): object([("type", text("text")), ("content", text(content))])
                                case .toolCall(let call):
                                    object([
                                        ("type", text("tool_call")), ("id", text(call.id)), ("name", text(call.name)),
                                        ("arguments", object([("city", text("Paris"))])),
                                    ])
                                case .toolResult(let result):
                                    object([
                                        ("type", text("tool_call_response")), ("id", text(result.callID)),
                                        ("response", text(result.content)),
                                    ])
                                default: text("")
                                }
                            })
                    ),
                ])
            })
    }

    @Test("the same conversation comes out of every convention", arguments: 0..<conventions.count)
    func conversation(of number: Int) throws {
        let convention = Self.conventions[number]
        let imported = try importing(T.document(convention.span), with: OTLPImporter.self)
        let trace = imported.trace
        let call = trace.spans[0]
        let read = try trace.conversation(to: call.inputHead).map { try imported.message($0, with: OTLPImporter.self) }
        #expect(read == [Self.asked, Self.called, Self.returned], "\(convention.name)")
        let answer = try #require(trace.messages.last)
        #expect(answer.previous == call.inputHead)
        #expect(answer.span == call.ordinal)
        #expect(try imported.message(answer.ordinal, with: OTLPImporter.self) == Self.answered, "\(convention.name)")
        #expect(imported.totals.messages == 4)
        #expect(trace.messages[1].extent.toolCalls == "weather".count + #"{"city":"Paris"}"#.count)
        #expect(trace.messages[2].extent.toolResults == 5)
    }

    private func call(_ id: String, start: Int, _ input: [String], answer: String) -> String {
        let messages = input.enumerated().map { index, text in
            #"{"role":"\#(index % 2 == 0 ? "user" : "assistant")","parts":[{"type":"text","content":"\#(text)"}]}"#
        }
        return T.span(
            id, start: start, Self.chat, T.attribute("gen_ai.input.messages", "[\(messages.joined(separator: ","))]"),
            T.attribute(
                "gen_ai.output.messages",
                #"[{"role":"assistant","parts":[{"type":"text","content":"\#(answer)"}],"finish_reason":"stop"}]"#))
    }

    @Test("calls that repeat a conversation share it, whichever of them is read first", arguments: [false, true])
    func sharing(newestFirst: Bool) throws {
        let calls = [
            call("a1", start: 1, ["one"], answer: "1"), call("a2", start: 2, ["one", "1", "two"], answer: "2"),
            call("a3", start: 3, ["one", "1", "two", "2", "three"], answer: "3"),
        ]
        let text = (newestFirst ? calls.reversed() : calls).map { T.document($0) + "\n" }.joined()
        let imported = try importing(text, with: OTLPImporter.self)
        let trace = imported.trace
        #expect(trace.messages.count == 6)
        #expect(imported.totals.messages == 2 + 4 + 6)
        let first = trace.conversation(to: trace.span("a1")?.inputHead)
        let third = trace.conversation(to: trace.span("a3")?.inputHead)
        #expect(Array(third.prefix(1)) == first)
        #expect(third.count == 5)
        // Each answer belongs to the call that gave it, though a later call was the first to show it.
        for (id, place) in [("a1", 1), ("a2", 3)] {
            #expect(trace.messages[third[place]].span == trace.span(id)?.ordinal)
        }
    }

    @Test("the same answer to the same input is each call's own")
    func loop() throws {
        let imported = try importing(
            T.document(call("a1", start: 1, ["one"], answer: "1"), call("a2", start: 2, ["one"], answer: "1")),
            with: OTLPImporter.self)
        let trace = imported.trace
        #expect(trace.messages.map(\.role) == [.user, .assistant, .assistant])
        #expect(Set(trace.messages.dropFirst().map(\.span)) == [0, 1])
        #expect(imported.totals.messages == 4)
    }

    @Test("instructions and tool definitions come before the conversation and are not counted as messages")
    func instructions() throws {
        let imported = try importing(
            T.document(
                T.span(
                    "ab", Self.chat,
                    T.attribute("gen_ai.system_instructions", #"[{"type":"text","content":"Be brief."}]"#),
                    T.attribute("gen_ai.tool.definitions", #"[{"name":"weather"},{"name":"news"}]"#),
                    T.attribute("gen_ai.input.messages", #"[{"role":"user","content":"hi"}]"#))),
            with: OTLPImporter.self)
        let trace = imported.trace
        #expect(trace.conversation(to: trace.spans[0].inputHead).count == 3)
        #expect(trace.messages.map(\.index) == [-2, -1, 0])
        #expect(trace.messages[0].extent.toolDefinitions == #"{"name":"weather"}{"name":"news"}"#.count)
        #expect(trace.messages[1].role == .system)
        #expect(imported.totals.messages == 1)
        #expect(try imported.message(1, with: OTLPImporter.self) == Message(.system, [.text("Be brief.")]))
    }

    @Test("a prompt that is not JSON is a message, and an empty one is not")
    func plainPrompt() throws {
        func count(_ prompt: String) throws -> Int {
            try importing(
                T.document(T.span("ab", Self.chat, T.attribute("gen_ai.prompt", prompt))), with: OTLPImporter.self
            ).totals.messages
        }
        #expect(try count("Once upon a time") == 1)
        #expect(try count("") == 0)
        #expect(try count("[]") == 0)
        #expect(try count(#"["not a message",{"role":"user","content":"x"}]"#) == 1)
    }

    @Test("an image is an attachment, and a part of an unknown type keeps its JSON")
    func otherParts() throws {
        let parts =
            #"[{"type":"uri","modality":"image","mime_type":"image/png","uri":"https://x/y.png"},{"type":"blob","mime_type":"image/png","content":"AAAA"},{"type":"hologram","size":3}]"#
        let imported = try importing(
            T.document(
                T.span("ab", Self.chat, T.attribute("gen_ai.input.messages", #"[{"role":"user","parts":\#(parts)}]"#))),
            with: OTLPImporter.self)
        let message = try imported.message(0, with: OTLPImporter.self)
        #expect(
            message?.parts == [
                .attachment(Attachment(mediaType: "image/png", location: "https://x/y.png", byteCount: 0)),
                .attachment(Attachment(mediaType: "image/png", location: nil, byteCount: 3)),
                .other(type: "hologram", json: #"{"type":"hologram","size":3}"#),
            ])
        #expect(imported.trace.messages[0].extent.attachments == 2)
    }
}

@Suite("OTLP: log records")
struct OTLPLogTests {
    private let call = T.span("ab", T.attribute("gen_ai.operation.name", "chat"))
    private let details = T.log(
        span: "AB", event: "gen_ai.client.inference.operation.details",
        T.attribute("gen_ai.input.messages", #"[{"role":"user","content":"hi"}]"#),
        T.attribute("gen_ai.output.messages", #"[{"role":"assistant","content":"ho"}]"#))

    @Test("the messages of a call may be in a log record before or after its span", arguments: [false, true])
    func operationDetails(logsFirst: Bool) throws {
        let lines = [T.document(call), T.logs(details)]
        let text = (logsFirst ? lines.reversed() : lines).map { $0 + "\n" }.joined()
        let imported = try importing(text, with: OTLPImporter.self)
        #expect(imported.trace.spans[0].inputHead == 0)
        #expect(try imported.message(0, with: OTLPImporter.self) == Message(.user, [.text("hi")]))
        #expect(try imported.message(1, with: OTLPImporter.self) == Message(.assistant, [.text("ho")]))
        #expect(imported.trace.messages[1].span == 0)
        #expect(imported.trace.events.isEmpty)
    }

    @Test("messages that a span holds itself are not doubled by its log records")
    func notDoubled() throws {
        let own = T.span(
            "ab", T.attribute("gen_ai.operation.name", "chat"),
            T.attribute("gen_ai.input.messages", #"[{"role":"user","content":"hi"}]"#))
        let imported = try importing(T.document(own) + "\n" + T.logs(details) + "\n", with: OTLPImporter.self)
        #expect(imported.trace.messages.count == 1)
    }

    @Test("a conversation told by one log record a message is chained in their order, once")
    func messageRecords() throws {
        let text =
            T.document(call) + "\n"
            + T.logs(
                T.log(span: "ab", event: "gen_ai.system.message", body: body("Be brief.")),
                T.log(span: "ab", event: "gen_ai.user.message", body: body("hi")),
                T.log(
                    span: "ab", event: "gen_ai.choice",
                    body: #"{"kvlistValue":{"values":[{"key":"message","value":\#(body("ho"))}]}}"#)) + "\n"
        let once = try importing(text, with: OTLPImporter.self)
        #expect(once.trace.messages.map(\.role) == [.system, .user, .assistant])
        #expect(once.trace.messages.map(\.previous) == [nil, 0, 1])
        #expect(try once.message(2, with: OTLPImporter.self) == Message(.assistant, [.text("ho")]))
        let twice = try importing(text, with: OTLPImporter.self, stored: [once.trace])
        #expect(twice.trace.messages == once.trace.messages)
        #expect(twice.trace.spans == once.trace.spans)
    }

    private func body(_ content: String) -> String {
        #"{"kvlistValue":{"values":[{"key":"content","value":{"stringValue":"\#(content)"}}]}}"#
    }

    @Test("other log records are events of their span, and say what they say")
    func otherRecords() throws {
        let imported = try importing(
            T.document(call) + "\n" + T.logs(T.log(span: "ab", event: "cache.miss", body: #"{"stringValue":"cold"}"#)),
            with: OTLPImporter.self)
        #expect(imported.trace.events.map(\.name) == ["cache.miss"])
        #expect(imported.trace.events[0].span == 0)
        #expect(
            try imported.sentence(imported.trace.events[0], with: OTLPImporter.self) == "cache.miss: cold")
    }

    @Test("a file with only logs makes no trace and is not a failure")
    func logsOnly() throws {
        let imported = try importing(T.logs(details), with: OTLPImporter.self)
        #expect(imported.traces.isEmpty)
        #expect((imported.records, imported.skipped) == (1, 0))
    }

    @Test("logs that come with a later file find their spans in the workspace")
    func laterFile() throws {
        let spans = try importing(T.document(call), with: OTLPImporter.self).trace
        let imported = try importing(T.logs(details), with: OTLPImporter.self, stored: [spans])
        #expect(imported.trace.messages.count == 2)
    }
}
