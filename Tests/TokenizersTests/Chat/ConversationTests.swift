import JSON
import LanguageModels
import Testing
import Tokenizers

@Suite("Messages as templates see them")
struct ConversationTests {
    private static func render(
        _ messages: [Message], _ template: String = "{{ messages|tojson }}", tools: [ToolDefinition] = []
    ) throws -> String {
        try ChatTemplate(source: template).render(messages: messages, tools: tools).text
    }

    @Test(
        "each part has its place",
        arguments: [
            (Message(.user, [.text("a"), .text("b")]), #"[{"role": "user", "content": "ab"}]"#),
            (Message(.user, []), #"[{"role": "user", "content": ""}]"#),
            (
                Message(.assistant, [.reasoning("hm"), .text("x")]),
                #"[{"thinking": "hm", "role": "assistant", "content": "x", "reasoning_content": "hm"}]"#
            ),
            (
                Message(
                    .assistant, [.toolCall(ToolCall(id: "1", name: "f", arguments: #"{"x": 18446744073709551616}"#))]),
                #"[{"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": {"x": 18446744073709551616}}}]}]"#
            ),
            (
                Message(.assistant, [.toolCall(ToolCall(id: "1", name: "f", arguments: "not json"))]),
                #"[{"role": "assistant", "content": "", "tool_calls": [{"id": "1", "type": "function", "function": {"name": "f", "arguments": "not json"}}]}]"#
            ),
            (
                Message(
                    .user, [.text("see"), .attachment(Attachment(mediaType: "image/png", location: nil, byteCount: 3))]),
                #"[{"role": "user", "content": [{"type": "text", "text": "see"}, {"type": "image"}]}]"#
            ),
            (
                Message(.user, [.other(type: "x", json: #"{"type":"x","y":1}"#)]),
                #"[{"role": "user", "content": [{"type": "x", "y": 1}]}]"#
            ),
        ])
    func parts(message: Message, expected: String) throws {
        #expect(try Self.render([message]) == expected)
    }

    @Test("each result of a tool is a message of its own, with the name of the call that it answers")
    func results() throws {
        let call = Message(.assistant, [.toolCall(ToolCall(id: "c", name: "look", arguments: "{}"))])
        let answer = Message(
            .tool,
            [
                .toolResult(ToolResult(callID: "c", content: "blue", isError: false)),
                .toolResult(ToolResult(callID: "d", content: "red", isError: true)), .text("and?"),
            ])
        let text = try Self.render([call, answer], "{% for m in messages[1:] %}{{ m }}\n{% endfor %}")
        #expect(
            text == """
                {'role': 'tool', 'name': 'look', 'tool_call_id': 'c', 'content': 'blue'}
                {'role': 'tool', 'tool_call_id': 'd', 'content': 'red'}
                {'role': 'tool', 'content': 'and?'}

                """)
    }

    @Test("tools are functions with a schema, or none")
    func tools() throws {
        let tool = ToolDefinition(name: "f", description: "d", parameters: #"{"type": "object", "b": 1, "a": 2}"#)
        #expect(
            try Self.render([], "{{ tools|tojson }}", tools: [tool])
                == #"[{"type": "function", "function": {"name": "f", "description": "d", "parameters": {"type": "object", "b": 1, "a": 2}}}]"#
        )
        #expect(try Self.render([], "{{ tools is none }}{{ documents is none }}") == "TrueTrue")
    }

    @Test("variables have Python's types")
    func variables() throws {
        let template = try ChatTemplate(
            source: "{{ a }} {{ b }} {{ c }} {{ d }} {{ e }} {{ f is defined }} {{ add_generation_prompt }}")
        let prompt = try template.render(
            messages: [], addGenerationPrompt: false,
            variables: [
                "a": .bool(true), "b": try TemplateVariable(json: #"{"x":[1,2.0,null,"y"]}"#), "c": .null,
                "d": .number(1),
                "e": .integer(3),
            ])
        #expect(prompt.text == "True {'x': [1, 2.0, None, 'y']} None 1.0 3 False False")
    }

    @Test("a model without a template gets plain ChatML, said to be a fallback")
    func fallback() throws {
        let messages = [
            Message(.system, [.text("S")]),
            Message(.user, [.text("U"), .attachment(Attachment(mediaType: "image/png", location: nil, byteCount: 1))]),
        ]
        let prompt = try ChatTemplate.chatML.render(messages: messages)
        #expect(
            prompt.text == "<|im_start|>system\nS<|im_end|>\n<|im_start|>user\nU<|im_end|>\n<|im_start|>assistant\n")
        #expect(ChatTemplate.chatML.isFallback)
        #expect(try !ChatTemplate(source: "x").isFallback)
    }

    @Test("the clock is the caller's")
    func clock() throws {
        let template = try ChatTemplate(source: "{{ strftime_now('%a %d %b %Y, %H:%M:%S, day %j') }}")
        let prompt = try template.render(
            messages: [], now: LocalTime(year: 2024, month: 2, day: 29, hour: 23, minute: 5))
        #expect(prompt.text == "Thu 29 Feb 2024, 23:05:00, day 060")
        #expect(LocalTime.now().year >= 2024)
    }
}
