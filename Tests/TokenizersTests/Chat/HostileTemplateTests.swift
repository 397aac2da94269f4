import LanguageModels
import Testing
import Tokenizers

@Suite("Hostile templates")
struct HostileTemplateTests {
    private static func sentence(_ source: String, limits: Jinja.Limits = Jinja.Limits()) -> String {
        do {
            return try ChatTemplate(source: source, limits: limits).render(
                messages: [Message(.user, [.text("secret")])]
            ).text
        } catch {
            return error.sentence
        }
    }

    @Test(
        "errors have their line and column",
        arguments: [
            ("a\n{{ 1 + }}", "Chat template, line 2, column 8: expected an expression, found `}}`."),
            (
                "{% if x %}",
                "Chat template, line 1, column 11: unexpected end of the template. Expected `{% elif %}` or `{% else %}` or `{% endif %}`."
            ),
            ("é{{ 'a", "Chat template, line 1, column 5: unclosed string"),
            ("{% nope %}", "Chat template, line 1, column 4: unknown statement `nope`."),
            ("{{ [1) }}", "Chat template, line 1, column 6: expected `]`, found `)`"),
            (
                "\n\n  {{ messages[0].content + 1 }}",
                "Chat template, line 3, column 26: `+` does not support a string and an integer."
            ),
            ("{{ x.y }}", "Chat template, line 1, column 5: `x` is undefined."),
            ("{{ 'a'|nope }}", "Chat template, line 1, column 7: unknown filter `nope`."),
            (
                "{{ messages.append(1) }}",
                "Chat template, line 1, column 19: `append` would modify a list, which templates must not do."
            ),
            (
                "{{ raise_exception('one system message only') }}",
                "Chat template, line 1, column 19: the template rejected the conversation: one system message only"
            ),
            (
                "{% include 'x' %}",
                "Chat template, line 1, column 4: `include` is not supported: a chat template cannot load other templates."
            ),
        ])
    func sentences(source: String, sentence: String) {
        #expect(Self.sentence(source) == sentence)
    }

    @Test(
        "excessive time or memory is an error",
        arguments: [
            ("{{ 'x' * 999999999 }}", "exceeds"),
            (
                "{% set x = 'x' * 4096 %}{% for i in range(9) %}{% set x = x * 999 %}{{ x * 999 }}{% endfor %}",
                "exceeds"
            ),
            ("{{ [0] * 99999999 }}", "exceeds"), ("{{ range(99999999) }}", "100,000"),
            ("{{ range(-9223372036854775807, 9223372036854775807) }}", "100,000"),
            ("{% for a in range(9999) %}{% for b in range(9999) %}{% endfor %}{% endfor %}", "too many steps"),
            ("{% macro m() %}{{ m() }}{% endmacro %}{{ m() }}", "levels deep"),
            ("{% macro m(x) %}{{ m(x + 1) }}{% endmacro %}{{ m(1) }}", "levels deep"),
            ("{% macro m(x) %}{{ m([x]) }}{% endmacro %}{{ m(1) }}", "nested deeper"),
            ("{% for x in [[1]] recursive %}{{ loop([[1]]) }}{% endfor %}", "levels deep"),
            (
                "{% set ns = namespace(x=[]) %}{% for i in range(9999) %}{% set ns.x = [ns.x] %}{% endfor %}",
                "nested deeper"
            ),
            (
                "{% set ns = namespace(x={}) %}{% for i in range(9999) %}{% set ns.x = {'a': ns.x} %}{% endfor %}",
                "nested deeper"
            ),
            (
                "{% set ns = namespace(x='a') %}{% for i in range(9999) %}{% set ns.x = ns.x|map('upper') %}{% endfor %}{{ ns.x|list }}",
                "nested deeper"
            ),
            (
                "{% set ns = namespace(x=[1]) %}{% for i in range(150) %}{% set ns.x = [ns.x, ns.x] %}{% endfor %}{{ ns.x == ns.x|list }}",
                "exceeds"
            ),
            (
                "{% set ns = namespace(x='ab') %}{% for i in range(60) %}{% set ns.x = ns.x + ns.x %}{% endfor %}",
                "exceeds"
            ),
            ("{{ '%999999999d' % 1 }}", "exceeds"), ("{{ '{:>999999999}'.format(1) }}", "exceeds"),
            ("{{ 'x'.center(999999999) }}", "exceeds"), ("{{ 'a\nb'|indent(999999999) }}", "exceeds"),
            ("{{ ('a\n' * 9999)|indent(9999) }}", "exceeds"),
            ("{{ [[1]]|tojson(indent=999999999) }}", "exceeds"),
            ("{{ (['a'] * 9999)|join('b' * 9999) }}", "exceeds"),
            ("{{ ('a' * 9999)|replace('a', 'b' * 9999) }}", "exceeds"),
            (
                "{{ ''|replace('', 'b' * 9)|batch(999999999, 'x')|list }}{{ [1]|batch(999999999, 'x')|list }}",
                "exceeds"
            ),
            ("{{ [1]|slice(999999999)|list }}", "exceeds"), ("{{ '%.99999f' % 1 }}", "1,000 digits"),
            ("{{ 9223372036854775807 + 1 }}", "64 bits"), ("{{ 2 ** 64 }}", "64 bits"),
            ("{{ -(-9223372036854775807 - 1) }}", "64 bits"),
            ("{{ (-9223372036854775807 - 1) // -1 }}", "64 bits"), ("{{ 1e300|int }}", "64 bits"),
        ])
    func limits(source: String, part: String) {
        var limits = Jinja.Limits()
        limits.textBytes = 1 << 20
        limits.work = 1 << 24
        let sentence = Self.sentence(source, limits: limits)
        #expect(sentence.contains(part), "\(sentence.prefix(200))")
    }

    @Test(
        "sources that are nested too deeply are refused",
        arguments: [
            ("{{ ", "(", "1", ")", " }}"), ("{{ ", "[", "1", "]", " }}"), ("{{ ", "{1:", "1", "}", " }}"),
            ("{{ f", "(f", "", ")", " }}"), ("{{ f", "[f", "", "]", " }}"), ("{{ 1", "+1", "", "", " }}"),
            ("{{ a", ".b", "", "", " }}"), ("{{ a", "|e", "", "", " }}"), ("{{ a", "()", "", "", " }}"),
            ("{{ ", "not ", "1", "", " }}"), ("{{ - ", "-", "1", "", " }}"), ("{{ 1", " if 1 else 1", "", "", " }}"),
            ("{{ 1", " if 1", "", "", " }}"), ("{{ 1", " and 1", "", "", " }}"),
            ("{{ 1", " is odd() or 1", "", "", " }}"),
            ("", "{% if 1 %}", "", "{% endif %}", ""), ("", "{% for a in b %}", "", "{% endfor %}", ""),
            ("", "{% if 1 %}{% else %}", "", "{% endif %}", ""), ("{% set ", "(", "x", ")", " = 1 %}"),
        ])
    func nesting(start: String, open: String, middle: String, close: String, end: String) {
        let source =
            start + String(repeating: open, count: 9999) + middle + String(repeating: close, count: 9999) + end
        #expect(Self.sentence(source).contains("nested deeper"))
    }

    @Test("a source of more than a mebibyte is refused")
    func longSource() {
        #expect(Self.sentence(String(repeating: "a", count: 2_000_000)).contains("1048576 bytes"))
    }

    @Test("a namespace can contain itself")
    func cycles() {
        #expect(
            Self.sentence("{% set n = namespace() %}{% set n.n = n %}{% set n.l = [n] %}{{ n.n.n.l[0] == n }}{{ [n] }}")
                == "True[<namespace>]")
    }

    @Test("searches take linear time whatever is searched")
    func searches() {
        var limits = Jinja.Limits()
        limits.work = 1 << 30
        let source = """
            {% set a = 'a' * 2000000 %}{% set b = 'a' * 1000000 + 'b' %}
            {{ a.find(b) }} {{ a.rfind('b' + b) }} {{ a.count(b) }} {{ a.split(b)|length }} {{ a.rsplit(b)|length }} {{ b in a }}
            """
        #expect(Self.sentence(source, limits: limits).split(separator: " ") == ["-1", "-1", "0", "1", "1", "False"])
    }

    @Test("mutated templates end in a text or a sentence", arguments: 0..<4)
    func mutations(seed: UInt64) {
        var fuzzer = TemplateFuzzer(seed: seed)
        var limits = Jinja.Limits()
        limits.work = 200_000
        var rendered = 0
        for _ in 0..<500 {
            let source = fuzzer.next()
            do {
                let prompt = try ChatTemplate(source: source, limits: limits).render(
                    messages: TemplateFuzzer.messages, tools: TemplateFuzzer.tools)
                #expect(prompt.spans.last?.range.upperBound ?? 0 == prompt.text.utf8.count)
                rendered += 1
                fuzzer.keep(source)
            } catch {
                #expect(error.sentence.utf8.count < 2_000_000)
            }
        }
        #expect(rendered > 30)
    }
}
