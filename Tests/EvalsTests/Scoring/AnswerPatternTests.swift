import EvalLogs
import Evals
import JSON
import Testing
import Tokenizers

/// Regular expressions of tasks: their matches, and their time limit.
@Suite("Regular expressions of tasks")
struct AnswerPatternTests {
    // Results of Python 3.12's re.findall.
    @Test(
        "matches equal Python's",
        arguments: [
            ("a*?", "aa", [[""], ["a"], [""], ["a"], [""]]), ("(a)|b", "ab", [["a"], [""]]),
            ("(\\d+)-(\\d+)", "1-2 30-4", [["1", "2"], ["30", "4"]]), ("(?i)É", "é", [["é"]]),
            ("\\bis\\b", "this is", [["is"]]), ("x$", "x\n", [["x"]]), ("x\\Z", "x\n", []),
            ("(?m)^b", "a\nb", [["b"]]), ("a.c", "a\nc", []), ("(?s)a.c", "a\nc", [["a\nc"]]),
            ("(?<=\\$)\\d+", "a $12", [["12"]]), ("(?!a)[a-c]", "abc", [["b"], ["c"]]),
            ("(?P<q>['\"])x(?P=q)", "'x' \"x'", [["'"]]), ("[^]a]", "]ab", [["b"]]), ("a{,2}b", "aaab", [["aab"]]),
            ("(a*)*", "aab", [[""], [""], [""]]), ("(?:a|ab)(?:c|bcd)(d*)", "abcd", [[""]]),
            ("[\\w-]+", "a-b c", [["a-b"], ["c"]]),
            ("(-?[$0-9.,]{2,})|(-?[0-9]+)", "$12.5 7", [["$12.5", ""], ["", "7"]]), ("x{a}", "x{a}", [["x{a}"]]),
            ("(?>a+)a", "aaa", []), ("\\.\\x41\\u0042", ".AB", [[".AB"]]),
        ])
    func matches(source: String, text: String, expected: [[String]]) throws {
        let found = try #require(TextPattern(source)).findAll(in: text)
        #expect(found == expected)
    }

    @Test(
        "invalid expressions are rejected",
        arguments: ["(", "a)", "[a", "*a", "a**", "(?<=a+)b", "\\q", "(?(1)a)", "((((a{999}){999}){999}){999})"])
    func refused(source: String) { #expect(TextPattern(source) == nil) }

    @Test(
        "hostile pairs of expression and text are given up reproducibly",
        arguments: [("(.*),(.*),(.*),(.*),x", ","), ("(a+)+$", "a"), ("(a|a)*b", "a")])
    func hostile(source: String, text: String) throws {
        let scorer = try Scorers.make(
            ScorerChoice(
                "regex",
                settings: ScorerSettings([
                    .init(key: "pattern", value: .string(source)), .init(key: "compare", value: .string("exists")),
                ])))
        func score(_ answer: String) -> EvalScore? {
            scorer.score(Solution(answers: [answer]), of: TaskSample(id: "a", request: .rolling("")), in: ScoringRoom())
                .first
        }
        let slow = score(String(repeating: text, count: 2_000) + "!")
        #expect(slow?.value == nil && slow?.problem != nil)
        #expect(score("a,b,c,d,x aab")?.value != nil, "one answer decides nothing about the next")
    }

    @Test(
        "FuzzyMatch accepts containment in either direction",
        arguments: [
            ("The answer is Paris.", "paris", 1.0), ("par", "Paris", 1), ("Rome", "Paris", 0), ("", "Paris", 0),
            ("the", "", 1),
        ])
    func fuzzy(answer: String, target: String, value: Double) throws {
        let sample = TaskSample(id: "a", request: .rolling(""), targets: [target])
        let score = try Scorers.make(ScorerChoice("fuzzy_match")).score(
            Solution(answers: [answer]), of: sample, in: ScoringRoom())
        #expect(score.first?.value == value)
    }
}
