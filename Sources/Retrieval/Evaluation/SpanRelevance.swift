/// A part of a document that a system returned: its offsets into the document's text, in UTF-8 bytes.
public struct FoundPassage: Hashable, Sendable {
    public var document: String
    /// Range of the passage; `nil` if the whole document was returned.
    public var range: Range<Int>?

    public init(_ document: String, range: Range<Int>? = nil) {
        self.document = document
        self.range = range
    }
}

/// A rule that decides whether a passage contains a gold span.
public struct SpanRelevance: Hashable, Sendable {
    /// Minimum share of the span that the passage must contain; 0 requires a single byte.
    public var minimumCoverage: Double

    public init(minimumCoverage: Double = 0.5) { self.minimumCoverage = min(max(minimumCoverage, 0), 1) }

    /// Returns the share of the gold inside a passage, 0 to 1. Any passage of a document covers gold that is the whole
    /// document.
    public func coverage(of gold: QuestionSet.Gold, by passage: FoundPassage) -> Double {
        guard gold.document == passage.document else { return 0 }
        guard let span = gold.range, let range = passage.range else { return 1 }
        guard !span.isEmpty else { return 0 }
        return Double(span.clamped(to: range).count) / Double(span.count)
    }

    public func holds(_ gold: QuestionSet.Gold, _ passage: FoundPassage) -> Bool {
        let coverage = coverage(of: gold, by: passage)
        return coverage > 0 && coverage >= minimumCoverage
    }

    /// Judges passages, best first, against the gold of a case: each gold is found once, by the first that holds it.
    public func judge(_ passages: [FoundPassage], _ gold: [QuestionSet.Gold]) -> GradedRanking {
        var isFound = [Bool](repeating: false, count: gold.count)
        let places = passages.map { passage in
            var place = GradedRanking.Place(grade: 0, found: [])
            for (index, one) in gold.enumerated() where holds(one, passage) {
                place.grade = max(place.grade, one.grade)
                if !isFound[index] { place.found.append(one.grade) }
                isFound[index] = true
            }
            return place
        }
        return GradedRanking(places: places, gold: gold.map(\.grade))
    }
}

extension Evaluation {
    /// Passages that a system returned for the cases of a set, best first; a case without any counts as not answered.
    public init(
        name: String, of passages: [String: [FoundPassage]], against set: QuestionSet,
        measures: [Measure] = Measure.usual, relevance: SpanRelevance = SpanRelevance()
    ) {
        self.init(
            name: name, measures: measures,
            rankings: set.cases.map { one in (one.id, relevance.judge(passages[one.id] ?? [], one.gold)) })
    }
}
