import Retrieval
import System
import Testing

@Suite("Question sets")
struct QuestionSetTests {
    static let text = """
        {"id":"q1","question":"How fast does the dome turn?","gold":[{"document":"dome.md","start":10,"end":30}]}
        {"id":"q2","question":"Who keeps the mirror?","gold":[{"document":"mirror.md","grade":2},{"document":"log.md","grade":1}]}

        """

    @Test("question sets are written as they were read")
    func roundTrip() throws {
        let set = try QuestionSet(parsing: Array(Self.text.utf8))
        #expect(set.cases.map(\.id) == ["q1", "q2"])
        #expect(set.cases[0].gold == [QuestionSet.Gold("dome.md", range: 10..<30)])
        #expect(set.text == Self.text)
        #expect(set.judgments["q2"] == ["mirror.md": 2, "log.md": 1])
    }

    @Test("a query can be added as a case")
    func append() throws {
        var set = try QuestionSet(parsing: Array(Self.text.utf8))
        #expect(set.nextID == "q3")
        try set.append(.init(id: set.nextID, question: "Why?", gold: [.init("dome.md", range: 0..<4, grade: 3)]))
        #expect(try QuestionSet(parsing: Array(set.text.utf8)) == set)
        #expect(throws: Problem.self) {
            try set.append(.init(id: "q1", question: "Again?", gold: [.init("a")]))
        }
        #expect(throws: Problem.self) { try set.append(.init(id: "q9", question: "None?", gold: [])) }
    }

    @Test(
        "errors name the invalid line",
        arguments: [
            ("{", "line 1: invalid JSON"), ("[]", "line 1: id or question is missing"),
            (#"{"id":"a","question":"b"}"#, "gold is missing"),
            (#"{"id":"a","question":"b","gold":[]}"#, "gold is empty"),
            (#"{"id":"a","question":"b","gold":[{}]}"#, "a gold entry has no document"),
            (#"{"id":"a","question":"b","gold":[{"document":"d","start":5,"end":5}]}"#, "needs start and end"),
            (#"{"id":"a","question":"b","gold":[{"document":"d","start":5}]}"#, "needs start and end"),
            (#"{"id":"a","question":"b","gold":[{"document":"d","grade":0}]}"#, "grade 0 of d is out of range"),
            (#"{"id":"a","question":"b","gold":[{"document":"d","grade":"x"}]}"#, "is not a whole number"),
        ])
    func wrong(line: String, answer: String) {
        let error = #expect(throws: Problem.self) { try QuestionSet(parsing: Array(line.utf8)) }
        #expect(error?.sentence.contains(answer) == true, "\(error?.sentence ?? "")")
    }

    @Test(
        "a passage is credited with the spans that it contains",
        arguments: [
            (0..<20, 0.5, true), (0..<19, 0.5, false), (15..<25, 0.5, true), (29..<90, 0, true), (30..<90, 0, false),
            (10..<30, 1, true), (11..<30, 1, false),
        ])
    func coverage(range: Range<Int>, least: Double, holds: Bool) {
        let gold = QuestionSet.Gold("dome.md", range: 10..<30)
        let relevance = SpanRelevance(minimumCoverage: least)
        #expect(relevance.holds(gold, FoundPassage("dome.md", range: range)) == holds)
        #expect(!relevance.holds(gold, FoundPassage("other.md", range: range)))
    }

    @Test("a span in overlapping passages counts once")
    func overlap() throws {
        var set = QuestionSet()
        try set.append(
            .init(id: "q", question: "?", gold: [.init("a", range: 0..<10), .init("a", range: 50..<60)]))
        let found = [
            FoundPassage("a", range: 0..<20), FoundPassage("a", range: 0..<30), FoundPassage("b"),
            FoundPassage("a", range: 40..<70),
        ]
        let measures: [Measure] = [.recall(at: 3), .recall(at: 4), .precision(at: 4), .nDCG(), .averagePrecision()]
        let evaluation = Evaluation(name: "x", of: ["q": found], against: set, measures: measures)
        #expect(evaluation.values.map { $0[0] }.prefix(3) == [0.5, 1, 0.75])
        // 1 + 1/log2(5), over 1 + 1/log2(3).
        #expect(abs(evaluation.values[3][0] - 1.430_676_558 / 1.630_929_754) < 1e-8)
        #expect(evaluation.values[4][0] == 0.75)
        // One passage that holds both is as good as can be.
        let whole = Evaluation(name: "x", of: ["q": [FoundPassage("a")]], against: set, measures: measures)
        #expect(whole.values.map { $0[0] } == [1, 1, 0.25, 1, 1])
    }
}
