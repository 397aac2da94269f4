import JSON
import Testing

@Suite("JSON parser")
struct JSONParserTests {
    @Test("one expression reads a nested value")
    func path() throws {
        let parser = JSONParser()
        let tokens = try parser.parse(#"{"message": {"usage": {"input_tokens": 12}}}"#) { record in
            record["message"]?["usage"]?["input_tokens"]?.int
        }
        #expect(tokens == 12)
    }

    @Test(
        "valid JSON is accepted",
        arguments: [
            "null", "true", "false", " null ", "\t\r\n 1\n", "0", "-0", "-1", "10", "1234567890123456789012345678901",
            "0.5", "1.25", "1e5", "1E5", "1e+5", "1e-5", "-0.0e0", "12.50E+010", "0e0", "1e400", #""""#, #""a""#,
            #""\"""#, #""\\""#, #""\\\"""#, #""\/\b\f\n\r\t""#, #""\u00e9\uD83D\uDE00""#, #""é€😀""#, "\"\u{7F}\"",
            #""\ud800""#, #""\q""#, #""\u12""#, "[]", "[ ]", "[1]", "[1,2]", "[ 1 , 2 ]", "[[],[[]],{}]", "[\n\n]",
            "{}", "{ }", #"{"a":1}"#, #"{ "a" : 1 , "b" : [ ] }"#, #"{"a":1,"a":2}"#, #"{"":0}"#, #"{"\"":{"x":{}}}"#,
            #"[true,false,null,"",0]"#, #"{"a":[{"b":[{"c":null}]}]}"#, "\u{FEFF}{}", "\u{FEFF} 1 ",
        ])
    func accepts(text: String) throws {
        try forEachVariant { parser in
            try parser.parse(text) { #expect($0.byteRange.upperBound <= text.utf8.count) }
        }
    }

    @Test(
        "syntax errors are reported with their offset",
        arguments: [
            ("", 0, .empty), ("  \n", 3, .empty), ("\u{FEFF}", 3, .empty),
            ("[", 1, .unexpectedEnd), ("[1", 2, .unexpectedEnd), ("[1,", 3, .unexpectedEnd),
            ("{", 1, .unexpectedEnd), (#"{"a""#, 4, .unexpectedEnd), (#"{"a":"#, 5, .unexpectedEnd),
            (#"{"a":1"#, 6, .unexpectedEnd), (#"{"a":1,"#, 7, .unexpectedEnd), ("[[]", 3, .unexpectedEnd),
            (#"""#, 0, .unterminatedString), (#"["abc"#, 1, .unterminatedString), (#""\""#, 0, .unterminatedString),
            (#""\\\""#, 0, .unterminatedString), (#"{"a":"b}"#, 5, .unterminatedString),
            ("\"a\nb\"", 2, .controlCharacter), ("\"\u{0}\"", 1, .controlCharacter),
            ("\"\\\u{1}\"", 2, .controlCharacter), ("{\"\t\":1}", 2, .controlCharacter),
            ("]", 0, .expectedValue), ("}", 0, .expectedValue), (",", 0, .expectedValue), (":", 0, .expectedValue),
            ("[,1]", 1, .expectedValue), ("[1,]", 3, .expectedValue), ("[1,,2]", 3, .expectedValue),
            (#"{"a":}"#, 5, .expectedValue), (#"{"a":,}"#, 5, .expectedValue), ("'a'", 0, .expectedValue),
            ("a", 0, .expectedValue), ("NaN", 0, .expectedValue), ("+1", 0, .expectedValue), (".5", 0, .expectedValue),
            ("é", 0, .expectedValue), ("[é]", 1, .expectedValue), ("\u{A0}1", 0, .expectedValue),
            ("\u{0}", 0, .expectedValue), ("\u{C}1", 0, .expectedValue), ("/* */1", 0, .expectedValue),
            ("Infinity", 0, .expectedValue), (#"\"a""#, 0, .expectedValue), ("d  1", 0, .expectedValue),
            ("{1:2}", 1, .expectedKey), ("{a:1}", 1, .expectedKey), (#"{"a":1,}"#, 7, .expectedKey),
            ("{,}", 1, .expectedKey), ("{[]:1}", 1, .expectedKey), (#"{"a":1,,"b":2}"#, 7, .expectedKey),
            (#"{"a" 1}"#, 5, .expectedColon), (#"{"a"}"#, 4, .expectedColon), (#"{"a","b"}"#, 4, .expectedColon),
            (#"{"a":1 "b":2}"#, 7, .expectedCommaOrBrace), (#"{"a":1]"#, 6, .expectedCommaOrBrace),
            (#"{"a":1:2}"#, 6, .expectedCommaOrBrace), (#"{"a":"b"c}"#, 8, .expectedCommaOrBrace),
            ("[1 2]", 3, .expectedCommaOrBracket), ("[1}", 2, .expectedCommaOrBracket),
            (#"["a""b"]"#, 4, .expectedCommaOrBracket), (#"[1"a"]"#, 2, .expectedCommaOrBracket),
            (#"["a":1]"#, 4, .expectedCommaOrBracket), ("[[]{}]", 3, .expectedCommaOrBracket),
            ("nul", 0, .invalidLiteral), ("nulll", 0, .invalidLiteral), ("[tru]", 1, .invalidLiteral),
            ("truefalse", 0, .invalidLiteral), ("True", 0, .expectedValue), ("fals", 0, .invalidLiteral),
            ("null\u{0}", 0, .invalidLiteral), ("nullé", 0, .invalidLiteral),
            ("-", 0, .invalidNumber), ("01", 0, .invalidNumber), ("-01", 0, .invalidNumber), ("1.", 0, .invalidNumber),
            ("1.e5", 0, .invalidNumber), ("1e", 0, .invalidNumber), ("1e+", 0, .invalidNumber),
            ("1a", 0, .invalidNumber), ("0x10", 0, .invalidNumber), ("[--1]", 1, .invalidNumber),
            ("[1.2.3]", 1, .invalidNumber), ("1_000", 0, .invalidNumber), ("-a", 0, .invalidNumber),
            ("[-]", 1, .invalidNumber), ("1e5.5", 0, .invalidNumber), ("1\u{C}", 0, .invalidNumber),
            ("1 2", 2, .trailingText), ("{}{}", 2, .trailingText), ("[]]", 2, .trailingText),
            ("null,", 4, .trailingText), ("1 \u{FEFF}", 2, .trailingText), (#""a""b""#, 3, .trailingText),
        ] as [(String, Int, JSONError.Problem)])
    func rejects(text: String, offset: Int, problem: JSONError.Problem) throws {
        try forEachVariant { parser in
            #expect(throws: JSONError(offset: offset, problem: problem)) {
                try parser.parse(text) { _ in }
            }
        }
    }

    @Test(
        "invalid UTF-8 is reported with its offset",
        arguments: [
            [0x80], [0xBF], [0xC0, 0x80], [0xC1, 0xBF], [0xC3], [0xC3, 0x28], [0xE2, 0x82], [0xE2, 0x28, 0xA1],
            [0xE0, 0x9F, 0xBF], [0xED, 0xA0, 0x80], [0xED, 0xBF, 0xBF], [0xF0, 0x8F, 0xBF, 0xBF], [0xF0, 0x9F, 0x98],
            [0xF4, 0x90, 0x80, 0x80], [0xF5, 0x80, 0x80, 0x80], [0xFE], [0xFF], [0xF8, 0x88, 0x80, 0x80, 0x80],
        ] as [[UInt8]])
    func rejectsInvalidUTF8(invalid: [UInt8]) throws {
        for before in [0, 1, 28, 29, 30, 31, 59, 60, 61, 62, 63, 64, 125, 126, 127] {
            for after in [0, 1, 64] {
                let plain = repeatElement(UInt8(ascii: "x"), count: before)
                let text: [UInt8] = [0x22] + plain + invalid + repeatElement(UInt8(ascii: "y"), count: after) + [0x22]
                try forEachVariant { parser in
                    #expect(throws: JSONError(offset: before + 1, problem: .invalidUTF8)) {
                        try parser.parse(text) { _ in }
                    }
                }
            }
        }
    }

    @Test("a character truncated by the end of the text is reported", arguments: 0..<130)
    func rejectsTruncatedCharacter(before: Int) throws {
        let text: [UInt8] = [0x22] + repeatElement(UInt8(ascii: "x"), count: before) + [0xF0, 0x9F, 0x98]
        try forEachVariant { parser in
            #expect(throws: JSONError(offset: before + 1, problem: .invalidUTF8)) { try parser.parse(text) { _ in } }
        }
    }

    @Test("nesting is allowed up to the limit")
    func maximumDepth() throws {
        for limit in [1, 2, 64, 1024, 5000] {
            let parser = JSONParser(maximumDepth: limit)
            let fits = String(repeating: "[", count: limit) + String(repeating: "]", count: limit)
            try parser.parse(fits) { #expect($0.kind == .array) }
            #expect(throws: JSONError(offset: limit, problem: .tooDeep)) { try parser.parse("[\(fits)]") { _ in } }
            // Hostile text need not close its brackets.
            #expect(throws: JSONError(offset: limit, problem: .tooDeep)) {
                try parser.parse(String(repeating: "[", count: 1_000_000)) { _ in }
            }
        }
        #expect(throws: JSONError(offset: 0, problem: .tooDeep)) {
            try JSONParser(maximumDepth: 0).parse("[]") { _ in }
        }
        try JSONParser(maximumDepth: 0).parse("1") { #expect($0.int == 1) }
    }

    @Test("values are allowed up to the limit")
    func maximumValues() throws {
        for limit in [1, 4, 1000, 100_000] {
            let fits = "[" + Array(repeating: "1", count: limit - 1).joined(separator: ",") + "]"
            let exceeds = fits.dropLast() + (limit == 1 ? "1]" : ",1]")
            for variant in JSONParser.Variant.allCases {
                let parser = JSONParser(maximumValues: limit)
                guard parser.use(variant) else { continue }
                try parser.parse(fits) { #expect($0.count == limit - 1) }
                #expect(throws: JSONError(offset: exceeds.utf8.count - 2, problem: .tooManyValues)) {
                    try parser.parse(String(exceeds)) { _ in }
                }
                #expect(parser.disagreements == 0)
            }
        }
        #expect(throws: JSONError(offset: 5, problem: .tooManyValues)) {
            try JSONParser(maximumValues: 2).parse(#"{"a":1}"#) { _ in }
        }
    }

    @Test("text that spans many parser windows is parsed completely")
    func manyWindows() throws {
        let element = #"{"key":"value with \"escapes\" and é","n":12.5,"list":[1,[],{}]}"#
        let text = "[" + Array(repeating: element, count: 20_000).joined(separator: ",") + "]"
        try forEachVariant { parser in
            try parser.parse(text) { root in
                #expect(root.count == 20_000)
                #expect(root.byteRange == 0..<text.utf8.count)
                #expect(root.elements.allSatisfy { $0["list"]?.count == 3 && $0["n"]?.double == 12.5 })
            }
        }
        let string = String(repeating: "long \\n ", count: 500_000)
        try forEachVariant { parser in
            try parser.parse("{\"text\":\"\(string)\"}") { #expect($0["text"]?.utf8Length == 7 * 500_000) }
        }
    }

    @Test("a parser can be used again after an error")
    func reuse() throws {
        let parser = JSONParser()
        for _ in 0..<3 {
            #expect(throws: JSONError.self) { try parser.parse(#"{"a":["#) { _ in } }
            try parser.parse("[1,2,3]") { #expect($0.elements.compactMap(\.int) == [1, 2, 3]) }
        }
    }

    @Test("every problem has its own message with the offset")
    func sentences() {
        let sentences = JSONError.Problem.allCases.map { JSONError(offset: 7, problem: $0).sentence }
        #expect(Set(sentences).count == sentences.count)
        #expect(sentences.allSatisfy { $0.hasPrefix("Byte 7: ") && $0.hasSuffix(".") })
    }
}

/// Calls `body` with a parser of each variant that the processor supports.
func forEachVariant(maximumDepth: Int = 1024, _ body: (JSONParser) throws -> Void) throws {
    for variant in JSONParser.Variant.allCases {
        let parser = JSONParser(maximumDepth: maximumDepth)
        guard parser.use(variant) else { continue }
        try body(parser)
        #expect(parser.disagreements == 0)
    }
}
