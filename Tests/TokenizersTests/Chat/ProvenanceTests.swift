import JSON
import LanguageModels
import Testing
import Tokenizers

@Suite("Where a prompt's bytes come from")
struct ProvenanceTests {
    private static let messages = [
        Message(.system, [.text("Be kind")]), Message(.user, [.text(" Hi, Bob ")]),
        Message(
            .assistant,
            [.text("Let me see"), .toolCall(ToolCall(id: "c1", name: "look", arguments: #"{"at":["sky",1.5,true]}"#))]),
        Message(.tool, [.toolResult(ToolResult(callID: "c1", content: "blue", isError: false))]),
    ]
    private static let tools = [
        ToolDefinition(name: "look", description: "looks", parameters: #"{"type":"object","n":2}"#)
    ]

    /// The text with the origin's first letter before each span: `template` is `~`.
    private static func marked(_ prompt: RenderedPrompt) -> String {
        let bytes = Array(prompt.text.utf8)
        return prompt.spans.map { span in
            let letter = ["~", "s:", "u:", "a:", "t:"][Int(span.origin.rawValue)]
            return "[\(letter)\(String(decoding: bytes[span.range], as: UTF8.self))]"
        }.joined()
    }

    private static func render(_ template: String) throws -> RenderedPrompt {
        try ChatTemplate(source: "{% set s = messages[0].content %}{% set u = messages[1].content %}" + template)
            .render(
                messages: messages, tools: tools,
                variables: ["v": .string("var"), "documents": .array([.string("doc")])],
                specialTokens: ["bos_token": "<s>"])
    }

    @Test(
        "origins survive every operation on texts",
        arguments: [
            ("<|{{ messages[0].role }}|>{{ s }}", "[~<|system|>][s:Be kind]"),
            ("{{ 'a' + u + 'b' }}", "[~a][u: Hi, Bob ][~b]"),
            ("{{ 'a' ~ s ~ u }}", "[~a][s:Be kind][u: Hi, Bob ]"),
            ("{{ u|trim }}{{ u.strip() }}", "[u:Hi, BobHi, Bob]"),
            ("{{ (s + u)[3:12] }}", "[s:kind][u: Hi, ]"),
            ("{{ (s + u)[::-1] }}", "[u: boB ,iH ][s:dnik eB]"),
            ("{{ (s + u)[0] }}{{ (s + u)[-2] }}", "[s:B][u:b]"),
            ("{{ (s + u)|upper }}{{ s|lower }}", "[s:BE KIND][u: HI, BOB ][s:be kind]"),
            ("{{ u.replace('Bob', s) }}", "[u: Hi, ][s:Be kind][u: ]"),
            ("{{ 'x-y'|replace('-', u) }}", "[~x][u: Hi, Bob ][~y]"),
            ("{{ u.split(', ')|join('/') }}", "[u: Hi][~/][u:Bob ]"),
            ("{{ [s, 'm', u]|join(v) }}", "[s:Be kindvar][~m][s:var][u: Hi, Bob ]"),
            ("{{ [s, u]|join }}", "[s:Be kind][u: Hi, Bob ]"),
            ("{{ ('1\n' + u + '\n2')|indent(2) }}", "[~1\n  ][u: Hi, Bob ][~\n  2]"),
            ("{{ '%s|%5s' % (s, 'x') }}", "[s:Be kind][~|    x]"),
            ("{{ '{}{x}'.format(s, x=u) }}", "[s:Be kind][u: Hi, Bob ]"),
            ("{{ {'k': u}|tojson }}", "[~{\"k\": ][u:\" Hi, Bob \"][~}]"),
            ("{{ [u] }}", "[~[][u:' Hi, Bob '][~]]"),
            ("{{ messages[2].tool_calls[0].function.arguments|tojson }}", #"[a:{"at": ["sky", 1.5, true]}]"#),
            ("{{ messages[2].tool_calls[0].function.arguments.at[1] }}", "[a:1.5]"),
            ("{{ messages[2].tool_calls[0].function.name }}{{ messages[2].content }}", "[a:lookLet me see]"),
            ("{{ messages[3].content }}{{ messages[3].name }}", "[t:bluelook]"),
            ("{{ tools[0].function.parameters|tojson(indent=1) }}", "[t:{\n \"type\": \"object\",\n \"n\": 2\n}]"),
            ("{{ tools[0].function.parameters.n }}{{ tools[0].function.parameters.n + 1 }}", "[t:2][~3]"),
            (
                "{% for t in tools %}{{ t|tojson }}{% endfor %}",
                #"[t:{"type": "function", "function": {"name": "look", "description": "looks", "parameters": {"type": "object", "n": 2}}}]"#
            ),
            ("{% set x %}({{ u }}){% endset %}{{ x|trim }}", "[~(][u: Hi, Bob ][~)]"),
            ("{% macro m(x) %}<{{ x }}>{% endmacro %}{{ m(s)|upper }}", "[~<][s:BE KIND][~>]"),
            ("{% filter upper %}a{{ s }}{% endfilter %}", "[~A][s:BE KIND]"),
            (
                "{% set ns = namespace(x='') %}{% for m in messages %}{% set ns.x = ns.x + m.content[:2] %}{% endfor %}{{ ns.x }}",
                "[s:Be][u: H][a:Le][t:bl]"
            ),
            ("{{ messages|map(attribute='content')|map('first')|join }}", "[s:B][u: ][a:L][t:b]"),
            ("{{ s|list|first }}{{ s|title }}{{ s|capitalize }}", "[s:BBe KindBe kind]"),
            ("{{ documents[0] }}{{ v }}{{ bos_token }}{{ strftime_now('%Y') and '' }}", "[t:doc][s:var][~<s>]"),
            ("{{ u.splitlines()[0]|e }}{{ (u|e + '<') }}", "[u: Hi, Bob  Hi, Bob ][~&lt;]"),
            ("{{ s.partition(' ')[2] }}{{ s.center(11, '*') }}", "[s:kind][~**][s:Be kind][~**]"),
            ("{{ s|length }}{{ s == u }}{{ s in u }}", "[~7FalseFalse]"),
            ("{% generation %}{{ messages[2].content }}{% endgeneration %}", "[a:Let me see]"),
            ("{{ s|truncate(4, true, '..', 0) }}{{ s|string|safe }}", "[s:Be][~..][s:Be kind]"),
        ])
    func operations(template: String, expected: String) throws {
        #expect(Self.marked(try Self.render(template)) == expected)
    }

    @Test("spans cover the text without gaps and `origin(at:)` agrees with them")
    func spans() throws {
        let prompt = try ChatTemplate.chatML.render(messages: Self.messages)
        #expect(prompt.spans.first?.range.lowerBound == 0)
        #expect(prompt.spans.last?.range.upperBound == prompt.text.utf8.count)
        for (left, right) in zip(prompt.spans, prompt.spans.dropFirst()) {
            #expect(left.range.upperBound == right.range.lowerBound)
            #expect(left.origin != right.origin)
        }
        for span in prompt.spans { #expect(span.range.allSatisfy { prompt.origin(at: $0) == span.origin }) }
        #expect(prompt.isTemplate(0..<10))
        #expect(!prompt.isTemplate(0..<prompt.text.utf8.count))
    }

    @Test("the training mask marks bytes of the text")
    func generated() throws {
        let source =
            "{% for m in messages if m.role == 'user' %}é{% generation %}{{ m.content|trim }}{% endgeneration %}{% endfor %}"
        let prompt = try ChatTemplate(source: source).render(messages: Self.messages)
        #expect(prompt.text == "éHi, Bob")
        #expect(prompt.generated == [2..<9])
    }
}
