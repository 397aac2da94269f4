/// An explanation of a document's score in a lexical search, or of why it was not found.
public struct LexicalExplanation: Sendable {
    /// The contribution of one query term in one field.
    public struct Contribution: Hashable, Sendable {
        /// The term; of a beginning with a star, of a phrase in quotation marks.
        public var term: String
        public var field: String
        /// Frequency of the term in this field of the document.
        public var frequency: Int
        /// Number of documents with the term in that field.
        public var documents: Int
        public var idf: Double
        /// Terms in the field of this document, and of all documents on average.
        public var length: Int
        public var averageLength: Double
        /// The field's.
        public var boost: Double
        /// Number of occurrences of the term in the query.
        public var count: Double
        /// Contribution to the score.
        public var score: Double
        /// Positions of the term in the field, starting at 0.
        public var positions: [Int]
        /// Byte ranges in the field's text, if the text was passed.
        public var bytes: [Range<Int>]
    }

    /// A term of the query that the document lacks.
    public struct Missing: Hashable, Sendable {
        public var term: String
        /// The word of the query that became it; empty for a phrase.
        public var word: String
        /// How many documents have it in any field, the greatest of the fields' numbers; with 0 it is in none.
        public var documents: Int
    }

    public var label: Int64
    /// Whether a search can find it, however many are asked for.
    public var isMatch: Bool
    /// Sum of the contributions, even if the document is not a match.
    public var score: Double
    /// Rank among all matches, starting at 1; `nil` if the document does not match.
    public var rank: Int?
    /// Number of matching documents.
    public var matches: Int
    /// Score at rank k, which the document would need to reach; `nil` if fewer than k documents match.
    public var scoreAtRank: Double?
    public var contributions: [Contribution]
    public var missing: [Missing]
    /// Analysis of each word of the query, including dropped words.
    public var analysis: [AnalyzedWord]
    /// Words that stand for each beginning: those that were taken, and how many there are.
    public var expansions: [(prefix: String, taken: [String], all: Int)]
    /// Reason why the document cannot be found, as a sentence; `nil` if it can be found.
    public var refusal: String?
}

extension LexicalQuery {
    /// All texts of the query, as they are analyzed.
    var texts: [String] {
        clauses.compactMap { clause in
            switch clause.content {
            case .words(let text), .phrase(let text), .prefix(let text): text
            case .terms: nil
            }
        }
    }
}
