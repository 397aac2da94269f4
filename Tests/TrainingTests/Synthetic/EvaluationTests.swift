import LanguageModels
import Testing
import Training

@Suite struct EvaluationTests {
    /// Answers from a closure.
    private struct Oracle: LanguageModel {
        let name = "oracle"
        let provider = "test"
        let capabilities = ModelCapabilities(acceptsText: true)
        let answer: @Sendable (String) -> String

        func respond(
            to request: ModelRequest, isCancelled: @Sendable () -> Bool, receive: (ModelEvent) -> Void
        ) throws(LanguageModelError) -> ModelResponse {
            guard case .text(let prompt) = request.input, request.sampling.temperature == 0 else {
                throw LanguageModelError(.request, model: name, problem: "text is asked for greedily")
            }
            return ModelResponse(
                message: Message(.assistant, [.text(answer(prompt))]), finish: .stop, usage: nil, model: name,
                secondsToFirstToken: nil, seconds: 0)
        }
    }

    private func figures(
        _ set: EvaluationSet, _ answer: @escaping @Sendable (String) -> String,
        _ solve: (Episode) -> String? = { $0.answer }
    ) throws -> EvaluationSet.Figures {
        try set.figures(
            of: Oracle(answer: answer), score: { (-Double($0.utf8.count), $0.utf8.count) }, solve: { (solve($0), "") })
    }

    @Test("the evaluation distinguishes reading from reciting") func readerAndReciter() throws {
        let set = try EvaluationSet(SyntheticFixtures.make())
        var read: [String: String] = [:]
        var recited: [String: String] = [:]
        for question in set.questions {
            read[question.prompt] = question.answer
            read[question.exchangedPrompt] = question.exchangedAnswer
            recited[question.prompt] = question.answer
            recited[question.exchangedPrompt] = question.answer
        }
        let (reads, recites) = (read, recited)
        let reader = try figures(set) { "Thought: I read.\nAnswer: \(reads[$0] ?? "")\n" }
        #expect(reader.reading == Proportion(hits: 40, count: 40))
        #expect(reader.recalled == Proportion(hits: 0, count: 40))
        #expect(reader.reread == Proportion(hits: 40, count: 40))
        #expect(reader.episodes == Proportion(hits: 60, count: 60))
        #expect(reader.arithmetic.count >= 20)
        #expect(reader.misses.isEmpty)
        #expect(abs((reader.storyPerplexity ?? 0) - 2.718281828) < 1e-6)
        let reciter = try figures(set) { "Answer: \(recites[$0] ?? "")\nQuestion: more" }
        #expect(reciter.recalled == Proportion(hits: 40, count: 40))
        #expect(reciter.reread.hits == 0)
    }

    @Test("failures are recorded") func failures() throws {
        let set = try EvaluationSet(SyntheticFixtures.make())
        let none = try figures(set, { _ in "Nothing." }, { $0.kind == .lookup ? "0" : nil })
        #expect(none.reading.hits == 0)
        #expect(none.episodes.hits == 0)
        #expect(none.misses.count == 100)
        #expect(none.misses[0].expected == set.questions[0].answer)
        #expect(none.byKind.values.reduce(0) { $0 + $1.count } == 60)
        let card = ModelCard(name: "m", parameters: 12, recipe: try SyntheticFixtures.make(), figures: none).markdown
        #expect(card.contains("| exact answers about unseen names | 0.0 % | 0.0 % to 8.8 % | 40 |"))
    }

    @Test("the same recipe gives the same questions") func sameQuestions() throws {
        let first = try EvaluationSet(SyntheticFixtures.make())
        let second = try EvaluationSet(SyntheticFixtures.make())
        #expect(first.questions == second.questions)
        #expect(first.episodes == second.episodes)
        #expect(first.stories == second.stories)
        var short = first
        short.keep(9)
        #expect((short.stories.count, short.questions.count, short.episodes.count) == (9, 9, 9))
        #expect(short.episodes.suffix(3).allSatisfy { $0.kind == .calculate })
    }

    /// Values of the formula in double precision, computed apart.
    @Test(
        "Wilson's interval",
        arguments: [
            (Proportion(hits: 0, count: 10), 0.0, 0.277_533), (Proportion(hits: 5, count: 10), 0.236_593, 0.763_407),
            (Proportion(hits: 270, count: 300), 0.860_834, 0.929_052), (Proportion(hits: 0, count: 0), 0, 1),
        ])
    func wilson(proportion: Proportion, low: Double, high: Double) {
        let interval = proportion.interval()
        #expect(abs(interval.lowerBound - low) < 1e-5)
        #expect(abs(interval.upperBound - high) < 1e-5)
    }

    @Test(
        "the answer of a completion",
        arguments: [
            ("Thought: x.\nAnswer: Tanaford\n", "Tanaford"), ("Answer:  12 \nQuestion: no", "12"), ("Answer:", ""),
            ("Nothing.", nil), ("An Answer: no", nil),
        ] as [(String, String?)])
    func answer(text: String, answer: String?) { #expect(EvaluationSet.answer(in: text) == answer) }
}
