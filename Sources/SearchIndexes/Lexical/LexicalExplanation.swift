/// Why a document has its score in a lexical search, or why it was not found.
public struct LexicalExplanation: Sendable {
    /// What one term of the query gives in one field.
    public struct Contribution: Hashable, Sendable {
        /// The term; of a beginning with a star, of a phrase in quotation marks.
        public var term: String
        public var field: String
        /// How often it is in the field of this document.
        public var frequency: Int
        /// How many documents have it in that field.
        public var documents: Int
        public var idf: Double
        /// Terms in the field of this document, and of all documents on average.
        public var length: Int
        public var averageLength: Double
        /// The field's.
        public var boost: Double
        /// How often the query has the term.
        public var count: Double
        /// What it adds to the score.
        public var score: Double
        /// Which words of the field these are, from 0.
        public var positions: [Int]
        /// Where they are: bytes of the field's text, where it was given.
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
    /// How many documents match.
    public var matches: Int
    /// Score at rank k, which the document would need to reach; `nil` if fewer than k documents match.
    public var scoreAtRank: Double?
    public var contributions: [Contribution]
    public var missing: [Missing]
    /// What each word of the query became, and which were lost and why.
    public var analysis: [AnalyzedWord]
    /// Words that stand for each beginning: those that were taken, and how many there are.
    public var expansions: [(prefix: String, taken: [String], all: Int)]
    /// Why the document cannot be found, in a sentence; `nil` if it can.
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
