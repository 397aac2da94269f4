import EvalLogs
import Testing

@Suite("Sample files of lm-eval")
struct LMEvalLogTests {
    private func line(_ document: Int, _ filter: String, _ value: Int, filler: Int = 10) -> String {
        let text = String(repeating: "x", count: filler)
        return #"{"doc_id": \#(document), "doc": {"question": "q\#(document) \#(text)"}, "target": "t", "#
            + #""arguments": {"gen_args_0": {"arg_0": "p"}}, "resps": [["a"]], "filtered_resps": ["a"], "#
            + #""filter": "\#(filter)", "metrics": ["m"], "m": \#(value)}"# + "\n"
    }

    private func log(_ lines: [String]) throws -> any EvalLog {
        // A log that is open is read on when its file is gone.
        let file = try ScratchFile(Array(lines.joined().utf8))
        return try withExtendedLifetime(file) { try #require(EvalLogFormats.open(file.path).first) }
    }

    @Test("a document that is longer than what is looked at is read", arguments: [80_000, 3_000_000])
    func long(filler: Int) throws {
        let log = try log([line(0, "none", 1, filler: filler), line(1, "none", 0, filler: filler)])
        #expect(try log.rows(0..<9) { false }.map(\.outcome) == [.passed, .failed])
    }

    @Test("the scores of every filter are there from the first row on", arguments: [1, 2, 3, 700])
    func filters(count: Int) throws {
        // With more than a megabyte too, which is not counted when it is opened.
        let filters = ["strict", "flexible", "last"]
        let lines = filters.enumerated().flatMap { place, filter in
            (0..<count).map { line($0, filter, ($0 + place) % 2, filler: count > 3 ? $0 * 7 % 2_000 : 5) }
        }
        let log = try log(lines)
        #expect(log.run.scores.map(\.name) == filters.map { "m," + $0 })
        let first = try #require(try log.rows(0..<1) { false }.first)
        #expect(first.scores == [0, 1, 0])
        let rows = try log.rows(0..<count + 5) { false }
        #expect(rows.map(\.id) == (0..<count).map(String.init))
        #expect(rows.map(\.scores) == (0..<count).map { [$0 % 2, ($0 + 1) % 2, $0 % 2].map(Double.init) })
        #expect(log.run.completed == count && log.run.isCounted)
    }

    @Test("lines of filters that stand mixed, or in several parts, come together by their document")
    func mixed() throws {
        let mixed = (0..<40).flatMap { [line($0, "a", $0 % 2), line($0, "b", 1)] }
        let parts = [0..<20, 20..<40].flatMap { part in
            part.map { line($0, "a", $0 % 2) } + part.map { line($0, "b", 1) }
        }
        for lines in [mixed, parts] {
            let log = try log(lines)
            let rows = try log.rows(0..<99) { false }
            #expect(rows.map(\.id) == (0..<40).map(String.init))
            #expect(rows.map(\.scores) == (0..<40).map { [Double($0 % 2), 1] })
        }
    }

    @Test("a line that is another document's gives no score to this one")
    func otherDocuments() throws {
        let lines = (0..<30).map { line($0, "a", 1) } + (0..<30).map { line($0 == 20 ? 99 : $0, "b", 1) }
        let log = try log(lines)
        let rows = try log.rows(0..<99) { false }
        #expect(rows.count == 30 && rows[19].scores == [1, 1])
        #expect(rows[20].scores[0] == 1 && rows[20].scores[1].isNaN)
    }
}
