import LanguageModels
import Retrieval
import System
import Testing

@Suite("A run of a pipeline")
struct PipelineRunTests {
    private let source: ToySource = {
        var source = ToySource()
        source.items = [
            .init(1, "torque of the dome bolts grade=6.3", nearness: 0.9),
            .init(2, "bolts for the mirror grade=4", nearness: 0.2),
            .init(3, "fasteners of the dome grade=9", nearness: 0.8),
            .init(4, "cleaning the mirror grade=1", nearness: 0.5),
        ]
        return source
    }()

    private func run(_ toml: String = "", _ resources: PipelineResources = .toys) throws -> PipelineRun {
        PipelineRun(try PipelineDefinition(toml, path: "toys.toml"), version: 3, over: source, resources: resources)
    }

    @Test("a run records the ranking of every stage and the resulting context")
    func everyStage() throws {
        let record = try run()("what torque do the dome bolts need?")
        #expect(record.origin == .pipeline(name: "toys", version: 3, corpus: "toys"))
        #expect(record.stages.map(\.name) == ["lexical", "dense", "fused", "context"])
        let lexical = record.stages[0].entries.map { record[$0.passage].chunk }
        let dense = record.stages[1].entries.map { record[$0.passage].chunk }
        #expect(lexical == [1, 2, 3])
        #expect(dense == [1, 3, 4, 2])
        #expect(record.stages[2].entries[0].score == 2.0 / 61)
        #expect(record.context?.passages.map(\.mark) == ["[1]", "[2]", "[3]", "[4]"])
        #expect(record.context?.unit == "tokens")
    }

    @Test("entries below the last kept one are shown as cut")
    func cut() throws {
        let record = try run("[lexical]\nk = 1\n[dense]\nk = 2\n[fusion]\nkeep = 1")("dome bolts torque")
        #expect(record.stages[0].kept == 1)
        #expect(record.stages[0].entries.map(\.verdict) == [.kept, .cut, .cut])
        #expect(record.stages[1].entries.map(\.verdict) == [.kept, .kept, .cut, .cut])
        #expect(record.stages[2].entries.map(\.verdict) == [.kept, .cut])
        #expect(record.context?.passages.count == 1)
    }

    @Test("entries that the index finds only with a larger k are not shown as found")
    func missed() throws {
        var source = source
        source.items[2].effort = 5
        source.usualEffort = 2
        let definition = try PipelineDefinition("[lexical]\nenabled = false\n[dense]\nk = 2", path: "t")
        let record = try PipelineRun(definition, over: source, resources: .toys)("dome")
        #expect(record.stages[0].entries.map { record[$0.passage].chunk } == [1, 4, 2])
    }

    @Test("the first entries are reranked, the others follow in order, and the best are kept")
    func reranks() throws {
        let toml = "[rerank]\nmethod = \"cross-encoder\"\nmodel = \"toy\"\ndepth = 3\nkeep = 2"
        let record = try run(toml)("torque of the dome bolts")
        let stage = try #require(record.stages.first { $0.kind == .reranked })
        #expect(stage.entries.map { record[$0.passage].chunk } == [3, 1, 2, 4])
        #expect(stage.entries.map(\.score) == [9, 6.3, 4, nil])
        #expect(stage.entries.map(\.verdict) == [.kept, .kept, .cut, .cut])
    }

    @Test("a run notes stages that it could not execute and continues")
    func withoutVectors() throws {
        var source = source
        source.hasVectors = false
        let record = try PipelineRun(try PipelineDefinition(""), over: source, resources: .toys)("dome bolts")
        #expect(record.notes == ["dense did not search: toys has no vectors yet."])
        #expect(record.stages.map(\.name) == ["lexical", "context"])
    }

    @Test("the listener gets the partial record after every stage")
    func listener() throws {
        var lengths: [Int] = []
        _ = try run()("dome bolts", listener: { lengths.append($0.stages.count) })
        #expect(lengths == [1, 2, 3, 4, 4])
    }

    @Test("a canceled run ends with a cancellation error")
    func cancelled() throws {
        let run = try run()
        #expect {
            _ = try run("dome", isCancelled: { true })
        } throws: { ($0 as? Problem)?.kind == .cancelled }
    }

    @Test("a filtered run searches only matching chunks")
    func filtered() throws {
        var source = source
        source.items[0].kind = "ticket"
        let definition = try PipelineDefinition("[filter]\nexpression = \"kind=ticket\"")
        let record = try PipelineRun(definition, over: source, resources: .toys)("dome bolts")
        #expect(record.stages.map(\.entries.count) == [1, 1, 1, 1])
    }

    @Test("rephrased queries and the mean with hypothetical answers are searched")
    func rewrites() throws {
        let model = EchoModel(answers: [
            "1. dome fasteners\n2. \"mirror bolts\"\n3. dome fasteners", "The bolts need 40 Nm.",
        ])
        var resources = PipelineResources.toys
        resources.languageModel = { _ throws(Problem) in model }
        let toml = "[rewrite]\nqueries = 2\nhypothetical = 1\nmodel = \"echo\""
        let record = try run(toml, resources)("torque of bolts")
        #expect(record.rewrites.map(\.kind) == ["multi-query", "multi-query", "HyDE"])
        #expect(record.rewrites.map(\.text) == ["dome fasteners", "mirror bolts", "The bolts need 40 Nm."])
        let names = ["lexical", "lexical (2)", "lexical (3)", "dense", "dense (2)", "dense (3)", "fused", "context"]
        #expect(record.stages.map(\.name) == names)
    }

    @Test("a run without rephrased queries continues with the original question")
    func noRewrites() throws {
        let model = EchoModel(answers: [])
        var resources = PipelineResources.toys
        resources.languageModel = { _ throws(Problem) in model }
        let record = try run("[rewrite]\nqueries = 2\nmodel = \"echo\"", resources)("torque of bolts")
        #expect(record.stages.count == 4)
        #expect(record.notes == ["No rephrased queries: echo: nothing left to say."])
    }

    @Test("an answer is generated from the context, with its citations")
    func answers() throws {
        let model = EchoModel(answers: ["The dome bolts need it [1]. Nothing else does."])
        var resources = PipelineResources.toys
        resources.languageModel = { _ throws(Problem) in model }
        let record = try run("[answer]\nmodel = \"echo\"", resources)("torque of the dome bolts")
        let answer = try #require(record.answer)
        #expect(answer.citations.map { record[$0.passage].chunk } == [1])
        #expect(answer.citations[0].range == 0..<26)
        #expect(model.prompts[0].contains("[1] doc-1 #1\ntorque of the dome bolts"))
    }

    @Test("several stages of a kind run independently")
    func furtherStages() throws {
        let toml = "[dense]\nk = 1\nweight = 0.5\n[dense.wide]\nk = 4"
        let record = try run(toml)("bolts")
        #expect(record.stages.map(\.name) == ["lexical", "dense", "dense.wide", "fused", "context"])
        #expect(record.stages[2].kept == 4)
        #expect(record.stages[3].inputs == ["lexical", "dense", "dense.wide"])
    }
}
