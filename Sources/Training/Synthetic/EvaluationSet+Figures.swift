public import JSON
public import LanguageModels
internal import System

extension EvaluationSet {
    /// What was asked, what should have come, and what came.
    public struct Miss: Hashable, Sendable {
        public var part: String
        public var prompt: String
        public var expected: String
        public var got: String
    }

    /// A model's figures on an evaluation set.
    public struct Figures: Sendable, JSONRepresentable {
        /// exp of the mean negative log-probability of a token of the stories; `nil` if it was not measured.
        public var storyPerplexity: Double?
        public var storyTokens = 0
        /// Questions answered exactly.
        public var reading = Proportion(hits: 0, count: 0)
        /// The same questions with other documents: the first answer, which is wrong now.
        public var recalled = Proportion(hits: 0, count: 0)
        /// The same questions with other documents: their own answers.
        public var reread = Proportion(hits: 0, count: 0)
        public var episodes = Proportion(hits: 0, count: 0)
        /// The calculations among the episodes.
        public var arithmetic = Proportion(hits: 0, count: 0)
        public var byKind: [Episode.Kind: Proportion] = [:]
        public var misses: [Miss] = []

        public init() {}

        public func write(to json: inout JSONWriter) {
            json.object { json in
                json.member("story_perplexity", ifPresent: storyPerplexity)
                json.member("story_tokens", storyTokens)
                for (name, proportion) in [
                    ("reading", reading), ("exchanged_old_answer", recalled), ("exchanged_new_answer", reread),
                    ("episodes", episodes), ("arithmetic", arithmetic),
                ] {
                    json.member(name) { Self.write(proportion, to: &$0) }
                }
                json.member("episodes_by_kind") { json in
                    json.object { json in
                        for kind in Episode.Kind.allCases {
                            if let proportion = byKind[kind] {
                                json.member(kind.rawValue) { Self.write(proportion, to: &$0) }
                            }
                        }
                    }
                }
                json.objects("misses", of: misses) { miss, json in
                    json.member("part", miss.part)
                    json.member("prompt", miss.prompt)
                    json.member("expected", miss.expected)
                    json.member("got", miss.got)
                }
            }
        }

        private static func write(_ proportion: Proportion, to json: inout JSONWriter) {
            json.object { json in
                json.member("hits", proportion.hits)
                json.member("count", proportion.count)
                json.member("value", proportion.value)
                json.member("low", proportion.interval().lowerBound)
                json.member("high", proportion.interval().upperBound)
            }
        }
    }

    /// Evaluates a model: all questions, all episodes, and the perplexity of the stories.
    ///
    /// - Parameters:
    ///   - score: the sum of the natural log-probabilities of a text's tokens, and how many they are; `nil` if the model
    ///     tells none.
    ///   - solve: runs an episode with its tools; the answer, or `nil` if none came, and what the model wrote.
    public func figures(
        of model: some LanguageModel, score: ((String) throws -> (logProbability: Double, tokens: Int))?,
        solve: (Episode) throws -> (answer: String?, text: String), progress: (Double) -> Void = { _ in },
        isCancelled: () -> Bool = { false }
    ) throws -> Figures {
        var figures = Figures()
        let total = Double(max(1, stories.count + 2 * questions.count + episodes.count))
        var done = 0.0
        func step(_ amount: Double) throws {
            done += amount
            progress(done / total)
            if isCancelled() { throw Problem(.cancelled, model.name, "the evaluation was canceled") }
        }
        if let score {
            var sum = 0.0
            for story in stories {
                let (logProbability, tokens) = try score(story)
                sum += logProbability
                figures.storyTokens += tokens
                try step(1)
            }
            if figures.storyTokens > 0 {
                figures.storyPerplexity = Self.exponential(-sum / Double(figures.storyTokens))
            }
        }
        for question in questions {
            let text = try Self.completion(of: question.prompt, by: model)
            let answer = Self.answer(in: text)
            figures.reading.add(answer == question.answer)
            if answer != question.answer {
                figures.misses.append(
                    Miss(part: "reading", prompt: question.prompt, expected: question.answer, got: text))
            }
            let other = try Self.completion(of: question.exchangedPrompt, by: model)
            figures.recalled.add(Self.answer(in: other) == question.answer)
            figures.reread.add(Self.answer(in: other) == question.exchangedAnswer)
            try step(2)
        }
        for episode in episodes {
            let (answer, text) = try solve(episode)
            let isSolved = answer?.trimmed == episode.answer
            figures.episodes.add(isSolved)
            figures.byKind[episode.kind, default: Proportion(hits: 0, count: 0)].add(isSolved)
            if episode.kind == .calculate { figures.arithmetic.add(isSolved) }
            if !isSolved {
                figures.misses.append(
                    Miss(part: episode.kind.rawValue, prompt: episode.prompt, expected: episode.answer, got: text))
            }
            try step(1)
        }
        return figures
    }

    /// The text after the first `Answer:` of a completion; `nil` if there is none.
    public static func answer(in text: String) -> String? {
        for line in text.split(separator: "\n") where line.hasPrefix("Answer:") {
            return line.dropFirst("Answer:".count).trimmed
        }
        return nil
    }

    /// What a model goes on with, greedily, up to the next question or the end of text.
    static func completion(of prompt: String, by model: some LanguageModel) throws(LanguageModelError) -> String {
        var sampling = Sampling.greedy
        sampling.stop = ["\nQuestion:", "\nDocument:"]
        sampling.maximumTokens = 80
        let response = try model.respond(to: ModelRequest(.text(prompt), sampling: sampling))
        var text = ""
        for case .text(let part) in response.message.parts { text += part }
        return text
    }
}

extension Proportion {
    mutating func add(_ isHit: Bool) {
        hits += isHit ? 1 : 0
        count += 1
    }
}
