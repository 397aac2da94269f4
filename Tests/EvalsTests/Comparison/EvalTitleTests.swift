import EvalLogs
import Evals
import JSON
import Statistics
import Testing

/// Titles of figures, and comparisons without pairs.
struct EvalTitleTests {
    @Test(
        "a metric has the title of its score or the name in lm-evaluation-harness",
        arguments: [
            ("answer", "mean", true, "answer"), ("answer", "mean", false, "answer"),
            ("acc_norm,none", "mean", true, "acc_norm"), ("exact_match,strict", "mean", false, "exact_match,strict"),
            ("word_perplexity,none", "weighted_perplexity", true, "word_perplexity"),
            ("acc,none", "acc,none", false, "acc"), ("label", "f1_macro", true, "f1_macro"),
            ("label", "f1_macro", false, "label f1_macro"), ("", "accuracy", true, "accuracy"),
        ])
    func title(score: String, name: String, isAlone: Bool, title: String) {
        #expect(EvalMetric(score: score, name: name, value: 1, count: 1).title(isAlone: isAlone) == title)
    }

    @Test("the gate names the score behind accuracy") func accuracy() throws {
        let verdict = try EvalGate("accuracy>=-0.01").check(MadeRuns.turned(1000, broken: 62, fixed: 32))
        #expect(
            verdict.sentence.hasPrefix(
                "accuracy>=-0.01 on exact: worse than allowed. B is 3.0 points worse in accuracy of exact"))
        #expect(verdict.junit.contains("classname=\"accuracy of exact\" name=\"accuracy&gt;=-0.01 on exact\""))
        let named = try EvalGate("exact>=-0.01").check(MadeRuns.turned(1000, broken: 62, fixed: 32))
        #expect(named.sentence.hasPrefix("exact>=-0.01: worse than allowed."))
        let json = try JSONValue(json: verdict.json())
        #expect(json["findings"]?.elements?.first?["measure"]?.string == "exact")
    }

    @Test("runs without shared samples are compared by their means") func unpaired() throws {
        let a = (0..<200).map { MadeRuns.row($0, "a\($0)", [$0 < 160 ? 1 : 0]) }
        let b = (0..<100).map { MadeRuns.row($0, "b\($0)", [$0 < 60 ? 1 : 0]) }
        let join = EvalJoin(MadeRuns.run("A"), a, MadeRuns.run("B"), b)
        #expect(join.samples.isEmpty)
        let found = EvalUnpaired(join, measure: try join.measure())
        #expect(abs((found.difference ?? 0) + 0.2) < 1e-12 && found.outcome == .worse && found.shared == 0)
        // statsmodels 0.14: confint_proportions_2indep(60, 100, 160, 200, method="newcomb"), chi-squared of the table.
        #expect(
            abs((found.interval?.lower ?? 0) + 0.309_811_185_140_300_15) < 1e-12
                && abs((found.interval?.upper ?? 0) + 0.090_860_270_148_765_69) < 1e-12)
        #expect(
            found.sentence.hasPrefix("B is 20.0 points worse in exact on 100 samples than A on 200 others (95 % [-31."))
    }

    @Test("Elo ratings depend on the order of the runs") func elo() {
        func entry(_ name: String, _ start: Int64, _ values: [Double]) -> EvalMatrix.Entry {
            var run = MadeRuns.run(name)
            run.start = start
            return EvalMatrix.Entry(run, MadeRuns.rows(values))
        }
        let found = EvalElo([entry("new", 2, [1, 1, 0]), entry("old", 1, [0, 1, 1])], k: 32)
        #expect(found.runs.map(\.name) == ["old", "new"] && found.games == 3)
        // By hand: 16 to the new run, a tie that returns a little, then a win of the old run.
        var elo = EloRatings(players: 2, k: 32)
        elo.play(winner: 1, loser: 0)
        elo.tie(0, 1)
        elo.play(winner: 0, loser: 1)
        #expect(found.ratings == elo.ratings && found.ratings[0] > 1000)
    }
}
