import Evals
import Testing

/// Documents that a search missed are named in the score and parsed by the page that explains it.
struct RankingMissingTests {
    @Test("documents listed as not found are parsed back")
    func missing() throws {
        #expect(RankingScorer.missing(in: "not found: manuals/PW-1.md") == ["manuals/PW-1.md"])
        #expect(RankingScorer.missing(in: "not found: a.md, b c.md") == ["a.md", "b c.md"])
        #expect(RankingScorer.missing(in: "the answer was not found: a.md").isEmpty)
        #expect(RankingScorer.missing(in: "").isEmpty)
    }
}
