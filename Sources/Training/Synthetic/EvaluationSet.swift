public import System
internal import Tensors

/// What a model is asked that it has never seen: all of it from the held-out region of a recipe.
///
/// It is made from the recipe whenever it is wanted, and is the same every time; nothing has to be kept next to the model.
public struct EvaluationSet: Sendable {
    /// A question about documents, and the same question for other documents.
    public struct Question: Hashable, Sendable {
        public var prompt: String
        public var answer: String
        /// The same subjects and relations with other values.
        public var exchangedPrompt: String
        public var exchangedAnswer: String
    }

    public var stories: [String] = []
    public var questions: [Question] = []
    /// Episodes of every kind, and calculations after them.
    public var episodes: [Episode] = []
    /// How many of the last episodes are additional calculations.
    public var arithmetic = 0

    /// Document numbers starting here are reserved for evaluation; no corpus is that large.
    private static let first = 1 << 36

    public init(_ recipe: SyntheticRecipe) throws(Problem) {
        var generator = SyntheticGenerator(recipe, isHeldOut: true)
        var seen: Set<String> = []
        for (index, source) in recipe.sources.enumerated() {
            var number = Self.first
            switch source.source {
            case .grammar:
                var attempts = 0
                while stories.count < recipe.evaluation.stories, attempts < 10 * recipe.evaluation.stories {
                    let text = try generator.document(source: index, number: number).text
                    number += 1
                    attempts += 1
                    if seen.insert(text).inserted { stories.append(text) }
                }
            case .reading(_, _, _, let facts, _):
                // If there are several, use the source with the longest documents for questions.
                guard facts == recipe.mostFacts, questions.isEmpty else { continue }
                while questions.count < recipe.evaluation.questions {
                    generator.begin(source: index, number: number)
                    number += 1
                    if let question = try Self.question(generator.reading(index), &generator.expander) {
                        questions.append(question)
                    }
                    guard number - Self.first < 100 * recipe.evaluation.questions + 100 else { break }
                }
            case .copying: continue
            case .episodes:
                guard episodes.isEmpty else { continue }
                var source = generator.episodes(index)
                let wanted = recipe.evaluation.episodes
                arithmetic = recipe.evaluation.arithmetic
                // A model that makes no mistake has none to repair: such episodes are calculations here.
                source.kinds = source.kinds.filter { $0.kind != .repair && $0.kind != .calculate && $0.weight > 0 }
                if source.kinds.isEmpty { arithmetic = wanted }
                var attempts = 0
                while episodes.count < wanted, attempts < 100 * wanted {
                    generator.begin(source: index, number: number)
                    number += 1
                    attempts += 1
                    let isArithmetic = episodes.count >= wanted - arithmetic
                    let episode =
                        isArithmetic
                        ? try source.episode(.calculate, &generator.expander)
                        : try source.episode(&generator.expander)
                    if seen.insert(episode.prompt).inserted { episodes.append(episode) }
                }
            }
        }
    }

    /// Keeps the first stories and questions, and of the episodes the first and the last, so that calculations stay.
    public mutating func keep(_ count: Int) {
        stories = Array(stories.prefix(count))
        questions = Array(questions.prefix(count))
        arithmetic = min(arithmetic, (count + 2) / 3)
        episodes = Array(episodes.prefix(max(0, count - arithmetic))) + episodes.suffix(arithmetic)
    }

    /// `nil` if the other documents contain the same answer.
    private static func question(
        _ source: ReadingSource, _ expander: inout GrammarExpander
    ) throws(Problem) -> Question? {
        let facts = try source.facts(&expander)
        let asked = facts[expander.integer(0...facts.count - 1)]
        let text = "Question: \(try ReadingSource.question(asked, &expander))\n"
        var subjects: [String] = []
        var relations: [Int] = []
        for fact in facts {
            if !subjects.contains(fact.subject) { subjects.append(fact.subject) }
            if !relations.contains(fact.relation) { relations.append(fact.relation) }
        }
        let lines = ReadingSource.lines(facts, &expander)
        let others = try ReadingSource.facts(about: subjects, relations: relations, avoiding: facts, &expander)
        guard let other = others.first(where: { $0.subject == asked.subject && $0.relation == asked.relation }),
            !others.contains(where: { $0.relation == asked.relation && $0.value == asked.value })
        else { return nil }
        let prompt = { (lines: [String]) in lines.map { "Document: \($0)\n" }.joined() + text }
        return Question(
            prompt: prompt(lines), answer: asked.value, exchangedPrompt: prompt(ReadingSource.lines(others, &expander)),
            exchangedAnswer: other.value)
    }
}

extension SyntheticRecipe {
    /// Of the sources that ask about documents: the facts of the longest ones.
    var mostFacts: Int {
        sources.map { if case .reading(_, _, _, let facts, _) = $0.source { facts } else { 0 } }.max() ?? 0
    }
}
