import Evals
import Testing

/// Documents that a search did not bring are named by the score, and read back by who asks why.
struct RankingMissingTests {
    @Test("what an explanation names as not found is read back as it was said")
    func missing() throws {
        #expect(RankingScorer.missing(in: "not found: manuals/PW-1.md") == ["manuals/PW-1.md"])
        #expect(RankingScorer.missing(in: "not found: a.md, b c.md") == ["a.md", "b c.md"])
        #expect(RankingScorer.missing(in: "the answer was not found: a.md").isEmpty)
        #expect(RankingScorer.missing(in: "").isEmpty)
    }
}
