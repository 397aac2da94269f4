/// Every check that a document of a corpus passes, in one place.
struct QualityGate {
    private let filters: QualityFilters
    private let detector: LeakDetector
    private let isHeldOut: Bool
    private let searchesNear: [Bool]
    private var deduplication: Deduplication
    private var templates: [[UInt64: Int]]
    private var accepted: [Int]
    private var refusedInARow = 0

    init(_ recipe: SyntheticRecipe, isHeldOut: Bool) {
        filters = recipe.filters
        detector = LeakDetector(recipe.grammar, region: recipe.region)
        self.isHeldOut = isHeldOut
        deduplication = Deduplication(threshold: recipe.nearDuplicate)
        searchesNear = recipe.sources.map { if case .grammar = $0.source { true } else { false } }
        templates = recipe.sources.map { _ in [:] }
        accepted = recipe.sources.map { _ in 0 }
    }

    /// False where thousands of documents were passed over one after the other.
    var isFruitful: Bool { refusedInARow < 10_000 }

    mutating func verdict(on document: SyntheticDocument, text: String, source: Int) -> QualityFilters.Verdict? {
        let verdict = judged(document, text, source)
        refusedInARow = verdict == nil ? 0 : refusedInARow + 1
        return verdict
    }

    private mutating func judged(
        _ document: SyntheticDocument, _ text: String, _ source: Int
    ) -> QualityFilters.Verdict? {
        if let verdict = filters.verdict(on: text) { return verdict }
        if !isHeldOut, detector.leak(in: text) != nil { return .heldOut }
        let same = templates[source][document.template] ?? 0
        if searchesNear[source], accepted[source] >= 200,
            Double(same) > filters.templateShare * Double(accepted[source])
        {
            return .commonTemplate
        }
        if let verdict = deduplication.verdict(on: text, searchingNear: searchesNear[source]) { return verdict }
        templates[source][document.template] = same + 1
        accepted[source] += 1
        return nil
    }
}
