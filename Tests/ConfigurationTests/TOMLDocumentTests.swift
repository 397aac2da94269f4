import Configuration
import TOMLKit
import Testing

@Suite("TOML documents")
struct TOMLDocumentTests {
    @Test(
        "an invalid table name is an error with its line and does not abort the process",
        arguments: [
            "[data]\n[\u{11}", "[data]\n[.\n", "a = 1\n[[=]]", "\n[ [x]]", "#c\n[[[x]]]", "a=\"\"\"\n[x]\n\"\"\"\n[é]",
        ])
    func rejectsHeader(_ text: String) throws {
        let problem = #expect(throws: TOMLProblem.self) { _ = try TOMLDocument(text) }
        #expect(problem?.words.contains("between [ and ]") == true)
        #expect(
            problem?.line == text.split(separator: "\n", omittingEmptySubsequences: false).count
                - (text.hasSuffix("\n") ? 1 : 0))
    }

    @Test("a bracket at the start of a line is not a table header inside an array or a multiline string")
    func readsNestedLists() throws {
        let text =
            "a = [\n  [1, 2],\n[-0.5e0, 3],\n[\n], # [=\n]\nb = '''\n[=]\n'''\nc = \"\"\"\\\n[.]\"\"\"\"\n[d]\ne = { f = [\n[ 1 ]] }\n"
        let document = try TOMLDocument(text)
        #expect(document.root["a"]?.array?.count == 3)
        #expect(document.lines["b"] == 7)
        #expect(document.lines["c"] == 10)
        #expect(document.lines["d"] == 12)
        #expect(document.lines["d.e"] == 13)
    }

    @Test("deeply nested tables and null bytes are rejected")
    func rejectsDeepNestingAndNullBytes() {
        let nested = "[" + Array(repeating: "a", count: 100_000).joined(separator: ".") + "]"
        #expect(throws: TOMLProblem.self) { try TOMLDocument(nested) }
        #expect(throws: TOMLProblem.self) { try TOMLDocument(String(nested.dropFirst().dropLast()) + " = 1") }
        let problem = #expect(throws: TOMLProblem.self) { _ = try TOMLDocument("a = 1\nb = 2\u{0}\n[c") }
        #expect(problem?.line == 2)
        #expect(problem?.words == "unexpected null byte")
    }

    @Test("parser errors include a line number")
    func reportsLine() {
        let problem = #expect(throws: TOMLProblem.self) { _ = try TOMLDocument("a = 1\r\nb = \r\n") }
        #expect(problem?.line == 2)
    }

    @Test("keys, headers, and tables of arrays have line numbers, with or without quotes")
    func findsLines() throws {
        let text = """
            \u{FEFF}title = "x"
            [data]
            file = "a"   # file = "b"
              "odd name".'part' = 1
            [[scorers]]
            kind = "one"

            [[scorers]]
            kind = "two"
            [scorers.settings]
            depth = 2
            [a.b]
            c.d = [ 1,
              2 ]
            e = 1
            """
        let lines = TOMLLines(text)
        #expect(lines["title"] == 1)
        #expect(lines["data"] == 2)
        #expect(lines["data.file"] == 3)
        #expect(lines[["data", "odd name", "part"]] == 4)
        #expect(lines["scorers"] == 5)
        #expect(lines["scorers[0].kind"] == 6)
        #expect(lines["scorers[1]"] == 8)
        #expect(lines["scorers[1].kind"] == 9)
        #expect(lines["a"] == 12)
        #expect(lines["a.b.c.d"] == 13)
        #expect(lines["a.b.e"] == 15)
        #expect(lines["none"] == nil)
    }

    // The parser aborts the process on some invalid inputs, so reaching the end of the test is the assertion.
    @Test("random changes to a few bytes never abort the process", arguments: 0..<8)
    func survivesChanges(_ seed: Int) {
        let valid = """
            name = "reading" # of names
            [data]
            file = 'a.jsonl'
            dates = [1979-05-27T07:32:00Z, 07:32:00]
            [[scorers]]
            kind = "exact"
            numbers = [0x1F, 0b1, 1e5, -inf, nan, [1, { a = 2 }]]
            text = \"\"\"
            [x]
            \"\"\"
            """
        var state = UInt64(seed + 1) &* 0x9E37_79B9_7F4A_7C15
        func draw(_ bound: Int) -> Int {
            state = state &* 6_364_136_223_846_793_005 &+ 1_442_695_040_888_963_407
            return Int(state >> 33) % bound
        }
        let alphabet = Array("[]{}=.,#\"'\\\n\r\t _-+:0xeTZaé\u{11}\u{7F}\u{A0}".utf8)
        var rejected = 0
        for _ in 0..<4_000 {
            var bytes = Array(valid.utf8)
            for _ in 0...draw(3) {
                let place = draw(bytes.count)
                switch draw(3) {
                case 0: bytes[place] = alphabet[draw(alphabet.count)]
                case 1: bytes.insert(alphabet[draw(alphabet.count)], at: place)
                default: bytes.removeSubrange(place..<min(bytes.count, place + 1 + draw(8)))
                }
            }
            do { _ = try TOMLDocument(String(decoding: bytes, as: UTF8.self)) } catch { rejected += 1 }
        }
        #expect(rejected > 1_000)
    }
}
