import EvalLogs
import Evals
import JSON
import LanguageModels
import Testing

struct ScorerTableTests {
    struct Case: CustomTestStringConvertible, Sendable {
        var kind: String
        var settings: String
        var answer: String
        var targets: [String]
        /// Expected value; `nil` if the sample cannot be scored.
        var value: Double?

        init(_ kind: String, _ answer: String, _ targets: [String], _ value: Double?) {
            self.init(kind, "{}", answer, targets, value)
        }

        init(_ kind: String, _ settings: String, _ answer: String, _ targets: [String], _ value: Double?) {
            self.kind = kind
            self.settings = settings
            self.answer = answer
            self.targets = targets
            self.value = value
        }

        var testDescription: String { "\(kind) \(settings) \(answer.prefix(40)) \(targets)" }
    }

    static let cases: [Case] = [
        Case("exact", " Paris\n", ["Paris"], 1),
        Case("exact", "paris", ["Paris"], 0),
        Case("exact", "{\"ignore_case\": true}", "paris", ["Rome", "Paris"], 1),
        Case("exact", "{\"trim\": false}", " Paris", ["Paris"], 0),
        Case("exact", "Paris", [], nil),
        Case("normalized", "The  Eiffel-Tower!", ["eiffeltower"], 1),
        Case("normalized", "{\"articles\": false}", "the tower", ["tower"], 0),
        Case("normalized", "{\"numbers\": false}", "room 12", ["room 7"], 1),
        Case("f1", "the cat sat on the mat", ["a cat on a mat"], 6.0 / 7),
        Case("f1", "", [""], 1),
        Case("f1", "the", ["dog"], 0),
        Case("regex", "{\"pattern\": \"answer is (\\\\w+)\"}", "The answer is Mars.", ["Mars"], 1),
        Case("regex", "{\"pattern\": \"(\\\\d+)\", \"index\": -1}", "first 3 then 42", ["42"], 1),
        Case("regex", "{\"pattern\": \"(\\\\d+)\", \"index\": -5}", "first 3", ["3"], 0),
        Case("regex", "{\"pattern\": \"####\\\\s*(.+)\", \"compare\": \"number\"}", "x #### 1,200.0", ["1200"], 1),
        Case("regex", "{\"pattern\": \"^yes\", \"compare\": \"exists\"}", "yes, it is", ["no"], 1),
        Case("regex", "{\"whole\": true, \"pattern\": \"a|ab\", \"compare\": \"exists\"}", "ab", [], 1),
        Case("regex", "{\"ignore_case\": true}", "MARS", ["^mars$"], 1),
        Case("regex", "{}", "x", ["("], nil),
        Case("numeric", "so 1,234.50 dollars", ["1234.5"], 1),
        Case("numeric", "3/4", ["0.75"], 1),
        Case("numeric", "75 %", ["0.75"], 1),
        Case("numeric", "{\"absolute\": 0.5}", "10.4", ["10"], 1),
        Case("numeric", "{\"absolute\": 0.3}", "10.4", ["10"], 0),
        Case("numeric", "{\"relative\": 0.1}", "109", ["100"], 1),
        Case("numeric", "{\"marker\": \"####\"}", "2 #### 7 apples of 9", ["7"], 1),
        Case("numeric", "{\"take\": \"first\"}", "7 of 9", ["7"], 1),
        Case("numeric", "it is -3", ["-3"], 1),
        Case("numeric", "5-3", ["3"], 1),
        Case("numeric", "1e3", ["1000"], 1),
        Case("numeric", "no number", ["1"], 0),
        Case("numeric", "7", ["seven"], nil),
        Case("numeric", String(repeating: "9", count: 5_000), ["1"], 0),
        Case("contains", "on Mars, probably", ["Venus", "Mars"], 1),
        Case("contains", "{\"ignore_case\": true}", "MARS", ["mars"], 1),
        Case("contains", "Pluto", ["Mars"], 0),
        Case("contains_all", "{\"values\": [\"a\", \"b\"]}", "a b", [], 1),
        Case("contains_all", "a", ["a", "b"], 0),
        Case("contains_any", "{\"values\": [\"x\", 12]}", "12", [], 1),
        Case("contains_any", "{}", "12", [], nil),
        Case("starts_with", "  Yes, of course", ["Yes"], 1),
        Case("starts_with", "Oh yes", ["Yes"], 0),
        Case("levenshtein", "kitten", ["sitting"], 1 - 3.0 / 7),
        Case("levenshtein", "", [""], 1),
        Case("label", "{\"labels\": [\"spam\", \"not spam\"]}", "This is not spam.", ["not spam"], 1),
        Case("label", "{\"labels\": [\"spam\", \"not spam\"]}", "SPAM", ["spam"], 1),
        Case("label", "{\"labels\": [\"yes\", \"no\"], \"aliases\": {\"true\": \"yes\"}}", "True!", ["yes"], 1),
        Case("label", "{\"labels\": [\"yes\", \"no\"], \"take\": \"last\"}", "yes ... so: no", ["no"], 1),
        Case("label", "{\"labels\": [\"yes\", \"no\"]}", "know", ["no"], 0),
        Case("json", "{\"a\": [1, 2]}", [], 1),
        Case("json", "{\"a\": [1, 2}", [], 0),
        Case("json", "Here: {\"a\": 1} done", [], 0),
        Case("json", "{\"find\": true}", "Here {not json} but {\"a\": \"}\"} done", [], 1),
        Case("json", "{\"schema\": {\"type\": \"object\", \"required\": [\"a\"]}}", "{\"b\": 1}", [], 0),
        Case("json_fields", "{\"a\": 1, \"b\": \"y\"}", ["{\"a\": 1.0, \"b\": \"x\"}"], 0.5),
        Case("json_fields", "{\"fields\": [\"a.0.b\"]}", "{\"a\": [{\"b\": 2}]}", ["{\"a\": [{\"b\": 2}]}"], 1),
        Case("json_fields", "{\"tolerance\": 0.1}", "{\"a\": 1.05}", ["{\"a\": 1}"], 1),
        Case("json_fields", "{}", "no", ["{\"a\": 1}"], 0),
        Case("json_fields", "{}", "{}", ["no"], nil),
    ]

    @Test("answers get the value of the rule", arguments: cases)
    func scores(_ one: Case) throws {
        let score = try Scored.value(one.kind, one.settings, one.answer, one.targets)
        if let wanted = one.value {
            let value = try #require(score.value, "\(score.problem ?? "")")
            #expect(abs(value - wanted) < 1e-12)
        } else {
            #expect(score.value == nil)
            #expect(score.problem != nil)
        }
    }

    @Test(
        "invalid settings are errors with place and remedy",
        arguments: [
            ("exakt", "{}", "task.toml, line 7: unknown scorer \"exakt\". Did you mean \"exact\"?"),
            (
                "exact", "{\"ignore_cas\": true}",
                "task.toml, line 7: unknown setting \"ignore_cas\" of scorer \"exact\". Did you mean \"ignore_case\"?"
            ),
            ("exact", "{\"trim\": 3}", "task.toml, line 7: \"trim\" must be true or false."),
            (
                "rubric", "{}",
                "task.toml, line 7: scorer \"rubric\" needs the setting \"rubric\": what makes an answer good. "
                    + "Write rubric = ... below kind."
            ),
            ("regex", "{\"pattern\": \"(\"}", "task.toml, line 7: \"(\" is not a valid regular expression."),
            (
                "numeric", "{\"take\": \"frist\"}",
                "task.toml, line 7: unknown value \"frist\" of \"take\". Did you mean \"first\"?"
            ),
            (
                "json", "{\"schema\": {\"requird\": []}}",
                "task.toml, line 7: #/requird is not supported. Did you mean \"required\"?"
            ),
        ])
    func wrongSettings(kind: String, settings: String, sentence: String) {
        do {
            _ = try Scored.make(kind, settings)
            Issue.record("\(kind) \(settings) was taken")
        } catch { #expect("\(error)" == sentence) }
    }

    @Test("every scorer has an explanation and accepts its own defaults") func kinds() throws {
        #expect(Set(Scorers.kinds.map(\.name)).count == Scorers.kinds.count)
        for kind in Scorers.kinds
        where kind.settings.allSatisfy({ $0.standard != nil }) && !["exec", "code"].contains(kind.name) {
            let values = kind.settings.compactMap { setting in
                setting.standard.map { JSONValue.Member(key: setting.name, value: $0) }
            }
            let scorer = try Scorers.make(ScorerChoice(kind.name, settings: ScorerSettings(values)))
            #expect(!scorer.scores.isEmpty, "\(kind.name)")
            // Nothing to compare: a score or a problem for every kind, in order, and no crash.
            let scores = scorer.score(
                Solution(), of: TaskSample(id: "1", request: .program(.null)), in: ScoringRoom())
            #expect(scores.map(\.name) == scorer.scores.map(\.name), "\(kind.name)")
            for score in scores where score.value == nil { #expect(score.problem != nil, "\(kind.name)") }
        }
    }

    @Test(
        "negation swaps pass and fail, but never helps unscored samples",
        arguments: [
            ("Mars", ["Mars"], 0.0 as Double?), ("Venus", ["Mars"], 1), ("Mars", [], nil),
        ])
    func negation(answer: String, targets: [String], value: Double?) throws {
        let scorer = try Scorers.make(ScorerChoice("contains", isNegated: true))
        #expect(scorer.scores.map(\.name) == ["not_contains"])
        let score = scorer.score(Solution(answers: [answer]), of: Scored.sample(targets), in: ScoringRoom())[0]
        #expect(score.value == value)
    }

    @Test("texts too long for n-grams are reported, not scored", arguments: ["bleu", "chrf", "ter", "rouge"])
    func longTexts(kind: String) throws {
        let score = try Scored.value(kind, "{}", String(repeating: "a ", count: 1_000_001), ["a"])
        #expect(score.value == nil)
        #expect(score.problem == "the answer or a target is longer than 2000000 bytes")
    }

    @Test("thresholds and names are applied") func thresholds() throws {
        let scorer = try Scorers.make(ScorerChoice("levenshtein", name: "near", threshold: 0.3))
        #expect(scorer.scores == [EvalScoreKind("near", passesAt: 0.3)])
        let negated = try Scorers.make(ScorerChoice("ter", threshold: 0.4, isNegated: true))
        // A rate of 1 is above 0.4 and lower is better: the check fails, so its negation passes.
        let score = negated.score(Solution(answers: ["a b"]), of: Scored.sample(["c d"]), in: ScoringRoom())[0]
        #expect(score.value == 1)
    }

    @Test("a pattern that takes too long gives a problem") func slowPattern() throws {
        let answer = String(repeating: "a", count: 30) + "!"
        let score = try Scored.value("regex", "{\"pattern\": \"^(a+)+$\", \"compare\": \"exists\"}", answer, [])
        #expect(score.value == nil)
        #expect(score.problem == "the expression takes too long on this answer")
    }
}
