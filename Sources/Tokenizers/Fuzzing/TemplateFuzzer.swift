package import LanguageModels

/// Makes templates by mutating templates: pieces of the language moved, doubled, cut and replaced.
package struct TemplateFuzzer {
    private var choices: SeededChoices
    private var corpus: [String]

    package static let messages = [
        Message(.system, [.text("S")]), Message(.user, [.text("U é\n")]),
        Message(
            .assistant, [.text("A"), .toolCall(ToolCall(id: "abcdefghi", name: "f", arguments: #"{"x":[1,"y"]}"#))]),
        Message(.tool, [.toolResult(ToolResult(callID: "abcdefghi", content: "R", isError: false))]),
    ]
    package static let tools = [
        ToolDefinition(name: "f", description: "d", parameters: #"{"type":"object","properties":{}}"#)
    ]

    private static let pieces = [
        "{{", "}}", "{%", "%}", "{#", "#}", "{%-", "-%}", "{%+", "|", ".", ",", "(", ")", "[", "]", "{", "}", ":", "=",
        "==", "~", "+", "-", "*", "**", "/", "//", "%", "<", " in ", " not ", " and ", " or ", " if ", " else ",
        " is ", " is defined", "messages", "tools", "m", "loop", "loop.index", "loop.last", "loop.nextitem", "ns",
        "ns.x", "range(3)", "namespace(x=1)", "dict(a=1)", "x", "'a'", "\"é\"", "1", "0", "-1", "9223372036854775807",
        "1.5", "none", "true", "[::-1]", "[1:]", "['role']", ".content", ".role", "|tojson", "|trim", "|length",
        "|join(',')", "|map('upper')", "|selectattr('role', 'equalto', 'user')", "|list", "|first", "|last", "|sort",
        "|unique", "|items", "|dictsort", "|batch(2)", "|groupby('role')", "|indent(2)", "|replace('a','b')",
        "|default(1)", "|format(1)", "|int", "|round(1)", ".split('a')", ".strip()", ".items()", ".get('x')",
        ".format(1)", ".startswith('a')", "{% for m in messages %}", "{% endfor %}", "{% if m %}", "{% elif x %}",
        "{% else %}", "{% endif %}", "{% set x = 1 %}", "{% set ns = namespace() %}", "{% set ns.x = m %}",
        "{% set x %}", "{% endset %}", "{% macro f(a, b=1) %}", "{% endmacro %}", "{{ f(1) }}", "{% call f(1) %}",
        "{% endcall %}", "{% filter upper %}", "{% endfilter %}", "{% break %}", "{% continue %}", "{% raw %}",
        "{% endraw %}", "{% generation %}", "{% endgeneration %}", "{{ raise_exception('x') }}", "\n", "  ", "\t",
        "\r\n", "é", "\u{1F600}", "\u{0}", "\\", "'", "\"", "<|im_start|>",
    ]

    /// - Parameter templates: Starting points of mutations, in addition to a few built-in ones.
    package init(seed: UInt64, templates: [String] = []) {
        choices = SeededChoices(seed: seed)
        corpus =
            [
                """
                {%- set ns = namespace(x='') %}{% for m in messages %}{% if m.role == 'user' %}{{ '<u>' + m.content|trim }}
                {%- elif m.tool_calls is defined %}{% for c in m.tool_calls %}{{ c.function.arguments|tojson }}{% endfor %}
                {%- else %}{{ m['content'][::-1] }}{% endif %}{% set ns.x = ns.x ~ loop.index %}{% endfor %}{{ ns.x }}
                """,
                """
                {% macro f(a, b=2) %}{{ a }}{{ b }}{{ varargs }}{% endmacro %}{{ f(messages|length, b=tools|tojson(indent=2)) }}
                {% set x %}{% filter upper %}{{ messages|map(attribute='role')|join(', ') }}{% endfilter %}{% endset %}
                {{ x.split(',')[-1] }}
                """,
                """
                {% for k, v in messages[0].items() %}{{ '%s=%r' % (k, v) }}{{ loop.previtem }}{% if not loop.last %}, {% endif %}
                {%- endfor %}{{ (1 + 2 * 3 ** 2 // 4 % 5 - -1) ~ [1, 'a', {'b': none}] ~ ('x' if tools else 'y') }}{# c #}
                {%- raw %}{{ }}{% endraw %}
                """,
            ] + templates
    }

    /// A template to go on from, for instance because it renders.
    package mutating func keep(_ source: String) {
        if source.utf8.count > 3000 { return }
        if corpus.count < 60 { corpus.append(source) } else { corpus[3 + choices.below(57)] = source }
    }

    /// The next template, of one to three changes.
    package mutating func next() -> String {
        var words = Self.words(of: corpus[choices.below(corpus.count)])
        for _ in 0...choices.below(3) {
            let place = choices.below(words.count)
            switch choices.below(6) {
            case 0: words.remove(at: place)
            case 1: words.insert(words[place], at: choices.below(words.count))
            case 2: words[place] = Self.pieces[choices.below(Self.pieces.count)]
            case 3: words.swapAt(place, choices.below(words.count))
            case 4: words.insert(Self.pieces[choices.below(Self.pieces.count)], at: place)
            default:
                let end = min(words.count, place + choices.below(20))
                words.insert(contentsOf: words[place..<end], at: choices.below(words.count))
            }
            if words.isEmpty { words = ["{{", "x", "}}"] }
        }
        return words.joined()
    }

    /// A template cut into names, numbers, white space, brackets of tags, and single characters.
    private static func words(of source: String) -> [String] {
        var words: [String] = []
        for character in source {
            let text = String(character)
            let joins = words.last.map { last in
                ["{{", "}}", "{%", "%}", "{#", "#}"].contains(last + text)
                    || last.allSatisfy(\.isLetter) && character.isLetter
                    || last.allSatisfy(\.isNumber) && character.isNumber
                    || last.allSatisfy(\.isWhitespace) && character.isWhitespace
            }
            if joins == true { words[words.count - 1] += text } else { words.append(text) }
        }
        return words
    }

    /// Renders `count` templates, going on from those that render.
    ///
    /// - Parameter templates: Starting points of mutations, in addition to a few built-in ones.
    package static func run(on templates: [String] = [], seed: UInt64, count: Int) -> FuzzReport {
        var fuzzer = TemplateFuzzer(seed: seed, templates: templates)
        var limits = Jinja.Limits()
        limits.work = 200_000
        var report = FuzzReport()
        for number in 0..<count {
            let source = fuzzer.next()
            report.runs += 1
            do {
                let prompt = try ChatTemplate(source: source, limits: limits).render(messages: messages, tools: tools)
                report.read += 1
                if (prompt.spans.last?.range.upperBound ?? 0) != prompt.text.utf8.count {
                    report.note("spans that do not cover the text", of: UInt64(number))
                }
                fuzzer.keep(source)
            } catch {
                report.refused += 1
                if error.sentence.utf8.count > 2 << 20 {
                    report.note("a sentence too long to read", of: UInt64(number))
                }
            }
        }
        return report
    }
}
