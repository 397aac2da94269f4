import Foundation
import LanguageModels
import ModelLab
import Synchronization
import TestFixtures
import Testing
import Workspace

/// Answers with steps that are given, and may fail or be canceled between them.
struct FakeModel: LanguageModel {
    var name: String { "fake" }
    var provider: String { "test" }
    var capabilities: ModelCapabilities { ModelCapabilities(acceptsTokens: true) }
    var events: [ModelEvent]
    var failure: LanguageModelError?
    let asked = Asked()

    final class Asked: Sendable {
        let requests = Mutex<[ModelRequest]>([])
    }

    func respond(
        to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
    ) throws(LanguageModelError) -> ModelResponse {
        asked.requests.withLock { $0.append(request) }
        var finish = ModelResponse.FinishReason.stop
        for event in events {
            if isCancelled() {
                finish = .cancelled
                break
            }
            receive(event)
        }
        if let failure { throw failure }
        return ModelResponse(
            message: Message(.assistant, [.text("whole")]), finish: finish, usage: Usage(input: 3, output: 2),
            model: "fake-1", secondsToFirstToken: 0.25, seconds: 0.5)
    }
}

@Suite("Answers that a workspace keeps")
struct GenerationStoreTests {
    let folder = TemporaryFolder()

    private func store() throws -> GenerationStore {
        GenerationStore(
            try Workspace.open(folder.unique("models.orrery"), migrations: ModelLab.migrations, create: true))
    }

    static let step = TokenStep(
        text: " turns", id: 17, logProbability: -0.5, entropy: 1.25, seconds: 0.01,
        alternatives: [
            Alternative(id: 17, text: " turns", logProbability: -0.5, afterStages: [0.7, 0.8]),
            Alternative(id: 4, text: " spins\n", logProbability: -1.5, afterStages: [0.2, 0]),
        ],
        stages: [
            ProcessorStage(name: "temperature 0.8", remaining: 32_000, entropy: 1.1),
            ProcessorStage(name: "top-k 1", remaining: 1, entropy: 0),
        ])

    private func session(_ store: GenerationStore) throws -> Session {
        try store.save(Session(title: "first", created: 1, changed: 1, draft: PromptDocument().text))
    }

    @Test("come back as they were, token by token")
    func roundTrip() throws {
        let store = try store()
        let session = try session(store)
        var answer = Generation(
            session: session.id, document: PromptDocumentTests.everything, model: "fake-1",
            prompt: [
                PromptToken(id: 1, text: "<s>", origin: .template), PromptToken(id: 9, text: "hi", origin: .user),
            ],
            steps: [Self.step, TokenStep(text: "…")], reasoning: "hm",
            toolCalls: [ToolCall(id: "c", name: "search", arguments: "{}")], started: 5,
            outcome: Generation.Outcome(
                .done, finish: "stop", usage: Usage(input: 2, cacheRead: 1, output: 2), seconds: 1,
                secondsToFirstToken: 0.5))
        answer.id = try store.save(answer)
        #expect(try store.generation(answer.id) == answer)
        #expect(try store.generations(of: session.id) == [GenerationSummary(answer)])
        #expect(try store.session(session.id)?.generationCount == 1)
    }

    @Test("generations are stored as they grow, so the stored part is a prefix")
    func keptWhileComing() throws {
        let store = try store()
        let session = try session(store)
        let model = FakeModel(
            events: (0..<50).map { (index: Int) -> ModelEvent in .token(TokenStep(text: "\(index) ", id: index)) })
        let time = Mutex<Int64>(0)
        // Every look at the clock is 0.3 s later, so that some of the steps are kept before the end.
        let run = GenerationRun(store, model: model) {
            time.withLock {
                $0 += 300_000_000; return $0
            }
        }
        var seen: [TokenStep] = []
        var keptBefore = 0
        let answer = try run.run(
            Generation(session: session.id, document: PromptDocument(model: "fake"), model: "fake", started: 0),
            isCancelled: { false }
        ) { progress in
            #expect(progress.firstStep == seen.count)
            seen += progress.steps
            keptBefore = max(keptBefore, (try? store.generation(progress.generation.id)?.steps.count) ?? 0)
        }
        #expect(seen == answer.steps)
        #expect(keptBefore > 0 && keptBefore <= 50)
        #expect(try store.generation(answer.id) == answer)
        #expect(answer.outcome.finish == "stop")
        #expect(answer.model == "fake-1")
    }

    @Test("a branch goes on from its tokens and keeps where its prompt came from")
    func branch() throws {
        let store = try store()
        let session = try session(store)
        let model = FakeModel(events: [
            .prompt([PromptToken(id: 1, text: "?", origin: .template)]), .token(TokenStep(text: " on", id: 3)),
        ])
        let prompt = [PromptToken(id: 1, text: "go", origin: .user)]
        let answer = try GenerationRun(store, model: model, now: { 1 }).run(
            Generation(
                session: session.id, parent: nil, document: PromptDocument(model: "fake", input: .text("go")),
                model: "fake", prompt: prompt, steps: [TokenStep(text: " further", id: 2)], started: 0),
            isCancelled: { false })
        #expect(model.asked.requests.withLock { $0.map(\.input) } == [.tokens([1, 2])])
        #expect(answer.prompt == prompt)
        #expect(answer.text == " further on")
        #expect(try store.generation(answer.id)?.steps.count == 2)
    }

    @Test("one that failed is kept with its sentence, as far as it came")
    func failure() throws {
        let store = try store()
        let session = try session(store)
        let model = FakeModel(
            events: [.token(TokenStep(text: "half"))],
            failure: LanguageModelError(.connection, model: "fake", problem: "the connection broke"))
        let answer = try GenerationRun(store, model: model, now: { 1 }).run(
            Generation(session: session.id, document: PromptDocument(model: "fake"), model: "fake", started: 0),
            isCancelled: { false })
        let kept = try #require(try store.generation(answer.id))
        #expect(kept.text == "half")
        #expect(kept.outcome.state == .failed)
        #expect(kept.outcome.problem == "fake: the connection broke.")
    }

    @Test("generations of a killed program are closed as interrupted")
    func interrupted() throws {
        let store = try store()
        let session = try session(store)
        var open = Generation(session: session.id, document: PromptDocument(), model: "m", started: 1)
        open.id = try store.save(open)
        try store.closeInterrupted(except: [open.id])
        #expect(try store.generation(open.id)?.outcome.state == .running)
        try store.closeInterrupted()
        #expect(try store.generation(open.id)?.outcome.finish == "interrupted")
    }

    @Test("a deleted session and a deleted answer are restored separately")
    func undo() throws {
        let store = try store()
        let session = try session(store)
        let answer = try store.save(Generation(session: session.id, document: PromptDocument(), model: "m", started: 1))
        try store.deleteGeneration(answer, at: 10)
        try store.deleteSession(session.id, at: 20)
        #expect(try store.sessions().isEmpty)
        try store.restoreSession(session.id)
        #expect(try store.sessions().map(\.id) == [session.id])
        #expect(try store.generations(of: session.id).isEmpty)
        try store.restoreGeneration(answer)
        #expect(try store.generations(of: session.id).map(\.id) == [answer])
    }
}
