import EvalLogs
import Evals
import Statistics
import System
import Testing

/// Sentences about comparisons.
struct EvalSentenceTests {
    @Test(
        "the sentence has size, interval, p value, and detectable difference",
        arguments: [
            (
                1000, 62, 32,
                "B is 3.0 points worse in exact (95 % [-5.0, -1.1], p .002, McNemar's test); 1,000 samples can detect differences of 2.7 points or "
                    + "more (80 % power)"
            ),
            (
                1000, 30, 37,
                "B is 0.7 points better in exact (95 % [-0.9, 2.4], p .39, McNemar's test), which may be chance; 1,000 samples can detect "
                    + "differences of 2.3 points or more (80 % power), 0.7 points would need about"
            ),
            (
                1000, 0, 0,
                "A and B are equal in exact on 1,000 samples (95 % [-0.4, 0.4], p 1, McNemar's test); 1,000 samples can detect "
                    + "differences of 0.5 points or more (80 % power)"
            ),
            (
                5, 0, 0,
                "A and B are equal in exact on 5 samples (95 % [-43.4, 43.4], p 1, McNemar's test); 5 samples can detect "
                    + "differences of 62.1 points or more (80 % power)"
            ),
            (1, 1, 0, "B is 100.0 points worse in exact, but there is only one sample, so chance cannot be assessed"),
            (0, 0, 0, "No sample has a value for exact in both runs"),
        ])
    func line(count: Int, broken: Int, fixed: Int, sentence: String) throws {
        #expect(
            try EvalDiff(MadeRuns.turned(count, broken: broken, fixed: fixed), measure: nil).sentence.hasPrefix(
                sentence))
    }

    @Test("the sentence lists missing values and samples") func missing() throws {
        let a = MadeRuns.rows([1, 1, .nan, 1, 1])
        let b = Array(MadeRuns.rows([1, .nan, 1, 0, 1, 1, 1]).dropFirst())
        let diff = try EvalDiff(EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b), measure: nil)
        #expect(diff.unscoredA == 1 && diff.unscoredB == 1 && diff.lost == 1)
        #expect(diff.sentence.hasSuffix("; without a value: 1 in A, 1 in B; only in A: 1, only in B: 2"))
        #expect(diff.means() == "1.000 in A, 0.500 in B, 2 samples (2 left out: no value in one run)")
        #expect(diff.pairs.map(\.id) == ["s3", "s1", "s4", "s2"])
    }

    @Test("an error counts as a missing value or as a failure") func errors() throws {
        let a = MadeRuns.rows([1, 1, 1])
        var b = MadeRuns.rows([1, .nan, 1])
        b[1].outcome = .error
        let join = EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b)
        #expect(try EvalDiff(join, measure: nil).total?.flips == EvalFlips(bothPass: 2))
        let strict = try EvalDiff(join, measure: nil, options: EvalDiffOptions(countsErrorsAsFailures: true))
        #expect(strict.total?.flips == EvalFlips(broken: 1, bothPass: 2))
    }

    @Test("seconds are compared, and unknown measures are an error") func measures() throws {
        func rows(_ seconds: [Double]) -> [EvalRow] {
            seconds.enumerated().map { MadeRuns.row($0, "s\($0)", [1], seconds: $1) }
        }
        let join = EvalJoin(MadeRuns.run("A"), rows([1, 2, 3, 4]), MadeRuns.run("B"), rows([1.5, 2.5, 3.6, 4.4]))
        #expect(join.measures.map(\.name) == ["exact", "seconds"])
        #expect(
            try EvalDiff(join, measure: "seconds").sentence.hasPrefix("B takes 0.500 s more (95 % [0.370, 0.630], p "))
        let error = #expect(throws: Problem.self) { try join.measure(named: "exakt") }
        #expect(error?.sentence == "exakt is not recorded in both runs. Did you mean \"exact\"?")
        let none = EvalJoin(MadeRuns.run("A", scores: []), [], MadeRuns.run("B"), [])
        #expect(throws: Problem.self) { try none.measure() }
    }
}
