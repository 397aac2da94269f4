import EvalLogs
import Evals
import LanguageModels
import Retrieval
import TestFixtures
import Testing
import Traces
import Workspace

/// Traces made from the samples of a run.
struct SampleTracesTests {
    @Test("a trace is imported once and found again; steps have their spans")
    func once() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(
            folder.file("w.orrery"), migrations: TraceStore.migrations + Evals.migrations, create: true)
        let solver = ScriptedSolver { (sample, _, _) throws(LanguageModelError) in
            let search = SolutionStep.search(
                .init(corpus: "c", pipeline: "p", question: "q", passages: [], start: 1, end: 2))
            let calls = Solution.plain(sample.id).steps
            return Solution(answers: [sample.id], steps: calls + [search] + calls, seconds: 1)
        }
        let run = try EvalRunner(RunFixture.order(4, solver), workspace: workspace).run()
        let log = try EvalStore(workspace).log(named: run.key)
        let traces = SampleTraces(workspace)
        let first = try #require(try traces.trace(of: 0, in: log))
        let count = try TraceStore(workspace).spans(of: first.summary.id).count
        #expect(count == 4)
        #expect(first.summary.origin == .eval)
        #expect(first.summary.project == log.run.task)
        let again = try #require(try traces.trace(of: 0, in: log))
        #expect(again == first)
        #expect(try TraceStore(workspace).spans(of: first.summary.id).count == count)
        let spans = try TraceStore(workspace).spans(of: first.summary.id)
        let record = try log.sample(0)
        #expect(first.steps.count == record.steps.count)
        for (step, ordinal) in zip(record.steps, first.steps) {
            let ordinal = try #require(ordinal)
            #expect(spans.first { $0.ordinal == ordinal }?.kind == step.kind)
        }
        #expect(Set(first.steps).count == 3)
        // It failed (the target differs) without a failed step: the last model call.
        #expect(record.row.outcome == .failed)
        #expect(
            first.failingSpan
                == first.steps.compactMap(\.self).last { ordinal in
                    spans.contains { $0.ordinal == ordinal && $0.kind == .model }
                })
        let other = try #require(try traces.trace(of: 1, in: log))
        #expect(other.summary.id != first.summary.id)
    }

    @Test("a log without steps or with an invalid trace ID makes no trace")
    func foreign() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(folder.file("w.orrery"), migrations: TraceStore.migrations, create: true)
        let traces = SampleTraces(workspace)
        #expect(try traces.trace(of: 0, in: MadeLog([.made()])) == nil)
        for id in ["x", "#1", String(repeating: "g", count: 32)] {
            let span = SpanRecord(trace: id, span: "1", name: "n", start: 0, end: 1)
            #expect(try traces.trace(of: 0, in: MadeLog([.made()], spans: [span])) == nil)
        }
        #expect(try TraceStore(workspace).summaries().isEmpty)
    }
}
