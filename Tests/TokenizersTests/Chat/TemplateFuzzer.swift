import LanguageModels

/// Makes templates by mutating templates: pieces of the language moved, doubled, cut and replaced. Seeded.
struct TemplateFuzzer {
    private var state: UInt64
    private var corpus: [String]

    static let messages = [
        Message(.system, [.text("S")]), Message(.user, [.text("U é\n")]),
        Message(
            .assistant, [.text("A"), .toolCall(ToolCall(id: "abcdefghi", name: "f", arguments: #"{"x":[1,"y"]}"#))]),
        Message(.tool, [.toolResult(ToolResult(callID: "abcdefghi", content: "R", isError: false))]),
    ]
    static let tools = [ToolDefinition(name: "f", description: "d", parameters: #"{"type":"object","properties":{}}"#)]

    private static let pieces = [
        "{{", "}}", "{%", "%}", "{#", "#}", "{%-", "-%}", "{%+", "|", ".", ",", "(", ")", "[", "]", "{", "}", ":", "=",
        "==", "~", "+", "-",
        "*", "**", "/", "//", "%", "<", " in ", " not ", " and ", " or ", " if ", " else ", " is ", " is defined",
        "messages", "tools", "m",
        "loop", "loop.index", "loop.last", "loop.nextitem", "ns", "ns.x", "range(3)", "namespace(x=1)", "dict(a=1)",
        "x", "'a'", "\"é\"", "1",
        "0", "-1", "9223372036854775807", "1.5", "none", "true", "[::-1]", "[1:]", "['role']", ".content", ".role",
        "|tojson", "|trim",
        "|length", "|join(',')", "|map('upper')", "|selectattr('role', 'equalto', 'user')", "|list", "|first", "|last",
        "|sort", "|unique",
        "|items", "|dictsort", "|batch(2)", "|groupby('role')", "|indent(2)", "|replace('a','b')", "|default(1)",
        "|format(1)", "|int", "|round(1)",
        ".split('a')", ".strip()", ".items()", ".get('x')", ".format(1)", ".startswith('a')", "{% for m in messages %}",
        "{% endfor %}",
        "{% if m %}", "{% elif x %}", "{% else %}", "{% endif %}", "{% set x = 1 %}", "{% set ns = namespace() %}",
        "{% set ns.x = m %}",
        "{% set x %}", "{% endset %}", "{% macro f(a, b=1) %}", "{% endmacro %}", "{{ f(1) }}", "{% call f(1) %}",
        "{% endcall %}",
        "{% filter upper %}", "{% endfilter %}", "{% break %}", "{% continue %}", "{% raw %}", "{% endraw %}",
        "{% generation %}",
        "{% endgeneration %}", "{{ raise_exception('x') }}", "\n", "  ", "\t", "\r\n", "é", "\u{1F600}", "\u{0}", "\\",
        "'", "\"", "<|im_start|>",
    ]

    init(seed: UInt64) {
        state = seed &* 0xD134_2543_DE82_EF95 &+ 0x1234_5678_9ABC_DEF1
        corpus = [
            """
            {%- set ns = namespace(x='') %}{% for m in messages %}{% if m.role == 'user' %}{{ '<u>' + m.content|trim }}
            {%- elif m.tool_calls is defined %}{% for c in m.tool_calls %}{{ c.function.arguments|tojson }}{% endfor %}
            {%- else %}{{ m['content'][::-1] }}{% endif %}{% set ns.x = ns.x ~ loop.index %}{% endfor %}{{ ns.x }}
            """,
            """
            {% macro f(a, b=2) %}{{ a }}{{ b }}{{ varargs }}{% endmacro %}{{ f(messages|length, b=tools|tojson(indent=2)) }}
            {% set x %}{% filter upper %}{{ messages|map(attribute='role')|join(', ') }}{% endfilter %}{% endset %}{{ x.split(',')[-1] }}
            """,
            """
            {% for k, v in messages[0].items() %}{{ '%s=%r' % (k, v) }}{{ loop.previtem }}{% if not loop.last %}, {% endif %}{% endfor %}
            {{ (1 + 2 * 3 ** 2 // 4 % 5 - -1) ~ [1, 'a', {'b': none}] ~ ('x' if tools else 'y') }}{# c #}{% raw %}{{ }}{% endraw %}
            """,
        ]
    }

    /// SplitMix64 (Steele, Lea, Flood 2014).
    private mutating func random(_ bound: Int) -> Int {
        state &+= 0x9E37_79B9_7F4A_7C15
        var mixed = state
        mixed = (mixed ^ (mixed >> 30)) &* 0xBF58_476D_1CE4_E5B9
        mixed = (mixed ^ (mixed >> 27)) &* 0x94D0_49BB_1331_11EB
        return Int((mixed ^ (mixed >> 31)) % UInt64(max(1, bound)))
    }

    /// A template to go on from, for instance because it renders.
    mutating func keep(_ source: String) {
        if source.utf8.count > 3000 { return }
        if corpus.count < 60 { corpus.append(source) } else { corpus[3 + random(57)] = source }
    }

    mutating func next() -> String {
        var words = Self.words(of: corpus[random(corpus.count)])
        for _ in 0...random(2) {
            let place = random(words.count)
            switch random(6) {
            case 0: words.remove(at: place)
            case 1: words.insert(words[place], at: random(words.count))
            case 2: words[place] = Self.pieces[random(Self.pieces.count)]
            case 3: words.swapAt(place, random(words.count))
            case 4: words.insert(Self.pieces[random(Self.pieces.count)], at: place)
            default:
                let end = min(words.count, place + random(20))
                words.insert(contentsOf: words[place..<end], at: random(words.count))
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
}
