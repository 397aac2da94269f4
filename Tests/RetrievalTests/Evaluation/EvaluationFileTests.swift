import Retrieval
import System
import Testing

@Suite("Files of judgments and runs")
struct EvaluationFileTests {
    @Test(
        "judgments are read in both formats",
        arguments: [
            "query-id\tcorpus-id\tscore\nq 1\td1\t2\nq 1\td2\t0\n", "q 1\td1\t2\r\nq 1\td2\t0",
        ])
    func beir(text: String) throws {
        let judgments = try Judgments(parsing: Array(text.utf8))
        #expect(judgments.queries == ["q 1"])
        #expect(judgments["q 1"] == ["d1": 2, "d2": 0])
    }

    @Test("fields of TREC judgments can be separated by any white space")
    func trec() throws {
        let judgments = try Judgments(parsing: Array("1 0  d1\t3\n\n2 0 d2 -1\n".utf8))
        #expect(judgments["1"] == ["d1": 3] && judgments["2"] == ["d2": -1] && judgments.count == 2)
    }

    @Test("files are read as they were written", arguments: Judgments.Format.allCases)
    func roundTrip(format: Judgments.Format) throws {
        var judgments = Judgments()
        judgments.judge("b", for: "2", grade: 1)
        judgments.judge("a", for: "2", grade: 0)
        judgments.judge("a", for: "1", grade: 3)
        #expect(try Judgments(parsing: Array(judgments.text(format).utf8)) == judgments)
        var run = Run(tag: "mine")
        run.rank([("x", 1.5), ("y", 0.1)], for: "1")
        #expect(try Run(parsing: Array(run.text().utf8)) == run)
    }

    @Test(
        "invalid lines of judgments are named",
        arguments: [
            ("1 0 d1\n", "judgments, line 1: found 3 fields."),
            ("1 0 d1 2\n1 0 d2 two\n", "line 2: “two” is not a grade."),
            ("a\tb\tscore\n", "line 1: “score” is not a grade."), ("1 0 d1 99999999999\n", "is not a grade"),
        ])
    func wrongJudgments(text: String, answer: String) {
        let error = #expect(throws: Problem.self) { try Judgments(parsing: Array(text.utf8)) }
        #expect(error?.sentence.contains(answer) == true)
    }

    @Test(
        "invalid lines of runs are named",
        arguments: [
            ("1 Q0 d1 1\n", "run, line 1: found 4 fields."), ("1 Q0 d1 1 nan x\n", "“nan” is not a score"),
            ("1 Q0 d1 1 high x\n", "“high” is not a score"),
        ])
    func wrongRuns(text: String, answer: String) {
        let error = #expect(throws: Problem.self) { try Run(parsing: Array(text.utf8)) }
        #expect(error?.sentence.contains(answer) == true)
    }

    @Test("names that a format cannot represent are refused")
    func names() {
        var judgments = Judgments()
        judgments.judge("a b", for: "1", grade: 1)
        #expect(throws: Problem.self) { try judgments.text(.trec) }
        #expect(throws: Never.self) { try judgments.text(.beir) }
        var run = Run(tag: "two words")
        run.rank([("a", 1)], for: "1")
        #expect(throws: Problem.self) { try run.text() }
    }
}
