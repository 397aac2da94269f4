import Evals
import Testing

/// Generated questions, and their flaws.
struct TestQuestionTests {
    private static let passage = """
        The keeper   winds the clock
        every Tuesday at nine. Größe: 8 mm. The dome bolts need a torque of 8 Nm.
        """

    @Test(
        "the first object with the three members counts",
        arguments: [
            #"{"question": "Q", "answer": "A", "quote": "B"}"#,
            #"{"quote": "B", "more": {"deep": [1]}, "answer": "A", "question": "Q"}"#,
            "```json\n{\"question\": \"Q\", \"answer\": \"A\", \"quote\": \"B\"}\n```\nDone {really}.",
            #"Use {braces}: {"x": 1} {"question": " Q ", "answer": "A\n", "quote": "B"} {"question": "Z"}"#,
            #"[{"question": "Q", "answer": "A", "quote": "B"}, {"question": "Z", "answer": "Y", "quote": "X"}]"#,
        ])
    func read(_ answer: String) throws {
        let made = try TestQuestion(parsing: answer)
        #expect((made.question, made.answer, made.quote) == ("Q", "A", "B"))
    }

    @Test("braces and quotation marks inside strings end nothing")
    func braces() throws {
        let made = try TestQuestion(parsing: #"so: {"question": "a } b { \" }", "answer": "]", "quote": "}}"} }"#)
        #expect((made.question, made.answer, made.quote) == (#"a } b { " }"#, "]", "}}"))
    }

    @Test(
        "unreadable answers have a reason",
        arguments: [
            ("", "there is no JSON object"), ("I cannot do that.", "there is no JSON object"),
            (#"{"question": "Q", "answer": "A", "quo"#, "the JSON is invalid or cut off"),
            ("{", "the JSON is invalid or cut off"),
            (String(repeating: "{", count: 100_000), "the JSON is invalid or cut off"),
            (#"{"question": "Q", "answer": "A"}"#, "the object lacks question, answer, or quote"),
            (#"{"question": 1, "answer": "A", "quote": "B"}"#, "the object lacks question, answer, or quote"),
        ])
    func unreadable(_ answer: String, _ reason: String) {
        #expect { try TestQuestion(parsing: answer) } throws: {
            ($0 as? TestQuestion.UnreadableAnswer)?.reason == reason
        }
    }

    private static func made(_ question: String, _ answer: String = "on Tuesday", _ quote: String) -> TestQuestion? {
        let text = JSONText.object([("question", question), ("answer", answer), ("quote", quote)])
        return try? TestQuestion(parsing: text)
    }

    @Test(
        "flawed questions have their flaw",
        arguments: [
            ("When does the keeper wind the clock?", "on Tuesday", "winds the clock every Tuesday", nil),
            ("When exactly then?", "on Tuesday", "every Tuesday", TestQuestion.Flaw.tooShort),
            ("What does the text say of clocks?", "x", "clock", .pointsAtPassage("the text")),
            ("What does The\u{2003}Passage say of clocks?", "x", "clock", .pointsAtPassage("the passage")),
            // Pointers count only as whole words.
            ("Who runs the textile works of the authority?", "x", "clock", nil),
            ("Is it every Tuesday at nine there?", "Every Tuesday", "every Tuesday", .givesAway),
            ("Why is the other clock slower today?", "the", "clock", .givesAway),
            ("Why is another clock slower today?", "the", "clock", nil),
            ("When does the keeper wind the clock?", "x", "every Wednesday", .quoteIsNotThere),
            ("When does the keeper wind the clock?", "x", " ", .quoteIsNotThere),
        ] as [(String, String, String, TestQuestion.Flaw?)])
    func flaws(_ question: String, _ answer: String, _ quote: String, _ flaw: TestQuestion.Flaw?) throws {
        let made = try #require(Self.made(question, answer, quote))
        #expect(made.flaw(in: Self.passage) == flaw)
    }

    @Test("a question that is too long, and a quote of the whole passage, are flaws")
    func long() throws {
        let long = try #require(Self.made(String(repeating: "why not ", count: 60), "x", "clock"))
        #expect(long.flaw(in: Self.passage) == .notAQuestion)
        let passage = String(repeating: "All of it is here. ", count: 30)
        let all = try #require(Self.made("What is it all about here?", "x", String(passage.dropLast(20))))
        #expect(all.flaw(in: passage) == .quoteIsEverything)
    }

    @Test(
        "the byte range of a quote is exact, whatever the whitespace",
        arguments: [
            ("The keeper winds", "The keeper   winds"), ("clock every", "clock\nevery"),
            (" \n8 mm.\t The ", "8 mm. The"), ("Größe: 8", "Größe: 8"), ("of 8 Nm.", "of 8 Nm."),
        ])
    func quotes(_ quote: String, _ found: String) throws {
        let range = try #require(QuoteSearch.range(of: quote, in: Self.passage))
        #expect(String(decoding: Array(Self.passage.utf8)[range], as: UTF8.self) == found)
    }

    @Test("missing words have no range", arguments: ["the keeper", "Nm. More", "", " \n", "Grösse", "8Nm"])
    func missing(_ quote: String) { #expect(QuoteSearch.range(of: quote, in: Self.passage) == nil) }
}
