public import System

/// Finds chunks by their words.
public protocol LexicalSearching: Sendable {
    /// Whether there is a lexical index.
    var isLexical: Bool { get }
    /// Name of the analyzer that the index was built with; `nil` if it is unknown.
    var analyzer: String? { get }

    /// The best `request.k` chunks that have at least one term of the query.
    ///
    /// - Throws: `Problem`, including when the search was canceled.
    func searchLexically(
        _ request: LexicalRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkHits

    /// Returns the contribution of every query term to the score of one chunk, whether or not the filter allows the
    /// chunk.
    func explainLexically(_ chunk: Int64, _ request: LexicalRequest) throws(Problem) -> LexicalFinding

    /// Returns the rank of a chunk among all chunks that the request allows, ignoring k; `nil` if no term matches or
    /// the filter excludes it.
    func placeLexically(
        of chunk: Int64, _ request: LexicalRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkPlace?
}

/// A question to a lexical index.
public struct LexicalRequest: Sendable {
    public var query: String
    public var k: Int
    /// Fields that are searched, with their weights; none searches all as the index has them.
    public var fields: [Field]
    /// Saturation of term frequencies; `nil` takes the index's own.
    public var k1: Double?
    /// Length normalization, from 0 to 1 (default: set by the index).
    public var b: Double?
    public var phrases: Phrases
    public var filter: ChunkFilter?

    public init(
        query: String, k: Int, fields: [Field] = [], k1: Double? = nil, b: Double? = nil,
        phrases: Phrases = .required, filter: ChunkFilter? = nil
    ) {
        self.query = query
        self.k = k
        self.fields = fields
        self.k1 = k1
        self.b = b
        self.phrases = phrases
        self.filter = filter
    }

    public struct Field: Hashable, Sendable {
        public var name: String
        public var weight: Double

        public init(name: String, weight: Double) {
            self.name = name
            self.weight = weight
        }
    }

    /// Meanings of quotes in a query.
    public enum Phrases: String, Sendable, CaseIterable {
        /// A chunk must have what stands in quotes, word after word.
        case required
        /// Quotes count as spaces.
        case ignored
    }
}

/// A chunk's score, taken apart.
public struct LexicalFinding: Hashable, Sendable {
    /// Sum of the contributions of all terms; 0 if none matches.
    public var score: Double
    /// Every distinct query word in order, including words that analysis dropped.
    public var terms: [StageExplanation.TermFinding]
    /// A phrase of the query that is required and that the chunk does not have.
    public var missingPhrase: String?

    public init(score: Double, terms: [StageExplanation.TermFinding], missingPhrase: String? = nil) {
        self.score = score
        self.terms = terms
        self.missingPhrase = missingPhrase
    }
}

extension LexicalSearching {
    public var analyzer: String? { nil }

    /// By searches that look deeper and deeper.
    public func placeLexically(
        of chunk: Int64, _ request: LexicalRequest, isCancelled: @Sendable () -> Bool
    ) throws(Problem) -> ChunkPlace? {
        var deeper = request
        deeper.k = max(request.k, 256)
        while true {
            let hits = try searchLexically(deeper, isCancelled: isCancelled).hits
            if let index = hits.firstIndex(where: { $0.chunk == chunk }) {
                return ChunkPlace(rank: index + 1, score: hits[index].score)
            }
            if hits.count < deeper.k { return nil }
            deeper.k = deeper.k.multipliedReportingOverflow(by: 8).partialValue
            if deeper.k <= 0 { return nil }
        }
    }
}
