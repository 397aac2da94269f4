import Retrieval
import System
import Testing

@Suite("Explaining why a chunk is missing from the context")
struct ExplainerTests {
    /// Thirty chunks about bolts, the nearest first, and one about fasteners that should have been found.
    private var source: ToySource {
        var source = ToySource()
        source.items = (1...30).map { id in
            .init(
                Int64(id), "bolts w\(id) x\(id) y\(id) grade=\(Double(id % 7) / 10)", nearness: 1 - Double(id) / 100)
        }
        source.items.append(
            .init(99, "torque of dome fasteners grade=7.02", document: "spec-12", nearness: 0.775))
        return source
    }

    private func asked(
        _ toml: String, _ source: ToySource, _ query: String = "what bolts do we need"
    ) throws -> (PipelineRun, RetrievalRecord) {
        let run = PipelineRun(try PipelineDefinition(toml), over: source, resources: .toys)
        return (run, try run(query))
    }

    private static let reranked = """
        [dense]
        k = 20
        [rerank]
        method = "cross-encoder"
        model = "toy"
        keep = 3
        """

    @Test("an explanation names the stage, the margin, hypothetical ranks, and a change that brings the chunk in")
    func example() throws {
        let (run, record) = try asked(Self.reranked, source)
        let told = try Explainer(run).explain(document: "spec-12", in: record)
        #expect(told.passage.chunk == 99)
        #expect(told.droppedBy == "dense")
        #expect(told.stages.map(\.cause) == [.analysis, .k, .neverArrived, .neverArrived, .neverArrived])
        let lexical = told.stages[0]
        #expect(lexical.findings[0] == "no match: the chunk contains no term of the query")
        #expect(lexical.findings.contains("missing from the chunk: bolts, we, need"))
        #expect(lexical.findings.contains("dropped by analysis: what (stop word), do (stop word)"))
        let dense = told.stages[1]
        #expect(dense.rank == 23 && dense.scoreNeeded == 0.8)
        #expect(dense.findings[0] == "rank 23 (20 kept): 0.775, but 0.800 was needed")
        #expect(dense.findings[1] == "found by the index but cut off by k")
        // 1/(60+23): 23 are before it, the last of them with the same score and a smaller id.
        #expect(told.stages[2].rank == 24 && told.stages[2].isHypothetical)
        #expect(abs((told.stages[2].score ?? 0) - 1.0 / 83) < 1e-12)
        #expect(told.stages[3].rank == 1 && told.stages[3].score == 7.02)
        #expect(told.stages[4].findings == ["would fit"])
        let remedy = try #require(told.remedies.first)
        #expect(remedy.changes.contains { $0.key == "dense.k" })
        let again = try run.changing(remedy.changes)(record.query)
        let inContext = again.context?.passages.compactMap { again[$0.passage].chunk } ?? []
        #expect(inContext.contains(99))
    }

    @Test("a chunk in the context is explained with its place")
    func kept() throws {
        let (run, record) = try asked("", source)
        let told = try Explainer(run).explain(chunk: 1, in: record)
        #expect(told.droppedBy == nil && told.remedies.isEmpty)
        #expect(told.stages.map(\.cause) == [.kept, .kept, .kept, .kept])
        #expect(told.stages.last?.findings == ["in the context as [1], 5 tokens"])
    }

    @Test("an explanation names the smallest effort with which an index finds a chunk", arguments: ["hnsw", "ivf"])
    func effort(index: String) throws {
        var source = source
        source.index = index
        source.items[30].nearness = 0.999
        source.items[30].effort = 137
        for id in source.items.indices where source.items[id].id != 99 { source.items[id].effort = 3 }
        while source.items.count < 200 {
            source.items.append(.init(Int64(source.items.count + 100), "far off", nearness: 0.01))
        }
        let (run, record) = try asked("[lexical]\nenabled = false\n[dense]\nk = 10", source)
        let told = try Explainer(run).explain(chunk: 99, in: record)
        let key = index == "hnsw" ? "ef" : "nprobe"
        #expect(told.stages[0].cause == .missedBySearch && told.stages[0].rank == 1)
        #expect(told.stages[0].findings[1] == "\(key) 137 finds it")
        #expect(told.remedies.map(\.sentence).contains("dense.\(key) = 137 includes the chunk"))
        #expect(told.remedies.map(\.sentence).contains("dense.exact = true includes the chunk"))
    }

    @Test("each excluding filter clause is named, and the remedy removes no more than needed")
    func clauses() throws {
        var source = source
        source.items[4].kind = "ticket"
        let toml = "[filter]\nexpression = \"kind=manual and year=2020\""
        let (run, record) = try asked(toml, source)
        let told = try Explainer(run).explain(chunk: 5, in: record)
        #expect(told.stages[0].findings[0] == "the filter excludes it: kind=manual, but kind is ticket")
        #expect(told.remedies.first?.after == "year=2020")
        source.items[4].year = 1_999
        let (both, second) = try asked(toml, source)
        let further = try Explainer(both).explain(chunk: 5, in: second)
        #expect(further.stages[0].findings.count == 3)
        #expect(further.remedies.map(\.sentence) == ["removing the filter includes the chunk"])
    }

    @Test("an excluded namespace is named as the cause, without a remedy")
    func namespace() throws {
        var source = source
        source.hidden = [5]
        let (run, record) = try asked("", source)
        let told = try Explainer(run).explain(chunk: 5, in: record)
        #expect(told.stages.prefix(2).map(\.cause) == [.filter, .filter])
        #expect(told.stages[0].findings[0] == "the filter excludes it: namespace = \"open\", but it is in \"closed\"")
        #expect(told.remedies.isEmpty)
    }

    @Test("a dropped duplicate names the passage with the same text")
    func duplicate() throws {
        var source = source
        let text = "the bolts are to be kept dry and clean in a box of wood"
        source.items[0].text = text
        source.items[1].text = text
        let (run, record) = try asked("", source)
        let told = try Explainer(run).explain(chunk: 2, in: record)
        #expect(told.stages.last?.cause == .duplicate)
        #expect(told.stages.last?.findings == ["doc-1 #1 has the same text and is in the context"])
        #expect(told.remedies.map(\.key) == ["context.deduplicate"])
    }

    @Test("a chunk below the reranker's depth is distinguished from one that it ranked low")
    func depth() throws {
        let (run, record) = try asked(Self.reranked + "\ndepth = 4", source)
        let told = try Explainer(run).explain(chunk: 6, in: record)
        #expect(told.droppedBy == "reranked")
        let stage = try #require(told.stages.first { $0.stage == "reranked" })
        #expect(stage.findings == ["not reranked: it arrived at rank 6, and depth is 4"])
        #expect(told.remedies.contains { $0.changes.contains { $0.key == "rerank.depth" } })
    }

    @Test("a missing vector is reported")
    func noVector() throws {
        var source = source
        source.items[30].nearness = nil
        let (run, record) = try asked("", source)
        let told = try Explainer(run).explain(chunk: 99, in: record)
        #expect(told.stages[1].findings == ["no vector in toy: embed the chunk first"])
        #expect(told.stages[2].findings == ["no search stage ranks it"])
        #expect(told.remedies.isEmpty)
    }

    @Test("a document is explained by its chunk that came furthest, or its likeliest chunk")
    func document() throws {
        var source = source
        source.items[2].document = "many"
        source.items[9].document = "many"
        let (run, record) = try asked("", source)
        #expect(try Explainer(run).explain(document: "many", in: record).passage.chunk == 3)
        source.items.append(.init(100, "bolts", document: "late", nearness: 0.001))
        source.items.append(.init(101, "nothing", document: "late", nearness: 0.001))
        let (late, second) = try asked("[lexical]\nk = 1\n[dense]\nk = 1", source)
        var few = late
        few.shownBehind = 0
        #expect(try Explainer(few).explain(document: "late", in: second).passage.chunk == 100)
    }

    @Test(
        "an analyzer that cannot match the query's words is named as the cause, with one that can",
        arguments: [
            ("english", "谁负责烤箱", "面包房里米拉负责烤箱和面团。", "english+cjk"), ("words", "烤箱", "米拉的烤箱很热。", "cjk"),
            ("english", "cafe", "We met at the Café on the corner.", "english+folded"),
            ("english", "Zeitungen", "Die Zeitung wird jeden Morgen in der alten Druckerei gedruckt.", "german"),
        ])
    func analyzer(name: String, query: String, text: String, better: String) throws {
        let fixture = try CorpusFixture(CorpusSettings(analyzer: name))
        try fixture.add([text, "A comet returns."])
        let definition = try PipelineDefinition("[dense]\nenabled = false\n", path: "lexical.toml")
        let run = PipelineRun(definition, over: try fixture.session().source())
        let told = try Explainer(run).explain(document: "a", in: try run(query))
        let findings = told.stages[0].findings
        #expect(told.stages[0].cause == .analysis)
        #expect(
            findings[0].hasPrefix("the \(name) analyzer of the corpus ") && findings[0].contains("; \(better) finds "))
        #expect(findings[1].hasSuffix("--analyzer \(better)"))
        let other = try Explainer(run).explain(document: "b", in: try run(query))
        #expect(other.stages[0].findings[0] == "no match: the chunk contains no term of the query")
    }

    @Test("ranks refer to all entries that a stage ranked, not only to its k")
    func ranks() throws {
        let fixture = try CorpusFixture()
        try fixture.add(["A comet.", "A comet and a moon.", "A moon."])
        let definition = try PipelineDefinition("[lexical]\nk = 50\n[dense]\nenabled = false\n", path: "lexical.toml")
        let run = PipelineRun(definition, over: try fixture.session().source())
        let told = try Explainer(run).explain(document: "b", in: try run("comet"))
        #expect(told.stages[0].findings[0] == "rank 2 of 2")
    }

    @Test("an unknown document or chunk is an error with a remedy, and canceling ends the explanation")
    func errors() throws {
        let (run, record) = try asked("", source)
        let explainer = Explainer(run)
        #expect {
            _ = try explainer.explain(document: "nowhere", in: record)
        } throws: {
            "\($0)" == "nowhere: toys has no chunks of this document. List the documents with orrery corpus show."
        }
        #expect {
            _ = try explainer.explain(chunk: 12_345, in: record)
        } throws: { "\($0)".hasPrefix("chunk 12345: toys does not contain the chunk.") }
        #expect {
            _ = try explainer.explain(chunk: 99, in: record, isCancelled: { true })
        } throws: { ($0 as? Problem)?.kind == .cancelled }
    }
}
