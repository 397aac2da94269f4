import Console
import LanguageModels
import ModelLab
import TestFixtures
import Testing
import Traces
import Workbench

@Suite("A model call of an agent's run on the tokens page")
struct TokenRecordedRunTests {
    let made: TestWorkspace

    init() throws { made = try TestWorkspace() }

    private static let prompt = "Tools: calculator(expression)\nQuestion: What is 12 times 7?\n"

    private static let steps = ["Answer", ":", " 84"].enumerated().map { place, text in
        TokenStep(
            text: text, id: 300 + place, logProbability: -0.25, entropy: 0.5, seconds: 0.01,
            alternatives: [
                Alternative(id: 300 + place, text: text, logProbability: -0.25, afterStages: [1]),
                Alternative(id: 7, text: "other", logProbability: -3, afterStages: [0]),
            ], stages: [ProcessorStage(name: "temperature 0", remaining: 1, entropy: 0)])
    }

    /// A run of one call and no tool, recorded as the loop records it.
    private func record(_ specification: String?) throws -> Reference {
        let recorder = AgentRunRecorder(made.workspace)
        let start: Int64 = 1_790_000_000_000_000_000
        recorder.record(
            .began(
                RunStart(
                    agent: "react", question: "What is 12 times 7?", model: "mini", provider: "in-process", tools: [],
                    start: start)))
        let sampling = Sampling(temperature: 0, stop: ["\nObservation:"], maximumTokens: 64)
        recorder.record(
            .model(
                ModelCall(
                    provider: "in-process", model: "mini",
                    request: ModelRequest(.text(Self.prompt), sampling: sampling, alternatives: 2), start: start + 1,
                    end: start + 1_000_000,
                    outcome: .success(
                        ModelResponse(
                            message: Message(.assistant, [.text("Answer: 84")]), finish: .stop,
                            usage: Usage(input: 20, output: 3), model: "mini", secondsToFirstToken: nil, seconds: 1)),
                    specification: specification, prompt: [PromptToken(id: 5, text: "Tools", origin: .user)],
                    answered: Self.steps), SpanPosition(number: 1)))
        #expect(recorder.problem == nil)
        let trace = try made.store.find(recorder.trace)
        return Reference(.span, [trace.id, 1], title: "")
    }

    @Test("opens as its original text, with its settings, tokens, and alternatives")
    func inside() throws {
        let driver = ShellDriver(
            made.workspace, panels: [PanelEntry(TokenPage.self)], opening: try record("/models/mini.gguf"))
        #expect(driver.text.contains("Answer: 84"))
        let session = try #require(try made.generations.sessions().first)
        let draft = try PromptDocument(text: session.draft)
        #expect(draft.input == .text(Self.prompt))
        #expect(draft.sampling == Sampling(temperature: 0, stop: ["\nObservation:"], maximumTokens: 64))
        #expect(draft.model == "/models/mini.gguf", "asked again it is the same model")
        let recorded = try #require(try made.generations.generation(1))
        #expect(recorded.outcome.state == .recorded)
        #expect(recorded.steps == Self.steps)
        #expect(recorded.prompt.map(\.id) == [5])
    }

    @Test("a recording starts no program: only a registered model or a file is opened again")
    func programs() throws {
        _ = ShellDriver(
            made.workspace, panels: [PanelEntry(TokenPage.self)], opening: try record("exec:touch /tmp/never"))
        let session = try #require(try made.generations.sessions().first)
        #expect(try PromptDocument(text: session.draft).model == "")
    }

    @Test("o leads there from the run in the trace panel")
    func way() throws {
        let reference = try record(nil)
        let trace = try #require(try made.store.summaries().first { $0.id == reference.path.first })
        let driver = ShellDriver(
            made.workspace, panels: [PanelEntry(TracePage.self), PanelEntry(TokenPage.self)],
            opening: Reference(trace))
        try driver.type("]mo<enter>")
        #expect(driver.text.contains("Sessions ─ 1"))
        #expect(try made.generations.generation(1)?.document.input == .text(Self.prompt))
    }
}
