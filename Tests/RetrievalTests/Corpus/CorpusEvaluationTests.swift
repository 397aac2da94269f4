import Retrieval
import SearchIndexes
import System
import TestFixtures
import Testing

@Suite("Question sets and pipelines of a corpus")
struct CorpusEvaluationTests {
    @Test("a question set is stored, extended, and evaluated with a pipeline")
    func questions() throws {
        let fixture = try CorpusFixture()
        try fixture.add(["the comet returns", "the moon rises", "the dome turns"])
        var set = QuestionSet()
        try set.append(.init(id: "q1", question: "comet", gold: [.init("a")]))
        let id = try fixture.store.saveQuestions(set, as: "basics", corpus: fixture.corpus.id)
        try fixture.store.addQuestion(.init(id: "q2", question: "moon", gold: [.init("b", range: 4..<8)]), to: id)
        try fixture.store.addQuestion(.init(id: "q2", question: "dome", gold: [.init("b")]), to: id)
        let kept = try fixture.store.questions(in: id)
        #expect(kept.cases.map(\.question) == ["comet", "dome"])
        #expect(try fixture.store.questionSets().map(\.count) == [2])

        let definition = try PipelineDefinition("[lexical]\nk = 10\n[dense]\nenabled = false\n", path: "lexical.toml")
        let run = PipelineRun(definition, over: try fixture.session().source())
        let result = try PipelineEvaluation(run, kept, measures: [.recall(at: 10), .reciprocalRank(at: 10)])
        #expect(result.evaluation.values(of: .recall(at: 10)) == [1, 0])
        #expect(result.failures.isEmpty)
        #expect(result.found["q2"]?.map(\.document) == ["c"])
    }

    @Test("versions of a pipeline are stored; saving an unchanged pipeline adds none")
    func pipelines() throws {
        let fixture = try CorpusFixture()
        #expect(try fixture.store.savePipeline("hybrid", toml: "a = 1").version == 1)
        #expect(try fixture.store.savePipeline("hybrid", toml: "a = 1").version == 1)
        #expect(try fixture.store.savePipeline("hybrid", toml: "a = 2").version == 2)
        #expect(try fixture.store.pipeline("hybrid").toml == "a = 2")
        #expect(try fixture.store.pipeline("hybrid", version: 1).toml == "a = 1")
        #expect(try fixture.store.pipelines().map(\.version) == [2])
        #expect(throws: Problem.self) { try fixture.store.pipeline("hybrid", version: 3) }
    }

    @Test("duplicates are listed first; marked duplicates are not found until they are unmarked")
    func duplicates() throws {
        let fixture = try CorpusFixture()
        let text =
            "The comet returns every seventy six years and is seen from the whole of the earth without a telescope."
        try fixture.add([text, text, text + " Mostly.", "The moon rises over the dome of the observatory at night."])
        let embedder = LetterEmbedder()
        try fixture.store.embed(fixture.corpus.id, with: embedder)
        let report = try fixture.store.duplicates(of: fixture.corpus.id)
        #expect(report.redundant.count == 2)
        #expect(try fixture.lexical("comet").count == 3)
        #expect(try fixture.store.mark(report, in: fixture.corpus.id) == 2)
        #expect(try fixture.lexical("comet").count == 1)
        #expect(try fixture.store.corpus(fixture.corpus.id).chunkCount == 2)
        let source = try fixture.session(embedder: embedder).source()
        let vector = try source.embed([text], as: .query, space: nil) { false }[0]
        #expect(try source.searchDensely(DenseRequest(vector: vector, k: 9)) { false }.hits.count == 2)

        // The one that stands for the others goes: they are found again.
        let first = try #require(report.clusters.first).representative
        try fixture.store.remove(documents: [first], from: fixture.corpus.id)
        #expect(try fixture.lexical("comet").count == 2)
        #expect(try fixture.store.unmarkDuplicates(of: fixture.corpus.id) == 0)
        #expect(try fixture.store.corpus(fixture.corpus.id).chunkCount == 3)
    }

    @Test(
        "BM25 reproduces the published figures of the collections",
        arguments: [
            ("cranfield", 0.9, 0.4, 0.3433, 0.7221), ("xquad-en", 0.9, 0.4, 0.9648, 0.9966),
            ("cranfield", 1.2, 0.75, 0.3597, 0.7314),
        ])
    func figures(collection: String, k1: Double, b: Double, nDCG: Double, recall: Double) throws {
        let folder = "../shared/data/retrieval/\(collection)"
        guard File.bytes(folder + "/corpus.jsonl") != nil else { return print("there is no \(folder): skipped") }
        let fixture = try CorpusFixture(CorpusSettings(chunker: "fixed size=100000 overlap=0"))
        try fixture.store.add([folder + "/corpus.jsonl"], to: fixture.corpus.id)
        let beir = try BEIRCollection(folder: folder)
        let bytes = try #require(File.bytes(folder + "/qrels/\(beir.splits[0]).tsv"))
        let judgments = try Judgments(parsing: bytes, "qrels")
        let definition = try PipelineDefinition(
            "[lexical]\nk = 100\nk1 = \(k1)\nb = \(b)\nphrases = \"ignored\"\n[dense]\nenabled = false\n",
            path: "x.toml")
        let run = PipelineRun(definition, over: try fixture.session().source())
        let result = try PipelineEvaluation(
            run, queries: beir.queries().map { ($0.id, $0.text) }, judgments: judgments,
            measures: [.nDCG(at: 10), .recall(at: 100)], stage: "lexical")
        let mean = try #require(result.evaluation.mean(of: .nDCG(at: 10)))
        #expect(abs(mean - nDCG) < 0.00005 + 1e-9)
        #expect(abs(try #require(result.evaluation.mean(of: .recall(at: 100))) - recall) < 0.00005 + 1e-9)
    }
}
