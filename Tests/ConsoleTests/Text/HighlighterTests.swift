import Console
import Testing

/// Returns the runs of highlighted text as role and text, without runs of plain text.
func roles(_ text: String, _ language: Language) -> [String] {
    let styled = StyledText(text, language: language)
    var start = 0
    var words: [String] = []
    let bytes = Array(styled.text.utf8)
    for run in styled.runs {
        let piece = String(decoding: bytes[start..<run.end], as: UTF8.self)
        var role = run.role.rawValue
        if run.attributes.contains(.bold) { role += "+bold" }
        if run.attributes.contains(.italic) { role += "+italic" }
        if role != "text" { words.append("\(role) \(piece.debugDescription)") }
        start = run.end
    }
    return words
}

@Suite("Highlighters")
struct HighlighterTests {
    @Test("JSON names, values, and punctuation have their own roles")
    func json() {
        #expect(
            roles(#"{"a\"b": "c", "n": -1.5e3, "t": true}"#, .json) == [
                #"punctuation "{""#, #"property "\"a\\\"b\"""#, #"punctuation ":""#, #"string "\"c\"""#,
                #"punctuation ",""#, #"property "\"n\"""#, #"punctuation ":""#, #"number "-1.5e3""#,
                #"punctuation ",""#, #"property "\"t\"""#, #"punctuation ":""#, #"constant "true""#,
                #"punctuation "}""#,
            ])
    }

    @Test("an unclosed JSON string ends at the end of its line")
    func unclosedString() {
        #expect(roles("\"open\n1", .json) == ["string \"\\\"open\"", "number \"1\""])
    }

    @Test("Markdown headings, lists, quotations, code, and emphasis have their own roles")
    func markdown() {
        #expect(roles("## A heading", .markdown) == ["heading \"## A heading\""])
        #expect(roles("- [x] done", .markdown) == ["accent \"- [x]\""])
        #expect(roles("1. one", .markdown) == ["accent \"1.\""])
        #expect(roles("> said", .markdown) == ["accent \"> \"", "quote \"said\""])
        #expect(roles("an `eof` twice", .markdown) == ["faint \"`\"", "code \"eof\"", "faint \"`\""])
        #expect(
            roles("so **very** *much* ok", .markdown) == [
                "faint \"**\"", "text+bold \"very\"", "faint \"**\"", "faint \"*\"", "text+italic \"much\"",
                "faint \"*\"",
            ])
        #expect(roles("snake_case_name 2 * 3 * 4 and **open", .markdown) == [])
        #expect(
            roles("see [the docs](https://x.y) now", .markdown) == [
                "dim \"[\"", "link \"the docs\"", "dim \"](https://x.y)\"",
            ])
    }

    @Test("fenced code in Markdown is highlighted in its own language")
    func fencedCode() {
        let text = "```swift\nlet x = 1 /* a\n# b */\n```\n# after"
        #expect(
            roles(text, .markdown) == [
                "dim \"```swift\"", "keyword \"let\"", "punctuation \"=\"", "number \"1\"", "comment \"/* a\"",
                "comment \"# b */\"", "dim \"```\"", "heading \"# after\"",
            ])
        #expect(
            roles("~~~\n```\n~~~\n*i*", .markdown) == [
                "dim \"~~~\"", "code \"```\"", "dim \"~~~\"", "faint \"*\"", "text+italic \"i\"", "faint \"*\"",
            ])
    }

    @Test("the line counts of a hunk distinguish its contents from file headers")
    func diffs() {
        let text = """
            diff --git a/x b/x
            --- a/x
            +++ b/x
            @@ -1,2 +1,2 @@ func f
             same
            --- removed, not a header
            +++ added, not a header
            --- a/y
            """
        #expect(
            roles(text, .diff) == [
                "heading \"diff --git a/x b/x\"", "heading \"--- a/x\"", "heading \"+++ b/x\"",
                "diffHunk \"@@ -1,2 +1,2 @@\"", "dim \" func f\"", "diffRemoved \"--- removed, not a header\"",
                "diffAdded \"+++ added, not a header\"", "heading \"--- a/y\"",
            ])
    }

    @Test(
        "code is highlighted by the grammar of its language",
        arguments: [
            (
                Language.swift, "func f() -> Int { 0x1F } // no",
                ["keyword func", "function f", "type Int", "number 0x1F", "comment // no"]
            ),
            (.swift, "let s = #\"a\"b\"#", ["keyword let", "string #\"a\"b\"#"]),
            (
                .python, "@cached\ndef f(x): return None # n",
                ["keyword @cached", "keyword def", "function f", "keyword return", "constant None", "comment # n"]
            ),
            (
                .python, "\"\"\"a\nb\"\"\"\nif x: pass",
                ["string \"\"\"a", "string b\"\"\"", "keyword if", "keyword pass"]
            ),
            (.javascript, "const s = `a\nb` + null", ["keyword const", "string `a", "string b`", "constant null"]),
            (.c, "#include <x.h>\nint main(void)", ["keyword #include", "type int", "function main", "type void"]),
            (.rust, "/* a /* b */ c */ fn x<'a>()", ["comment /* a /* b */ c */", "keyword fn", "keyword 'a"]),
            (
                .go, "func main() { var s = `raw\n` }",
                ["keyword func", "function main", "keyword var", "string `raw", "string `"]
            ),
            (.java, "public int x = 1.5f;", ["keyword public", "type int", "number 1.5f"]),
            (.shell, "echo \"$HOME\" ${x} a#b # c", ["type echo", "string \"$HOME\"", "property ${x}", "comment # c"]),
            (
                .sql, "SELECT a FROM t WHERE b = 'it''s' -- c",
                ["keyword SELECT", "keyword FROM", "keyword WHERE", "string 'it''s'", "comment -- c"]
            ),
            (.toml, "[a.b]\nkey = true # c", ["heading [a.b]", "property key ", "constant true", "comment # c"]),
            (
                .yaml, "- key: yes\n  url: http://x # c",
                ["property key", "constant yes", "property url", "comment # c"]
            ),
            (
                .html, "<a href=\"x\">&amp;</a><!-- c\nd -->",
                [
                    "keyword a", "property href", "string \"x\"", "constant &amp;", "keyword a", "comment <!-- c",
                    "comment d -->",
                ]
            ),
        ])
    func code(language: Language, text: String, expected: [String]) {
        let styled = StyledText(text, language: language)
        let bytes = Array(text.utf8)
        var start = 0
        var found: [String] = []
        for run in styled.runs {
            let piece = String(decoding: bytes[start..<run.end], as: UTF8.self)
            start = run.end
            if run.role != .text, run.role != .punctuation { found.append("\(run.role.rawValue) \(piece)") }
        }
        #expect(found == expected)
    }

    @Test("runs cover any text once and in order, and the text stays the same", arguments: Language.allCases)
    func coverage(language: Language) {
        var generator = SeededGenerator(Int(language.rawValue))
        let signs = [
            "\"", "'", "`", "```", "/*", "*/", "//", "#", "<", ">", "<!--", "{", "}", "\\", "**", "_", "[", "](",
            "@@ -1 +1 @@", "é", "行", "\n", "\n", " ", "x", "9", "\"\"\"", "$", "&", ":", "=", "~~~", "\u{1B}", "---",
        ]
        for _ in 0..<60 {
            let text = (0..<Int.random(in: 0..<120, using: &generator))
                .map { _ in signs.randomElement(using: &generator) ?? "" }.joined()
            let styled = StyledText(text, language: language)
            #expect(styled.text == text)
            var end = 0
            for run in styled.runs {
                #expect(run.end > end)
                end = run.end
            }
            #expect(end == text.utf8.count)
        }
    }

    @Test("a line split into pieces keeps its colors")
    func pieces() {
        let text = "{\"content\": \"" + String(repeating: "let x = \\\"1\\\" ", count: 400) + "\", \"n\": 1}"
        let whole = StyledText(text, language: .json)
        let document = TextDocument(text, stride: 600)
        var runs = HighlightRuns()
        var state = Highlighter(.json).initialState
        var pieces = 0
        document.withBytes { bytes in
            var next: Int? = 0
            while let start = next {
                let segment = document.segment(from: start, in: bytes)
                Highlighter(.json).highlight(bytes, segment, state: &state, into: &runs)
                next = segment.next
                pieces += 1
            }
        }
        #expect(pieces > 5)
        #expect(runs.runs == whole.runs)
    }

    @Test(
        "languages are recognized by name and by file extension",
        arguments: [
            ("swift", Language.swift), ("PY", .python), ("c++", .c), ("jsonl", .json), ("sh", .shell), ("yml", .yaml),
        ])
    func names(name: String, language: Language) {
        #expect(Language(name: name) == language)
        #expect(Language(path: "a/b.c/file.\(name)") == language)
    }

    @Test("the language is guessed from the first bytes")
    func guessing() {
        #expect(Language(guessing: "  {\"a\": 1}") == .json)
        #expect(Language(guessing: "[1, 2]") == .json)
        #expect(Language(guessing: "[INFO] started") == .plain)
        #expect(Language(guessing: "diff --git a/x b/x") == .diff)
        #expect(Language(guessing: "#!/usr/bin/env python3") == .python)
        #expect(Language(guessing: "<!DOCTYPE html>") == .html)
        #expect(Language(guessing: "hello") == .plain)
        #expect(Language(guessing: "") == .plain)
        #expect(Language(name: "brainfuck") == nil)
    }
}
