import LanguageModels
import Retrieval
import System
import TestFixtures
import Testing
import Traces
import Workspace

@Suite("A run of a pipeline as a trace")
struct RetrievalTraceTests {
    private func traced() throws -> TracedRecord {
        var source = ToySource()
        source.items = [
            .init(1, "torque of the dome bolts grade=6", nearness: 0.9),
            .init(2, "bolts of the \"mirror\" grade=7", nearness: 0.2),
        ]
        var resources = PipelineResources.toys
        let model = EchoModel(answers: ["Forty [1]."])
        resources.languageModel = { _ throws(Problem) in model }
        let toml = "[rerank]\nmethod = \"cross-encoder\"\nmodel = \"toy\"\n[answer]\nmodel = \"echo\""
        let run = PipelineRun(try PipelineDefinition(toml, path: "toys"), over: source, resources: resources)
        return try run.traced("what torque?")
    }

    @Test("a trace has a span for every stage under one root, with OpenInference attributes")
    func spans() throws {
        let trace = RetrievalTrace(try traced())
        #expect(trace.spans.map(\.kind) == [.chain, .retrieval, .retrieval, .retrieval, .reranker, .chain])
        #expect(trace.spans.dropFirst().allSatisfy { $0.parent == trace.spans[0].span && $0.end ?? 0 >= $0.start })
        #expect(Set(trace.spans.map(\.span)).count == 6)
        func attribute(_ span: Int, _ name: String) -> SpanRecord.Value? { trace.spans[span][name] }
        #expect(attribute(0, "input.value") == .text("what torque?"))
        #expect(attribute(0, "output.value") == .text("Forty [1]."))
        #expect(attribute(1, "retrieval.documents.0.document.id") == .text("1"))
        #expect(attribute(2, "retrieval.documents.1.document.score") == .number(0.2))
        #expect(attribute(4, "reranker.input_documents.0.document.id") == .text("1"))
        #expect(attribute(4, "reranker.output_documents.0.document.id") == .text("2"))
        #expect(attribute(4, "reranker.model_name") == .text("toy"))
        #expect(attribute(4, "reranker.top_k") == .integer(2))
        #expect(trace.calls.map(\.kind) == [.model])
    }

    @Test("a trace is stored in a workspace like any imported trace")
    func kept() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(folder.file("w.orrery"), migrations: TraceStore.migrations, create: true)
        let id = try RetrievalTraceRecorder(workspace).record(try traced())
        let store = TraceStore(workspace)
        let summaries = try store.summaries(try store.identifiers())
        #expect(summaries.count == 1)
        #expect(id.count == 32)
        #expect(summaries[0].spans == 7)
    }
}
