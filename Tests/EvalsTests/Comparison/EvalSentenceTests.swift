import Evals
import Statistics
import Testing
import Traces

/// Sentences that tell the truth.
struct EvalSentenceTests {
    @Test(
        "the line says size, interval, p and what could be seen",
        arguments: [
            (
                1000, 62, 32,
                "B is 3.0 points worse in exact (95 % [-5.0, -1.1], p .002, McNemar's test); 1,000 samples show differences from 2.7 points on "
                    + "(80 % power)"
            ),
            (
                1000, 30, 37,
                "B is 0.7 points better in exact (95 % [-0.9, 2.4], p .39, McNemar's test), which may be chance; 1,000 samples show "
                    + "differences from 2.3 points on (80 % power), 0.7 points would take about"
            ),
            (
                1000, 0, 0,
                "A and B are equal in exact on 1,000 samples (95 % [-0.4, 0.4], p 1, McNemar's test); 1,000 samples show "
                    + "differences from 0.5 points on (80 % power)"
            ),
            (
                5, 0, 0,
                "A and B are equal in exact on 5 samples (95 % [-43.4, 43.4], p 1, McNemar's test); 5 samples show "
                    + "differences from 62.1 points on (80 % power)"
            ),
            (1, 1, 0, "B is 100.0 points worse in exact, but one sample: nothing can be said of chance"),
            (0, 0, 0, "No sample has a value of exact in both runs"),
        ])
    func line(count: Int, broken: Int, fixed: Int, sentence: String) throws {
        #expect(
            try EvalDiff(MadeRuns.turned(count, broken: broken, fixed: fixed), measure: nil).sentence.hasPrefix(
                sentence))
    }

    @Test func whatIsMissingIsSaid() throws {
        let a = MadeRuns.rows([1, 1, .nan, 1, 1])
        let b = Array(MadeRuns.rows([1, .nan, 1, 0, 1, 1, 1]).dropFirst())
        let diff = try EvalDiff(EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b), measure: nil)
        #expect(diff.unscoredA == 1 && diff.unscoredB == 1 && diff.lost == 1)
        #expect(diff.sentence.hasSuffix("; without a value: 1 in A, 1 in B; only in A: 1, only in B: 2"))
        #expect(diff.means() == "1.000 in A, 0.500 in B, 2 samples (2 left out: no value in one run)")
        #expect(diff.pairs.map(\.id) == ["s3", "s1", "s4", "s2"])
    }

    @Test func anErrorCountsAsNothingOrAsFailure() throws {
        let a = MadeRuns.rows([1, 1, 1])
        var b = MadeRuns.rows([1, .nan, 1])
        b[1].outcome = .error
        let join = EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b)
        #expect(try EvalDiff(join, measure: nil).total?.flips == EvalFlips(bothPass: 2))
        let strict = try EvalDiff(join, measure: nil, options: EvalDiffOptions(countsErrorsAsFailures: true))
        #expect(strict.total?.flips == EvalFlips(broken: 1, bothPass: 2))
    }

    @Test func secondsAndUnknownMeasures() throws {
        func rows(_ seconds: [Double]) -> [EvalRow] {
            seconds.enumerated().map { MadeRuns.row($0, "s\($0)", [1], seconds: $1) }
        }
        let join = EvalJoin(MadeRuns.run("A"), rows([1, 2, 3, 4]), MadeRuns.run("B"), rows([1.5, 2.5, 3.6, 4.4]))
        #expect(join.measures.map(\.name) == ["exact", "seconds"])
        #expect(
            try EvalDiff(join, measure: "seconds").sentence.hasPrefix("B takes 0.500 s more (95 % [0.370, 0.630], p "))
        let error = #expect(throws: EvalDiffError.self) { try join.measure(named: "exakt") }
        #expect(error?.sentence == "exakt is not among what both runs have. Did you mean \"exact\"?")
        let none = EvalJoin(MadeRuns.run("A", scores: []), [], MadeRuns.run("B"), [])
        #expect(throws: EvalDiffError.self) { try none.measure() }
    }
}
