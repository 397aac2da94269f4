import Retrieval
import SearchIndexes
import System
import Testing

@Suite("Reranking")
struct RerankingTests {
    private var source: ToySource {
        var source = ToySource()
        source.items = [
            .init(1, "domes turn by night", nearness: 0.95), .init(2, "domes turn at night", nearness: 0.94),
            .init(3, "bolts hold the dome", nearness: 0.2), .init(4, "nothing of it", nearness: 0.1),
        ]
        return source
    }

    private func ranking(_ toml: String, _ model: EchoModel? = nil, in source: ToySource? = nil) throws -> Stage {
        var resources = PipelineResources.toys
        if let model { resources.languageModel = { _ throws(Problem) in model } }
        let text = "[lexical]\nenabled = false\n[rerank]\n" + toml
        let run = PipelineRun(try PipelineDefinition(text), over: source ?? self.source, resources: resources)
        let record = try run("dome")
        #expect(record.stages.map(\.name) == ["dense", "reranked", "context"])
        var stage = record.stages[1]
        stage.note = stage.note ?? record.notes.first
        return stage
    }

    private func order(_ stage: Stage) -> [Int] { stage.entries.map { $0.passage.index + 1 } }

    @Test("marginal relevance prefers new passages to near-duplicates")
    func marginalRelevance() throws {
        #expect(order(try ranking("method = \"mmr\"\nlambda = 1.0")) == [1, 2, 3, 4])
        let stage = try ranking("method = \"mmr\"\nlambda = 0.3")
        // By hand: the vectors are (s, √(1 - s²)); after the first, 0.3 s - 0.7 cos to the first is greatest for 4.
        #expect(order(stage) == [1, 4, 2, 3])
        #expect(abs((stage.entries[0].score ?? 0) - 0.3 * 0.95) < 1e-6)
        let near = 0.95 * 0.1 + (1 - 0.95 * 0.95).squareRoot() * (1 - 0.01).squareRoot()
        #expect(abs((stage.entries[1].score ?? 0) - (0.3 * 0.1 - 0.7 * near)) < 1e-6)
    }

    @Test("MaxSim scores a passage by its best sentence")
    func maximumSimilarity() throws {
        let stage = try ranking("method = \"maxsim\"")
        // Every text has the same vector here: all are as good as can be, and keep their order.
        #expect(order(stage) == [1, 2, 3, 4])
        #expect(stage.entries.map(\.score) == [1, 1, 1, 1])
        #expect(stage.parameters.contains(Stage.Parameter("parts", "sentences")))
    }

    @Test(
        "a language model's grades from 0 to 10 are used; other passages keep their places",
        arguments: [
            (["2", "9", "Grade: 5/10", "7.5"], [2, 4, 3, 1], nil as String?),
            (
                ["I will not", "3", "8", "11"], [1, 3, 2, 4],
                "2 of 4 passages received no grade and keep their positions"
            ),
            (
                [], [1, 2, 3, 4],
                "4 of 4 passages received no grade and keep their positions: echo: nothing left to say."
            ),
        ])
    func grades(answers: [String], wanted: [Int], note: String?) throws {
        let stage = try ranking("method = \"language-model\"\nmodel = \"m\"", EchoModel(answers: answers))
        #expect(order(stage) == wanted)
        if let note { #expect(stage.note?.hasPrefix(note) ?? false) } else { #expect(stage.note == nil) }
    }

    @Test(
        "a language model's list is used as far as it can be parsed",
        arguments: [
            ("[3] > [1] > [2] > [4]", [3, 1, 2, 4], nil as String?),
            (
                "The 2 best of 4: [4], then [4] and [9], [2]", [4, 2, 1, 3],
                "The reply omits 2 of 4 passages; they come last."
            ),
            ("2, 3, 1, 4", [2, 3, 1, 4], nil),
            ("I cannot say.", [1, 2, 3, 4], "The passages keep their order: the reply names none of them."),
        ])
    func list(answer: String, wanted: [Int], note: String?) throws {
        let toml = "method = \"language-model\"\nmodel = \"m\"\nstyle = \"listwise\""
        let stage = try ranking(toml, EchoModel(answers: [answer]))
        #expect(order(stage) == wanted)
        #expect(stage.note == note)
    }

    @Test("repeated requests to a model are answered from memory")
    func memory() throws {
        let model = EchoModel(answers: ["1", "2", "3", "4"])
        var resources = PipelineResources.toys
        resources.languageModel = { _ throws(Problem) in model }
        let definition = try PipelineDefinition("[rerank]\nmethod = \"language-model\"\nmodel = \"m\"")
        let run = PipelineRun(definition, over: source, resources: resources)
        let first = try run("dome")
        let second = try run("dome")
        #expect(model.prompts.count == 4)
        #expect(first.stages.map(\.entries) == second.stages.map(\.entries))
    }

    @Test("a missing model is an error with its name")
    func missing() throws {
        let definition = try PipelineDefinition("[rerank]\nmethod = \"language-model\"\nmodel = \"gpt-9\"")
        let run = PipelineRun(definition, over: source)
        #expect {
            try run("dome")
        } throws: { "\($0)" == "gpt-9: language models are not available here." }
    }

    @Test("a missing cross-encoder is an error with its path")
    func noCrossEncoder() {
        #expect {
            _ = try CrossEncoder(path: "/nowhere/encoder")
        } throws: { ($0 as? Problem)?.sentence.contains("/nowhere/encoder") ?? false }
    }
}
