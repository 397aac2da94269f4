import LanguageModels
import Testing
import Traces

@Suite("The filter language")
struct FilterParsingTests {
    @Test("reads conditions, and everything beside each other must hold")
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

    @Test("binds not before and, and before or, and takes parentheses")
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

    @Test("takes words and quoted phrases as free text")
    func freeText() throws {
        #expect(try Filter(parsing: #""permission denied""#).expression == .text("permission denied"))
        #expect(try Filter(parsing: #"it's "say \"no\"""#).expression == .and([.text("it's"), .text(#"say "no""#)]))
        #expect(try Filter(parsing: #"a or "a" "b""#).texts == ["a", "b"])
        #expect(try Filter(parsing: #""and""#).expression == .text("and"))
    }

    @Test("is everything when it is empty", arguments: ["", "   ", "\t\n"])
    func empty(text: String) throws {
        #expect(try Filter(parsing: text).isEmpty)
    }

    @Test(
        "understands units",
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
        "takes a date for all of its moments",
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

    @Test("compares with the edges of a date")
    func dateOrder() throws {
        let (first, next): (Int64, Int64) = (1_772_323_200_000_000_000, 1_772_409_600_000_000_000)
        #expect(try Filter(parsing: "start>2026-03-01").expression == .condition(.start(from: next, before: nil)))
        #expect(try Filter(parsing: "start>=2026-03-01").expression == .condition(.start(from: first, before: nil)))
        #expect(try Filter(parsing: "start<2026-03-01").expression == .condition(.start(from: nil, before: first)))
        #expect(try Filter(parsing: "start<=2026-03-01").expression == .condition(.start(from: nil, before: next)))
    }

    @Test(
        "says what is wrong, where, and what to write",
        arguments: [
            ("kind:tol", 5, 3, "tol is no kind", "Did you mean \"tool\"?"),
            ("tokns>5", 0, 5, "there is no field called tokns", "Did you mean \"tokens\"?"),
            ("tokens>many", 7, 4, "many is not a number", "Write a number: tokens>1000 or tokens>1.5k."),
            ("tokens>", 6, 1, "a value is missing after tokens>", "Write a number: tokens>1000 or tokens>1.5k."),
            (
                "duration>2parsecs", 9, 8, "2parsecs is not a time",
                "Write a time: duration>500ms, duration>2s, duration>1m."
            ),
            (
                "start>2026-02-30", 6, 10, "2026-02-30 is not a date",
                "Write a date or a moment in UTC: start>2026-03-01, start<2026-03-01T09:30."
            ),
            ("name>bash", 5, 4, "name has no order, so > says nothing", "Use name: or name!=."),
            ("(kind:tool", 0, 1, "this parenthesis is never closed", "Write ) where the group ends."),
            ("kind:tool)", 9, 1, "this parenthesis was never opened", "Remove it."),
            (#"kind:tool "denied"#, 10, 1, "this quotation mark is never closed", "Write another one after the text."),
            ("kind:tool or", 12, 1, "a condition is missing at the end", "For example: status:error."),
            ("or kind:tool", 0, 2, "a condition is missing before or", "To search for the word, put it in quotes."),
            ("> 5", 0, 1, "a field is missing before >", "For example: tokens>1000."),
        ] as [(String, Int, Int, String, String)])
    func mistakes(text: String, position: Int, length: Int, problem: String, suggestion: String) {
        let error = #expect(throws: FilterError.self) { try Filter(parsing: text) }
        #expect(error?.position == position)
        #expect(error?.length == length)
        #expect(error?.problem == problem)
        #expect(error?.suggestion == suggestion)
    }

    @Test("points at the wrong place with a caret, counting characters")
    func caret() {
        let error = #expect(throws: FilterError.self) { try Filter(parsing: "\"größe\" knd:tool") }
        #expect(
            error?.rendering == """
                "größe" knd:tool
                        ^^^
                Filter, column 9: there is no field called knd. Did you mean "kind"?
                """)
    }

    @Test("names all fields where none is near")
    func noNearField() {
        let error = #expect(throws: FilterError.self) { try Filter(parsing: "http://example.org") }
        #expect(error?.suggestion?.hasPrefix("Fields are kind, status, origin") == true)
        #expect(error?.suggestion?.contains("goes in quotes") == true)
    }

    @Test("refuses to nest without end")
    func nesting() {
        let deep = String(repeating: "(", count: 5_000) + "kind:tool" + String(repeating: ")", count: 5_000)
        let error = #expect(throws: FilterError.self) { try Filter(parsing: deep) }
        #expect(error?.problem == "groups are nested more than 64 deep")
        #expect(throws: FilterError.self) { try Filter(parsing: String(repeating: "not ", count: 5_000) + "a") }
    }

    @Test("reads or refuses any text, and points inside it", arguments: 0..<4)
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
