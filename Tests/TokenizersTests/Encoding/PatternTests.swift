import Testing
import Tokenizers

@Suite("Patterns of tokenizers")
struct PatternTests {
    @Test(
        "matches are those of a backtracking engine",
        arguments: [
            ("a|ab", "abab", ["a", "a"]),
            ("(?:ab|a)+c", "aabac abb", ["aabac"]),
            ("a*?b", "aab b", ["aab", "b"]),
            ("a++b|a+", "aaab aaa", ["aaab", "aaa"]),
            ("a++ab", "aaab", []),
            ("(?>a|ab)c", "abc ac", ["ac"]),
            (#"\s+(?!\S)|\s+"#, "a   b  ", ["  ", " ", "  "]),
            ("x(?=y)", "xy xz", ["x"]),
            (#"(?<=\d)a"#, "1a a", ["a"]),
            (#"(?<!\d)a"#, "1a ba", ["a"]),
            (#"\p{Lu}\p{Ll}+"#, "Äpfel apfel Ωmega", ["Äpfel", "Ωmega"]),
            (#"\P{L}+"#, "ab12cd", ["12"]),
            (#"[^\s\p{L}]+"#, "a1-b ?", ["1-", "?"]),
            ("(?i:straße)", "STRAßE straße", ["STRAßE", "straße"]),
            ("(?i)'s", "'s 'S '\u{17F}", ["'s", "'S", "'\u{17F}"]),
            (#"[\p{L}&&[^a-c]]+"#, "abcdéf", ["déf"]),
            (#"\p{Han}+"#, "東京 tower", ["東京"]),
            ("[0-9]{2}", "12345", ["12", "34"]),
            ("[0-9]{1,2}+", "12345", ["12345"]),
            ("a{,2}b", "aaab", ["aab"]),
            ("^a|b$", "a\na b\nb", ["a", "a", "b", "b"]),
            (#"\bfoo\b"#, "foo food foo", ["foo", "foo"]),
            ("[一-龥]", "一a龥", ["一", "龥"]),
            (#"\x41\u00e9\x{1F600}"#, "Aé😀", ["Aé😀"]),
            (".+", "ab\ncd", ["ab", "cd"]),
        ])
    func matches(pattern: String, text: String, wanted: [String]) throws {
        let bytes = Array(text.utf8)
        let found = try Pattern(pattern).matches(in: bytes).map { String(decoding: bytes[$0], as: UTF8.self) }
        #expect(found == wanted)
    }

    @Test(
        "errors name unsupported syntax",
        arguments: [
            ("(a", "pattern, character 2: unclosed group."),
            ("a)", "pattern, character 1: unexpected ')'."),
            ("[a", "pattern, character 2: unclosed character class."),
            ("*a", "pattern, character 0: '*' has nothing to repeat."),
            (#"\p{Klingon}"#, "pattern, character 11: unknown property Klingon."),
            (#"(a)\1"#, "pattern, character 5: unknown escape '1'."),
            ("(a*)*", "pattern, character 5: unlimited repetition of an element that can be empty."),
            ("a{9999}", "pattern, character 7: a repetition exceeds 1,000."),
            ("((a{900}){900}){900}", "pattern: the compiled pattern exceeds 20,000 instructions."),
            ("(?<=ab)c", "pattern, character 7: lookbehind must match exactly one character."),
            ("[z-a]", "pattern, character 4: the bounds of a range are reversed."),
        ])
    func refusals(pattern: String, sentence: String) {
        #expect(throws: TokenizerError.self) { try Pattern(pattern) }
        do {
            _ = try Pattern(pattern)
        } catch {
            #expect(error.sentence == sentence)
        }
    }

    @Test("a pattern made to take for ever comes to an end")
    func bombs() throws {
        let text = Array(String(repeating: "a", count: 400).utf8)
        for pattern in ["(?:a|a)+b", "(?:a?){30}a{30}b", "(?:(?:a+)+)+b", "(?:a|aa)+$b"] {
            #expect(try Pattern(pattern).matches(in: text).isEmpty)
        }
    }

    @Test("deep nesting is refused, and long texts need no stack")
    func depth() throws {
        let deep = String(repeating: "(", count: 5_000) + "a" + String(repeating: ")", count: 5_000)
        #expect(throws: TokenizerError.self) { try Pattern(deep) }
        let text = Array(String(repeating: "ab", count: 100_000).utf8)
        #expect(try Pattern("(?:ab)+").matches(in: text) == [0..<200_000])
    }
}
