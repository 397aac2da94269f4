import EvalLogs
import Evals
import JSON
import LanguageModels
import TestFixtures
import Testing
import Traces
import Workspace

/// Samples as traces of a workspace.
struct SampleTraceTests {
    private static func trace(epoch: Int = 1) -> SampleTrace {
        let asked = ModelRequest(.messages([Message(.user, [.text("6 x 7?")])], tools: []))
        let response = ModelResponse(
            message: Message(.assistant, [.text("42")]), finish: .stop, usage: Usage(input: 5, output: 1), model: "m",
            secondsToFirstToken: nil, seconds: 0.1)
        let solution = Solution(
            answers: ["42"],
            steps: [
                .model(
                    .init(
                        provider: "test", model: "m", request: asked, response: response, start: 1_000, end: 2_000,
                        answered: [
                            TokenStep(
                                text: "42", id: 7, logProbability: -0.5,
                                alternatives: [Alternative(id: 7, text: "42", logProbability: -0.5)])
                        ])),
                .tool(
                    ToolRun(
                        call: ToolCall(id: "1", name: "calculator", arguments: #"{"expression":"6/0"}"#),
                        result: ToolResult(callID: "1", content: "error: division by zero", isError: true),
                        start: 2_000, end: 3_000)),
                .search(
                    .init(
                        corpus: "manuals", pipeline: "hybrid", question: "torque",
                        passages: [SolutionPassage(document: "DM-7", chunk: 12, text: "8 Nm", score: 1.5)],
                        start: 3_000, end: 4_000)),
                .model(
                    .init(
                        provider: "test", model: "m", request: ModelRequest(.text("2 + 2 =")), response: nil,
                        likelihood: Likelihood(
                            logProbability: -1, isGreedy: true,
                            tokens: [.init(text: " 4", id: 9, logProbability: -1, isGreedy: true)]),
                        start: 4_000, end: 5_000)),
                .model(
                    .init(
                        provider: "test", model: "judge-1", request: asked, response: response, purpose: "judge",
                        start: 5_000, end: 6_000)),
            ])
        return SampleTrace(
            run: "3", task: "sums", sample: TaskSample(id: "s1", request: .generation(asked), targets: ["42"]),
            epoch: epoch, solution: solution, scores: [EvalScore("exact", value: 1, explanation: "equal")],
            problem: nil,
            start: 900, end: 6_100)
    }

    @Test("a sample has stable spans; another epoch has others")
    func deterministic() {
        #expect(Self.trace().spans == Self.trace().spans)
        #expect(Self.trace().trace == Self.trace().trace)
        #expect(Self.trace().trace != Self.trace(epoch: 2).trace)
        #expect(Self.trace().trace.count == 32)
    }

    @Test("after import, steps are below the sample, the failed step is marked, and tokens are stored")
    func imported() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(folder.file("w.orrery"), migrations: TraceStore.migrations, create: true)
        let keeper = SpanKeeper(workspace, origin: .eval)
        let trace = Self.trace()
        keeper.keep(trace.spans)
        #expect(keeper.problem == nil)
        let store = TraceStore(workspace)
        let summary = try store.find(trace.trace)
        #expect(summary.externalID == trace.trace)
        let spans = try store.spans(of: summary.id)
        #expect(spans.map(\.kind) == [.chain, .model, .tool, .retrieval, .model, .evaluator, .model])
        #expect(spans.map { $0.status == .error } == [false, false, true, false, false, false, false])
        let inside = try store.inside(of: spans[1])
        #expect(inside.steps.map(\.logProbability) == [-0.5])
        #expect(inside.steps.first?.alternatives?.count == 1)
        let likely = try store.inside(of: spans[4])
        #expect(likely.steps.map(\.text) == [" 4"])
        #expect(likely.form == .text)
    }
}
