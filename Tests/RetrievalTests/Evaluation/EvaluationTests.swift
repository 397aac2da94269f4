import JSON
import Retrieval
import TestFixtures
import Testing

@Suite("Evaluation")
struct EvaluationTests {
    @Test("an evaluation reports measures query by query")
    func example() throws {
        var judgments = Judgments()
        judgments.judge("manual", for: "q1", grade: 2)
        judgments.judge("ticket", for: "q2", grade: 1)
        var run = Run(tag: "bm25")
        run.rank([("ticket", 3.0), ("manual", 5.0)], for: "q1")
        let evaluation = Evaluation(of: run, against: judgments, measures: [.reciprocalRank(), .recall(at: 10)])
        #expect(evaluation.name == "bm25")
        #expect(evaluation.queries == ["q1", "q2"])
        #expect(evaluation.values(of: .reciprocalRank()) == [1, 0])
        #expect(evaluation.mean(of: .recall(at: 10)) == 0.5)
        #expect(evaluation.mean(of: .precision(at: 5)) == nil)
    }

    @Test("measures agree with ir_measures on random runs with ties, unjudged documents, and missing queries")
    func randomRuns() throws {
        try EvaluationFixture.golden().withRoot { root throws in
            var cases = 0
            try root["random"]?.forEachElement { node throws in
                let judgments = try Judgments(parsing: Array((node["qrels"]?.string ?? "").utf8))
                let run = try Run(parsing: Array((node["run"]?.string ?? "").utf8))
                let means = EvaluationFixture.numbers(node["means"])
                let measures = means.keys.sorted().compactMap { Measure($0) }
                #expect(measures.count == means.count && measures.count > 10)
                for measure in measures {
                    let isMsMarco = measure.kind == .reciprocalRank && measure.cutoff != nil
                    let evaluation = Evaluation(
                        of: run, against: judgments, measures: [measure], ties: isMsMarco ? .msMarco : .trecEval)
                    let mean = try #require(evaluation.mean(of: measure))
                    #expect(abs(mean - (means[measure.name] ?? -1)) < 2e-6, "\(measure)")
                    let queries = EvaluationFixture.numbers(node["queries"]?.member(named: measure.name))
                    for (query, value) in zip(evaluation.queries, evaluation.values(of: measure)) {
                        #expect(abs(value - (queries[query] ?? 0)) < 2e-6, "\(measure) of \(query)")
                    }
                }
                cases += 1
            }
            #expect(cases == 2)
        }
    }

    @Test("measures agree with ir_measures to six decimals on the stored runs of Cranfield")
    func cranfield() throws {
        let folder = EvaluationFixture.collection
        guard let bytes = File.bytes(folder + "/cranfield/qrels/test.tsv") else {
            print("skipped: \(folder) is not there")
            return
        }
        let judgments = try Judgments(parsing: bytes, "test.tsv")
        try EvaluationFixture.golden().withRoot { root throws in
            var runs = 0
            try root["collection"]?.forEachMember { name, means throws in
                let run = try Run(parsing: File.bytes(folder + "/runs/" + (name.string ?? "")) ?? [])
                for (name, value) in EvaluationFixture.numbers(means) {
                    let measure = try #require(Measure(name))
                    let one = Evaluation(of: run, against: judgments, measures: [measure], ties: .trecEval)
                    #expect(abs((one.mean(of: measure) ?? -1) - value) < 2e-6, "\(measure)")
                    // Our tie rule moves nothing here but what is tied.
                    let ours = Evaluation(of: run, against: judgments, measures: [measure])
                    #expect(abs((ours.mean(of: measure) ?? -1) - value) < 2e-3, "\(measure)")
                }
                runs += 1
            }
            #expect(runs == 5)
        }
    }

    @Test("a document that is found twice counts once, at its better rank")
    func twice() {
        var run = Run()
        run.rank(["a", "b", "a"], for: "q")
        #expect(run.ranking(of: "q") == ["a", "b"])
    }

    @Test(
        "ties are broken by the chosen rule",
        arguments: [
            (Run.Ties.asGiven, ["b", "a", "c"]), (.trecEval, ["c", "b", "a"]),
            (.msMarco, ["a", "b", "c"]),
        ])
    func ties(rule: Run.Ties, order: [String]) {
        var run = Run()
        run.rank([("b", 1.0), ("a", 1.0), ("c", 1.0 - (rule == .asGiven ? 0 : 1e-12))], for: "q")
        #expect(run.ranking(of: "q", ties: rule) == order)
    }
}
