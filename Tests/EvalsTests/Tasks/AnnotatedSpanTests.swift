import Evals
import JSON
import LanguageModels
import TestFixtures
import Testing
import Traces
import Workspace

@Suite("Notes at spans as rows of a task")
struct AnnotatedSpanTests {
    private static let asked = ModelRequest(.messages([Message(.user, [.text("6 x 7?")])], tools: []))

    /// A chain with a model call, a tool call, and a search below it.
    private static var trace: SampleTrace {
        let response = ModelResponse(
            message: Message(.assistant, [.text("41")]), finish: .stop, usage: nil, model: "m",
            secondsToFirstToken: nil, seconds: 0.1)
        let steps: [SolutionStep] = [
            .model(.init(provider: "test", model: "m", request: asked, response: response, start: 1_000, end: 2_000)),
            .tool(
                ToolRun(
                    call: ToolCall(id: "1", name: "calculator", arguments: #"{"expression":"6*7"}"#),
                    result: ToolResult(callID: "1", content: "41", isError: false), start: 2_000, end: 3_000)),
            .search(
                .init(
                    corpus: "manuals", pipeline: "hybrid", question: "torque",
                    passages: [SolutionPassage(document: "DM-7", chunk: 12, text: "8 Nm", score: 1.5)], start: 3_000,
                    end: 4_000)),
        ]
        return SampleTrace(
            run: "3", task: "sums", sample: TaskSample(id: "s1", request: .generation(asked), targets: ["42"]),
            epoch: 1, solution: Solution(answers: ["41"], steps: steps), scores: [], problem: nil, start: 900,
            end: 6_100)
    }

    @Test("model calls, tool calls, and searches become rows; spans that cannot be repeated are reported and left out")
    func rows() throws {
        let folder = TemporaryFolder()
        let workspace = try Workspace.open(
            folder.file("w.orrery"), migrations: TraceStore.migrations + Evals.migrations, create: true)
        SpanKeeper(workspace, origin: .eval).keep(Self.trace.spans)
        let store = TraceStore(workspace)
        let id = try store.find(Self.trace.trace).id
        let spans = try store.spans(of: id)
        #expect(spans.prefix(4).map(\.kind) == [.chain, .model, .tool, .retrieval])
        for span in spans.prefix(4) { try store.setNote("right \(span.ordinal)", span: span.ordinal, of: id) }
        let path = folder.file("t.toml")
        File.write(
            "prompt = \"{{ prompt }}\"\ntarget = \"{{ target }}\"\nslices = [\"kind\"]\n[data]\nspans = \"*\"\n"
                + "[[scorers]]\nkind = \"exact\"\n", to: path)
        let task = try #require(try TaskFormats.load(path, TaskLoading(workspace: workspace)).first)
        #expect(task.samples.map(\.targets) == [["right 1"], ["right 2"], ["right 3"]])
        let fields = task.samples.map(\.fields)
        #expect(fields.map { $0["kind"]?.string } == ["model", "tool", "retrieval"])
        #expect(fields.map { $0["prompt"]?.string } == ["6 x 7?", #"{"expression":"6*7"}"#, "torque"])
        #expect(fields.map { $0["answer"]?.string } == ["41", "41", "8 Nm"])
        #expect(fields[1]["tool"]?.string == "calculator")
        #expect(fields[2]["documents"]?.elements?.map(\.string) == ["8 Nm"])
        #expect(task.notes.contains { $0.hasPrefix("1 note is left out") })
    }
}
