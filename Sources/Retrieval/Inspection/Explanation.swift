/// An explanation of why a chunk was found or not: what each stage did with it, and which changes would help.
public struct Explanation: Hashable, Sendable {
    public var query: String
    public var passage: Passage
    /// Explanations in the order of the pipeline.
    public var stages: [StageExplanation]
    /// First stage that dropped the passage on every path to the context; `nil` if it is in the context. If several
    /// stages search and none found it, the stage that came nearest.
    public var droppedBy: String?
    /// Changes of the pipeline that bring it in, the smallest first; every one was tried. Each is enough alone; only
    /// where no single key is, one says several.
    public var remedies: [Remedy]

    public init(
        query: String, passage: Passage, stages: [StageExplanation] = [], droppedBy: String? = nil,
        remedies: [Remedy] = []
    ) {
        self.query = query
        self.passage = passage
        self.stages = stages
        self.droppedBy = droppedBy
        self.remedies = remedies
    }
}

/// An explanation of what one stage did with the chunk.
public struct StageExplanation: Hashable, Sendable {
    public var stage: String
    public var kind: Stage.Kind
    public var cause: Cause
    /// The rank and score it has in this stage, or would have had it come that far.
    public var rank: Int?
    public var score: Double?
    /// Score of the last chunk that the stage kept, which the chunk needed.
    public var scoreNeeded: Double?
    /// The rank is what it would have been: the chunk never came here.
    public var isHypothetical: Bool
    /// Sentences for people, the most telling first.
    public var findings: [String]
    /// For lexical stages: the contribution of each term.
    public var terms: [TermFinding]
    /// For fused stages: the contribution of each ranking; they sum to the score.
    public var parts: [Part]

    public init(
        stage: String, kind: Stage.Kind, cause: Cause, rank: Int? = nil, score: Double? = nil,
        scoreNeeded: Double? = nil, isHypothetical: Bool = false, findings: [String] = [], terms: [TermFinding] = [],
        parts: [Part] = []
    ) {
        self.stage = stage
        self.kind = kind
        self.cause = cause
        self.rank = rank
        self.score = score
        self.scoreNeeded = scoreNeeded
        self.isHypothetical = isHypothetical
        self.findings = findings
        self.terms = terms
        self.parts = parts
    }

    /// The contribution of one ranking to a fused score.
    public struct Part: Hashable, Sendable {
        public var stage: String
        /// The chunk's rank there.
        public var rank: Int
        public var value: Double

        public init(stage: String, rank: Int, value: Double) {
            self.stage = stage
            self.rank = rank
            self.value = value
        }
    }

    /// Reasons why a stage dropped a chunk: the seven ways in which retrieval fails.
    public enum Cause: String, Hashable, Sendable, CaseIterable {
        case kept
        /// A metadata filter or a namespace excludes it.
        case filter
        /// No term of the query is among its terms, after analysis.
        case analysis
        /// The approximate search did not come by; exact search ranks it among the first k.
        case missedBySearch = "missed by search"
        /// It was ranked, behind the last that is kept.
        case k
        /// Fusion ranked it behind the last that is kept.
        case fusion
        case reranker
        /// It did not fit into the context.
        case budget
        /// The context holds another that says the same.
        case duplicate
        /// No earlier stage kept it.
        case neverArrived = "never arrived"
    }

    /// A term of the query, and what the chunk has of it.
    public struct TermFinding: Hashable, Sendable {
        /// As it stands in the query.
        public var word: String
        /// Term that analysis made of the word; `nil` if analysis dropped it.
        public var term: String?
        /// Reason why analysis dropped the word, in a word or two.
        public var lost: String?
        /// Frequency of the term in the chunk.
        public var frequency: Int
        /// Contribution to the score.
        public var contribution: Double
        /// Bytes of the chunk's text where it stands.
        public var places: [Range<Int>]

        public init(
            word: String, term: String?, lost: String? = nil, frequency: Int = 0, contribution: Double = 0,
            places: [Range<Int>] = []
        ) {
            self.word = word
            self.term = term
            self.lost = lost
            self.frequency = frequency
            self.contribution = contribution
            self.places = places
        }
    }
}

/// A change of one setting of a pipeline that brings a chunk in.
public struct Remedy: Hashable, Sendable {
    /// The key in the pipeline's file, such as `dense.k`.
    public var key: String
    /// Current value in the file; `nil` if the file does not set the key.
    public var before: String?
    public var after: String
    /// The changes and their outcome: `k = 24 includes the chunk`.
    public var sentence: String
    /// End of ``sentence``, for callers that list the changes themselves: `includes the chunk`.
    public var outcome: String
    /// Further changes that are needed if one change is not enough.
    public var further: [Change]

    public init(
        key: String, before: String?, after: String, sentence: String, outcome: String = "includes the chunk",
        further: [Change] = []
    ) {
        self.key = key
        self.before = before
        self.after = after
        self.sentence = sentence
        self.outcome = outcome
        self.further = further
    }

    /// One key and what it has to say.
    public struct Change: Hashable, Sendable {
        public var key: String
        public var before: String?
        public var after: String

        public init(key: String, before: String?, after: String) {
            self.key = key
            self.before = before
            self.after = after
        }

        /// The change as text: `dense.k 20 → 24`.
        public var text: String { "\(key) \(before ?? "–") → \(after.isEmpty ? "–" : after)" }
    }

    /// Everything that it changes, in the order in which the stages come.
    public var changes: [Change] { [Change(key: key, before: before, after: after)] + further }
}
