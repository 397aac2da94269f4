import Configuration
import LanguageModels
import Testing
import Traces

@Suite("Filter syntax")
struct FilterParsingTests {
    @Test("adjacent conditions are joined by and")
    func conditions() throws {
        let filter = try Filter(parsing: #"kind:tool status:error name:bash tokens>1.5k duration>=2s cost<$0.10"#)
        #expect(
            filter.expression
                == .and([
                    .condition(.kind([.tool])), .condition(.status([.error])),
                    .condition(.text(.name, .contains, "bash")), .condition(.count(.tokens, .greater, 1_500)),
                    .condition(.duration(.greaterOrEqual, 2_000_000_000)), .condition(.cost(.less, 0.1)),
                ]))
    }

    @Test("precedence is not, and, or; parentheses override it")
    func precedence() throws {
        let filter = try Filter(parsing: "not kind:tool status:ok or (kind:agent OR kind:model) AND errors=0")
        let tool = FilterExpression.condition(.kind([.tool]))
        let expected = FilterExpression.or([
            .and([.not(tool), .condition(.status([.ok]))]),
            .and([
                .or([.condition(.kind([.agent])), .condition(.kind([.model]))]),
                .condition(.count(.errors, .equal, 0)),
            ]),
        ])
        #expect(filter.expression == expected)
    }

    @Test("words and quoted phrases are free text")
    func freeText() throws {
        #expect(try Filter(parsing: #""permission denied""#).expression == .text("permission denied"))
        #expect(try Filter(parsing: #"it's "say \"no\"""#).expression == .and([.text("it's"), .text(#"say "no""#)]))
        #expect(try Filter(parsing: #"a or "a" "b""#).texts == ["a", "b"])
        #expect(try Filter(parsing: #""and""#).expression == .text("and"))
    }

    @Test("an empty filter matches everything", arguments: ["", "   ", "\t\n"])
    func empty(text: String) throws {
        #expect(try Filter(parsing: text).isEmpty)
    }

    @Test(
        "values have units, lists, and quotes; field names ignore case",
        arguments: [
            ("tokens>2k", FilterCondition.count(.tokens, .greater, 2_000)),
            ("tokens:1M", .count(.tokens, .equal, 1_000_000)),
            ("input<=1_000", .count(.input, .lessOrEqual, 1_000)),
            ("duration>250ms", .duration(.greater, 250_000_000)),
            ("duration>1.5", .duration(.greater, 1_500_000_000)),
            ("duration<2m", .duration(.less, 120_000_000_000)),
            ("duration!=1h", .duration(.unequal, 3_600_000_000_000)),
            ("cost>=10c", .cost(.greaterOrEqual, 0.1)),
            ("kind:model,tool", .kind([.model, .tool])),
            ("status!=error", .status([.ok, .unset])),
            (#"model="opus 4""#, .text(.model, .equals, "opus 4")),
            ("name!=bash", .text(.name, .differs, "bash")),
            ("ERRORS>0", .count(.errors, .greater, 0)),
        ])
    func units(text: String, condition: FilterCondition) throws {
        #expect(try Filter(parsing: text).expression == .condition(condition))
    }

    private static let day: Int64 = 86_400_000_000_000

    @Test(
        "a date covers its whole interval",
        arguments: [
            ("start:1970-01-02", day, 2 * day),
            ("start:1970", 0, 365 * day),
            ("start:1972-02", 761 * day, 790 * day),
            ("start=1970-01-01T01:30", 5_400_000_000_000, 5_460_000_000_000),
            (#"start:"1970-01-01 00:00:07Z""#, 7_000_000_000, 8_000_000_000),
        ] as [(String, Int64, Int64)])
    func dates(text: String, from: Int64, before: Int64) throws {
        #expect(try Filter(parsing: text).expression == .condition(.start(from: from, before: before)))
    }

    @Test("comparisons use the start or the end of a date")
    func dateOrder() throws {
        let (first, next): (Int64, Int64) = (1_772_323_200_000_000_000, 1_772_409_600_000_000_000)
        #expect(try Filter(parsing: "start>2026-03-01").expression == .condition(.start(from: next, before: nil)))
        #expect(try Filter(parsing: "start>=2026-03-01").expression == .condition(.start(from: first, before: nil)))
        #expect(try Filter(parsing: "start<2026-03-01").expression == .condition(.start(from: nil, before: first)))
        #expect(try Filter(parsing: "start<=2026-03-01").expression == .condition(.start(from: nil, before: next)))
    }

    @Test(
        "an error states the problem, the position, and the remedy",
        arguments: [
            ("kind:tol", 5, 3, "unknown kind \"tol\"", "Did you mean \"tool\"?"),
            ("tokns>5", 0, 5, "unknown field \"tokns\"", "Did you mean \"tokens\"?"),
            ("tokens>many", 7, 4, "\"many\" is not a number", "Examples: tokens>1000, tokens>1.5k."),
            ("tokens>", 6, 1, "a value is missing after tokens>", "Examples: tokens>1000, tokens>1.5k."),
            (
                "duration>2parsecs", 9, 8, "\"2parsecs\" is not a duration",
                "Examples: duration>500ms, duration>2s, duration>1m."
            ),
            (
                "start>2026-02-30", 6, 10, "\"2026-02-30\" is not a date",
                "Examples, in UTC: start>2026-03-01, start<2026-03-01T09:30."
            ),
            ("name>bash", 5, 4, "name does not support >", "Use name: or name!=."),
            ("(kind:tool", 0, 1, "unclosed \"(\"", "Add \")\" at the end of the group."),
            ("kind:tool)", 9, 1, "unexpected \")\"", "Remove it, or add \"(\" before the group."),
            (#"kind:tool "denied"#, 10, 1, "unclosed quotation mark", "Add a closing quote at the end of the text."),
            ("kind:tool or", 12, 1, "a condition is missing at the end", "Example: status:error."),
            ("or kind:tool", 0, 2, "a condition is missing before or", "To search for the word, put it in quotes."),
            ("> 5", 0, 1, "a field is missing before >", "Example: tokens>1000."),
        ] as [(String, Int, Int, String, String)])
    func mistakes(text: String, position: Int, length: Int, problem: String, suggestion: String) {
        let error = #expect(throws: FilterError.self) { try Filter(parsing: text) }
        #expect(error?.position == position)
        #expect(error?.length == length)
        #expect(error?.problem == problem)
        #expect(error?.suggestion == suggestion)
    }

    @Test("carets mark the error by character, not byte")
    func caret() {
        let error = #expect(throws: FilterError.self) { try Filter(parsing: "\"größe\" knd:tool") }
        #expect(
            error?.rendering == """
                "größe" knd:tool
                        ^^^
                Filter, column 9: unknown field "knd". Did you mean "kind"?
                """)
    }

    @Test("an unknown field without a close name lists all fields")
    func noNearField() {
        let error = #expect(throws: FilterError.self) { try Filter(parsing: "http://example.org") }
        #expect(error?.suggestion?.hasPrefix("Available fields: kind, status, origin") == true)
        #expect(error?.suggestion?.contains("in quotes") == true)
    }

    @Test("deep nesting is an error")
    func nesting() {
        let deep = String(repeating: "(", count: 5_000) + "kind:tool" + String(repeating: ")", count: 5_000)
        let error = #expect(throws: FilterError.self) { try Filter(parsing: deep) }
        #expect(error?.problem == "groups are nested more than 64 deep")
        #expect(throws: FilterError.self) { try Filter(parsing: String(repeating: "not ", count: 5_000) + "a") }
    }

    @Test("random text is parsed or rejected with a position inside it", arguments: 0..<4)
    func anyText(seed: UInt64) {
        var random = SplitMix(seed: seed)
        let pieces = [
            "kind", "tokens", "name", ":", "=", "!", ">", "<", "(", ")", "\"", "'", "\\", " ", "and", "or", "not",
            "tool", "5", "k", "2026-01-01", "é", "👩‍💻", "\u{0}", "\u{202E}", ",", "-",
        ]
        for _ in 0..<3_000 {
            let text = (0..<random.next(12)).map { _ in pieces[random.next(pieces.count)] }.joined()
            do {
                _ = try Filter(parsing: text)
            } catch let error {
                #expect(error.position >= 0 && error.position <= text.count, "\(text)")
                #expect(!error.sentence.isEmpty && error.rendering.contains("^"))
            }
        }
    }
}
