import JSON
import LanguageModels
import ModelLab
import Synchronization
import TestFixtures
import Testing
import Workspace

@Suite("An answer")
struct GenerationTests {
    let folder = TemporaryFolder()

    private func store() throws -> GenerationStore {
        GenerationStore(
            try Workspace.open(folder.unique("models.orrery"), migrations: ModelLab.migrations, create: true))
    }

    private func generation(_ steps: [TokenStep], parent: Generation.Parent? = nil) -> Generation {
        Generation(
            session: 1, parent: parent, document: PromptDocument(model: "m"), model: "m", steps: steps, started: 0)
    }

    @Test("its speed leaves out the first token, and what a branch took from its parent")
    func speed() {
        let steps = [9, 0.5, 0.25, 0.25].map { TokenStep(text: "x", seconds: $0) }
        #expect(generation(steps).tokensPerSecond == 3)
        #expect(generation(steps, parent: .init(generation: 1, step: 0)).tokensPerSecond == 4)
        #expect(generation(Array(steps.prefix(1))).tokensPerSecond == nil)
        #expect(generation([TokenStep(text: "x"), TokenStep(text: "y")]).tokensPerSecond == nil)
    }

    @Test("a generation has a log probability only if every token has one")
    func logProbability() {
        let told = TokenStep(text: "a", logProbability: -0.5)
        #expect(generation([told, told]).logProbability == -1)
        #expect(generation([told, TokenStep(text: "b")]).logProbability == nil)
        #expect(generation([]).logProbability == nil)
    }

    private func ended(
        _ finish: String, _ steps: [TokenStep] = [], state: Generation.Outcome.State = .done
    ) -> Generation {
        var ended = generation(steps)
        ended.outcome = .init(state, finish: finish)
        return ended
    }

    private func percent(_ probability: Double) -> String { "\(Int((probability * 100).rounded())) %" }

    @Test("one without text says why")
    func silence() {
        let end = TokenStep(
            text: "", id: 0, logProbability: -0.0258,
            alternatives: [
                Alternative(id: 0, text: "<|endoftext|>", logProbability: -0.0258),
                Alternative(id: 7, text: "Thought", logProbability: -3.85),
            ])
        #expect(
            ended("stop", [end]).silence(percent)
                == "the model ended its reply at once: <|endoftext|> was the most likely token, p 97 %")
        var drawn = end
        (drawn.id, drawn.logProbability) = (9, -9)
        #expect(
            ended("stop", [drawn]).silence(percent)
                == "the model ended its reply at once: end-of-text was drawn, p 0 %")
        let bare = TokenStep(text: "", id: 0, logProbability: -0.0258)
        #expect(
            ended("stop", [bare]).silence(percent)
                == "the model ended its reply at once: end-of-text was the most likely token, p 97 %")
        #expect(ended("stop", [TokenStep(text: "", id: 0)]).silence(percent) == "the model ended its reply at once")
        #expect(ended("stop", [bare, bare]).silence(percent) == "the reply began with a stop string")
        #expect(ended("stop").silence(percent) == "the provider returned no text (stop)")
        #expect(ended("length").silence(percent) == "the prompt leaves no room for a reply in the model's context")
        #expect(ended("cancelled").silence(percent) == "the generation was canceled before its first word")
        #expect(ended("content_filter").silence(percent) == "the provider returned no text (content_filter)")
        #expect(ended("stop", [TokenStep(text: " \n")]).silence(percent) == "the model wrote only whitespace (stop)")
        #expect(ended("stop", state: .recorded).silence(percent) == "no text of the reply was recorded")
        var reasoned = ended("length")
        reasoned.reasoning = "Let me see."
        #expect(reasoned.silence(percent) == "the model wrote only its reasoning and no reply (length)")
    }

    @Test("one with text or tool calls, one that runs, and one that failed have no silence to explain")
    func noSilence() {
        #expect(ended("stop", [TokenStep(text: "Yes.")]).silence(percent) == nil)
        #expect(ended("", state: .running).silence(percent) == nil)
        #expect(ended("failed", state: .failed).silence(percent) == nil)
        var calling = ended("tool calls")
        calling.toolCalls = [ToolCall(id: "1", name: "look", arguments: "{}")]
        #expect(calling.silence(percent) == nil)
    }

    @Test("a generation that arrives at its end is complete")
    func notStreamed() throws {
        let store = try store()
        let session = try store.save(Session(title: "s", created: 1, changed: 1, draft: ""))
        let answer = try GenerationRun(store, model: FakeModel(events: []), now: { 1 }).run(
            Generation(session: session.id, document: PromptDocument(model: "fake"), model: "fake", started: 0),
            isCancelled: { false })
        #expect(answer.text == "whole")
        #expect(try store.generation(answer.id)?.text == "whole")
    }

    @Test("one that is canceled ends as far as it came")
    func cancelled() throws {
        let store = try store()
        let session = try store.save(Session(title: "s", created: 1, changed: 1, draft: ""))
        let model = FakeModel(events: [.token(TokenStep(text: "a")), .token(TokenStep(text: "b"))])
        let answer = try GenerationRun(store, model: model, now: { 1 }).run(
            Generation(session: session.id, document: PromptDocument(model: "fake"), model: "fake", started: 0),
            isCancelled: { true })
        #expect(answer.outcome.finish == "cancelled")
        #expect(try store.generation(answer.id)?.outcome.state == .done)
    }

    @Test("a branch of a text goes on with the text, where the model takes no tokens")
    func branchOfText() throws {
        let store = try store()
        let session = try store.save(Session(title: "s", created: 1, changed: 1, draft: ""))
        let model = FakeModel(events: [.token(TokenStep(text: " time"))])
        let document = PromptDocument(model: "fake", input: .text("Once upon"))
        let answer = try GenerationRun(store, model: model, now: { 1 }).run(
            Generation(
                session: session.id, document: document, model: "fake", steps: [TokenStep(text: " a")], started: 0),
            isCancelled: { false })
        #expect(model.asked.requests.withLock { $0.map(\.input) } == [.text("Once upon a")])
        #expect(answer.text == " a time")
    }

    @Test("the session of a trace's call is found again, and not once it was deleted")
    func origin() throws {
        let store = try store()
        let origin = Session.Origin(trace: 3, span: 9)
        #expect(try store.session(from: origin) == nil)
        let session = try store.save(Session(title: "s", created: 1, changed: 1, draft: "", origin: origin))
        #expect(try store.session(from: origin) == session)
        #expect(try store.session(from: Session.Origin(trace: 3, span: 8)) == nil)
        try store.deleteSession(session.id, at: 5)
        #expect(try store.session(from: origin) == nil)
    }

    @Test("JSON has only the values that were reported")
    func json() throws {
        let text = generation([TokenStep(text: "a\u{0}\n"), GenerationStoreTests.step]).json(.compact)
        let document = try JSONDocument(parsing: text)
        document.withRoot { root in
            let steps = Array(root["steps"]!.elements)
            #expect(steps[0]["text"]?.string == "a\u{0}\n")
            #expect(steps[0]["log_probability"] == nil && steps[0]["alternatives"] == nil)
            #expect(steps[1]["alternatives"].map { Array($0.elements).count } == 2)
            #expect(steps[1]["stages"].map { Array($0.elements).count } == 2)
        }
        #expect(!text.contains("null"))
    }
}
