import Retrieval
import Testing

@Suite("Explanations of 500 planted cases")
struct PlantedCaseTests {
    typealias Cause = StageExplanation.Cause

    @Test(
        "a single fault is explained with its stage, its rank, and a working remedy",
        arguments: [
            Cause.filter, .analysis, .missedBySearch, .k, .fusion, .reranker, .budget,
        ])
    func one(cause: Cause) throws {
        var count = 0
        for seed in 0..<2_000 where count < 60 {
            guard let planted = PlantedCase([cause], seed: seed) else { continue }
            count += 1
            try check(planted, seed)
        }
        #expect(count == 60)
    }

    @Test(
        "the first of two faults is explained, and the remedy fixes both",
        arguments: [
            [Cause.filter, .k], [.filter, .budget], [.k, .budget], [.missedBySearch, .reranker], [.fusion, .budget],
            [.reranker, .budget], [.filter, .missedBySearch], [.k, .reranker],
        ])
    func two(causes: [Cause]) throws {
        var count = 0
        for seed in 0..<4_000 where count < 10 {
            guard let planted = PlantedCase(causes, seed: seed) else { continue }
            // The second fault stands by itself: without the first it loses the chunk, too.
            count += 1
            try check(planted, seed)
        }
        #expect(count == 10)
    }

    private func check(_ planted: PlantedCase, _ seed: Int) throws {
        let name: Comment = "\(planted.causes.map(\.rawValue)), seed \(seed)"
        let definition = try PipelineDefinition(planted.pipeline.toml)
        let run = PipelineRun(definition, over: planted.toys, resources: .toys)
        let record = try run(planted.query)
        let naive = planted.pipeline.run(planted.toys, planted.query)
        let inContext = record.context?.passages.compactMap { record[$0.passage].chunk } ?? []
        #expect(inContext == naive.context, name)

        let told = try Explainer(run).explain(chunk: planted.target, in: record)
        let dropped = try #require(told.stages.first { $0.stage == told.droppedBy }, name)
        let wanted = planted.causes[0]
        if wanted == .analysis {
            // Where vectors are searched as well, the chunk has none: both ways are lost.
            #expect(told.stages.first { $0.kind == .lexical }?.cause == .analysis, name)
        } else {
            #expect(dropped.cause == wanted, name)
        }
        checkPlace(dropped, planted, naive, name)
        try checkRemedies(told, planted, name)
    }

    private func checkPlace(
        _ told: StageExplanation, _ planted: PlantedCase, _ naive: NaivePipeline.Outcome, _ name: Comment
    ) {
        var unlimited = planted.pipeline
        (unlimited.lexicalK, unlimited.denseK, unlimited.isExact) = (100_000, 100_000, true)
        switch told.cause {
        case .k, .missedBySearch:
            let all = unlimited.run(planted.toys, planted.query)
            let ranking = told.kind == .lexical ? all.lexical : all.dense
            let kept = told.kind == .lexical ? naive.lexical : naive.dense
            let index = ranking.firstIndex { $0.0 == planted.target }
            #expect(told.rank == index.map { $0 + 1 }, name)
            #expect(told.score == index.map { ranking[$0].1 }, name)
            #expect(told.scoreNeeded == kept.last?.1, name)
        case .filter: #expect(told.findings.first?.contains("kind=manual, but kind is ticket") ?? false, name)
        case .fusion:
            let index = naive.fused.firstIndex { $0.0 == planted.target }
            #expect(told.rank == index.map { $0 + 1 }, name)
            #expect(abs((told.score ?? 0) - (index.map { naive.fused[$0].1 } ?? 1)) < 1e-9, name)
            #expect(abs(told.parts.reduce(0) { $0 + $1.value } - (told.score ?? 0)) < 1e-6, name)
        case .reranker:
            #expect(told.rank == naive.reranked.firstIndex(of: planted.target).map { $0 + 1 }, name)
        default: break
        }
        #expect(
            abs(told.terms.reduce(0) { $0 + $1.contribution } - (told.terms.isEmpty ? 0 : told.score ?? 0)) < 1e-6, name
        )
    }

    private func checkRemedies(_ told: Explanation, _ planted: PlantedCase, _ name: Comment) throws {
        if planted.causes[0] == .analysis, !planted.pipeline.lexical || planted.pipeline.dense {
            // Neither words nor a vector: nothing that a pipeline says helps.
            #expect(told.remedies.isEmpty, name)
            return
        }
        #expect(!told.remedies.isEmpty, name)
        for remedy in told.remedies {
            var changed = planted.pipeline
            for change in remedy.changes {
                let isKnown = changed.change(change.key, change.after)
                #expect(isKnown, name)
            }
            let context = changed.run(planted.toys, planted.query).context
            #expect(context.contains(planted.target), "\(name) \(remedy.sentence)")
            // One less of what the stage itself ran short of is not enough.
            let keys: [Cause: [String]] = [
                .k: ["lexical.k", "dense.k"], .missedBySearch: ["dense.ef"], .fusion: ["fusion.keep"],
                .reranker: ["rerank.keep"], .budget: ["context.budget"],
            ]
            guard remedy.further.isEmpty, keys[planted.causes[0]]?.contains(remedy.key) ?? false,
                let value = Int(remedy.after)
            else { continue }
            var less = planted.pipeline
            _ = less.change(remedy.key, "\(value - 1)")
            #expect(
                !less.run(planted.toys, planted.query).context.contains(planted.target),
                "\(name) less than \(remedy.sentence)")
        }
    }
}
