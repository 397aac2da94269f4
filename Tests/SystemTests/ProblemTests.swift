import System
import Testing

@Suite("Problems")
struct ProblemTests {
    @Test("a sentence has the subject, what happened, and the remedy")
    func sentence() {
        let unknownKey = Problem(
            .unknown, "config.toml:12", "unknown key \"colour\" in [theme]", remedy: "Did you mean \"color\"?")
        #expect(unknownKey.sentence == "config.toml:12: unknown key \"colour\" in [theme]. Did you mean \"color\"?")
        #expect("\(unknownKey)" == unknownKey.sentence)
    }

    @Test("a sentence without a subject or remedy has no extra colon, space, or period")
    func parts() {
        #expect(Problem(.limit, "", "the $5 budget is exhausted").sentence == "the $5 budget is exhausted.")
        #expect(Problem(.failed, "a.json", "Is a directory.").sentence == "a.json: Is a directory.")
        #expect(Problem(.failed, "a.json", "empty", remedy: "").sentence == "a.json: empty.")
    }

    @Test("an enclosing location precedes the subject and changes nothing else")
    func place() {
        let problem = Problem(.corrupt, "page 3", "bad checksum", remedy: "Restore a backup.")
        #expect(problem.in("corpus a").sentence == "corpus a, page 3: bad checksum. Restore a backup.")
        #expect(Problem(.failed, "", "no space").in("corpus a").sentence == "corpus a: no space.")
        #expect(problem.in("corpus a").kind == .corrupt)
    }

    @Test("the line number follows the file name")
    func lines() {
        #expect(Problem(.invalid, "a.toml", line: 3, "not a number").sentence == "a.toml, line 3: not a number.")
        #expect(Problem(.invalid, "a.toml", line: nil, "not a number").sentence == "a.toml: not a number.")
    }

    @Test("a wrapped problem stays as it is, and any other error becomes a failure of its subject")
    func wrapping() {
        struct Other: Error, CustomStringConvertible { var description: String { "out of luck" } }
        let problem = Problem(.limit, "page 3", "too large")
        #expect(Problem(problem, in: "a.json") == problem)
        #expect(Problem(Other(), in: "a.json") == Problem(.failed, "a.json", "out of luck"))
        #expect(Problem.cancelled("a.json").sentence == "a.json: the operation was canceled.")
    }

    @Test("a line number without a file name is the whole subject")
    func line() {
        #expect(Problem(.invalid, "a.toml", line: 3, "unknown key").sentence == "a.toml, line 3: unknown key.")
        #expect(Problem(.invalid, "", line: 3, "unknown key").sentence == "line 3: unknown key.")
        #expect(Problem(.invalid, "a.toml", line: nil, "unknown key").sentence == "a.toml: unknown key.")
    }
}
