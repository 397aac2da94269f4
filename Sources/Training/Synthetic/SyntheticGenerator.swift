public import System
internal import Tensors

/// Makes the documents of a recipe: the same number gives the same document, in whatever order they are asked for.
public struct SyntheticGenerator {
    public let recipe: SyntheticRecipe
    /// Names and calculations come from the held-out region instead of from outside of it.
    public let isHeldOut: Bool
    var expander: GrammarExpander

    public init(_ recipe: SyntheticRecipe, isHeldOut: Bool = false) {
        self.recipe = recipe
        self.isHeldOut = isHeldOut
        expander = GrammarExpander(recipe.grammar, region: recipe.region, isHeldOut: isHeldOut)
    }

    /// Words of randomness that a document may use.
    private static let room: UInt64 = 1 << 24

    /// - Parameter source: its place in `recipe.sources`.
    public mutating func document(source: Int, number: Int) throws(Problem) -> SyntheticDocument {
        begin(source: source, number: number)
        switch recipe.sources[source].source {
        case .grammar(let rule, let prefix):
            guard let index = recipe.grammar.rule(named: rule) else {
                throw Problem(.missing, recipe.name, "the grammar has no rule \(rule)")
            }
            let text = prefix + (try expander.expand(rule: index).text) + "\n"
            return SyntheticDocument(segments: [.init(text, weight: 100)], template: expander.template)
        case .reading: return try reading(source).document(&expander, weights: recipe.weights)
        case .copying(let pairs, let times):
            return try CopyingSource(pairs: pairs, times: times).document(&expander, weights: recipe.weights)
        case .episodes: return try episodes(source).document(&expander, weights: recipe.weights)
        }
    }

    /// Begins the document of a number: nothing is bound, and the randomness is its own.
    mutating func begin(source: Int, number: Int) {
        let stream = UInt32(truncatingIfNeeded: source * 2 + (isHeldOut ? 1 : 0))
        expander.begin(
            PhiloxGenerator(seed: recipe.seed, stream: stream, position: UInt64(number) &* Self.room))
    }

    func reading(_ source: Int) -> ReadingSource {
        guard
            case .reading(let subjects, let relations, let questions, let facts, let only) = recipe.sources[source]
                .source
        else { return ReadingSource(subjects: 2...3, relations: 1...2, questions: 1...1, facts: 6) }
        return ReadingSource(subjects: subjects, relations: relations, questions: questions, facts: facts, only: only)
    }

    func episodes(_ source: Int) -> EpisodeSource {
        var weights: [Episode.Kind: Int] = [:]
        if case .episodes(let given) = recipe.sources[source].source { weights = given }
        return EpisodeSource(kinds: Episode.Kind.allCases.map { ($0, weights[$0] ?? 0) }, isHeldOut: isHeldOut)
    }
}
