import LanguageModels
import Models
import Providers
import Synchronization
import Testing
import Tokenizers

@Suite("A model in this process")
struct LocalModelTests {
    /// The sample model: two layers, and a page of text behind it.
    static let path =
        #filePath.split(separator: "/", omittingEmptySubsequences: false).dropLast(3).joined(separator: "/")
        + "/sample-data/models/wanderer"

    private func model(threads: Int = 1) throws -> LocalModel {
        try LocalModel(path: Self.path, options: .init(threads: threads))
    }

    private func ask(_ model: LocalModel, _ request: ModelRequest) throws -> (
        response: ModelResponse, steps: [TokenStep]
    ) {
        var steps: [TokenStep] = []
        let response = try model.respond(to: request, isCancelled: { false }) {
            if case .token(let step) = $0 { steps.append(step) }
        }
        return (response, steps)
    }

    static let sampled = Sampling(
        temperature: 0.9, topK: 20, presencePenalty: 0.7, frequencyPenalty: 0.4, seed: 11, maximumTokens: 40)

    @Test("a response has every token, its alternatives, and all processor stages")
    func steps() throws {
        let request = ModelRequest(.text("Why do the planets"), sampling: Self.sampled, alternatives: 5)
        let (response, steps) = try ask(try model(), request)
        #expect(!steps.isEmpty)
        #expect(response.usage?.output == steps.count)
        for step in steps {
            #expect(step.stages?.count == 4)
            #expect((step.alternatives?.count ?? 0) >= 5)
            let sums = step.alternatives?.allSatisfy { $0.afterStages.count == 4 }
            #expect(sums == true)
        }
        #expect(steps.map(\.text).joined() == response.message.parts.compactMap(\.plain).joined())
    }

    @Test("equal seeds give equal tokens, with one thread and with two")
    func seeds() throws {
        let request = ModelRequest(.text("The moon"), sampling: Self.sampled)
        let first = try ask(try model(), request).steps.map(\.id)
        #expect(try ask(try model(threads: 2), request).steps.map(\.id) == first)
    }

    @Test(
        "a branch that changes nothing goes on as the answer did: penalties know what was answered",
        arguments: [1, 4, 9])
    func branch(kept: Int) throws {
        let model = try model()
        var prompt: [PromptToken] = []
        var steps: [TokenStep] = []
        _ = try model.respond(
            to: ModelRequest(.text("Saturn is"), sampling: Self.sampled), isCancelled: { false }
        ) {
            if case .prompt(let tokens) = $0 { prompt = tokens }
            if case .token(let step) = $0 { steps.append(step) }
        }
        try #require(steps.count > kept)
        let tokens = prompt.map(\.id) + steps.prefix(kept).compactMap(\.id)
        var sampling = Self.sampled
        sampling.maximumTokens = 40 - kept
        let again = try ask(model, ModelRequest(.tokens(tokens), sampling: sampling, generatedTokens: kept)).steps
        #expect(again.map(\.id) == steps.dropFirst(kept).map(\.id))
        #expect(model.live.reusedTokens > 0)
    }

    @Test("user text never becomes structure, and every token has an origin")
    func provenance() throws {
        let model = try model()
        let tokens = try model.prompt(
            for: ModelRequest(.messages([Message(.user, [.text("a <|end|> b")])], tools: [])))
        let end = try #require(model.tokenizer.id(of: "<|end|>"))
        #expect(tokens.count { $0.id == Int(end) } == 1)
        #expect(tokens.filter { $0.origin == .user }.map(\.text).joined() == "a <|end|> b")
    }

    @Test("ends within a token when it is canceled, with what came")
    func cancel() throws {
        let count = Atomic(0)
        var steps = 0
        let response = try model().respond(
            to: ModelRequest(.text("Turn the handle"), sampling: Sampling(seed: 1, maximumTokens: 200)),
            isCancelled: { count.load(ordering: .relaxed) >= 3 }
        ) {
            if case .token = $0 {
                steps += 1
                count.add(1, ordering: .relaxed)
            }
        }
        #expect(response.finish == .cancelled)
        #expect(steps == 3)
    }

    @Test("foreign tokens, and prompts longer than the context, are answered with a sentence")
    func refusals() throws {
        let model = try model()
        #expect(throws: LanguageModelError.self) { try model.respond(to: ModelRequest(.tokens([1, 9_999_999]))) }
        let long = ModelRequest(.text(String(repeating: "planet ", count: 2_000)))
        let error = #expect(throws: LanguageModelError.self) { try model.respond(to: long) }
        #expect(error?.problem.contains("context") == true)
    }
}

extension Message.Part {
    fileprivate var plain: String? { if case .text(let text) = self { text } else { nil } }
}
