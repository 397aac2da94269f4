/// One step of a retrieval: a ranking, and what it kept of it.
public struct Stage: Hashable, Sendable {
    /// Name in the pipeline; unique within a record.
    public var name: String
    public var kind: Kind
    /// Entries, best first. They may include entries that were not kept, as far as the stage ranked or shows them.
    public var entries: [Entry]
    /// Number of entries that the stage kept (its k); `nil` if it was not recorded.
    public var kept: Int?
    /// The stages whose results it worked on, by name.
    public var inputs: [String]
    /// Settings in effect, such as `ef` and `k1`, in the order in which they are shown.
    public var parameters: [Parameter]
    public var seconds: Double?
    /// A sentence of the stage about itself, such as the plan that a filter led to.
    public var note: String?
    /// Whether the stage waits to run, because it or an earlier stage needs a model and the search was not submitted.
    public var isPending = false

    public init(
        name: String, kind: Kind, entries: [Entry] = [], kept: Int? = nil, inputs: [String] = [],
        parameters: [Parameter] = [], seconds: Double? = nil, note: String? = nil
    ) {
        self.name = name
        self.kind = kind
        self.entries = entries
        self.kept = kept
        self.inputs = inputs
        self.parameters = parameters
        self.seconds = seconds
        self.note = note
    }

    public enum Kind: String, Hashable, Sendable, CaseIterable {
        case lexical
        case dense
        case fused
        case reranked
        case context
        /// A ranking of a foreign system that does not say how it was made.
        case retrieved
    }

    /// A passage in a ranking.
    public struct Entry: Hashable, Sendable {
        public var passage: PassageID
        /// Counted from 1.
        public var rank: Int
        /// Score, where higher is better except for Euclidean distances; `nil` if it was not recorded.
        public var score: Double?
        public var verdict: Verdict

        public init(passage: PassageID, rank: Int, score: Double?, verdict: Verdict = .kept) {
            self.passage = passage
            self.rank = rank
            self.score = score
            self.verdict = verdict
        }
    }

    /// A name and the value in effect.
    public struct Parameter: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }
}

/// Decisions of a stage about a passage.
public enum Verdict: Hashable, Sendable {
    case kept
    /// Ranked, and behind the last that goes on.
    case cut
    /// Left out although its rank was high enough.
    case dropped(Reason)

    public enum Reason: Hashable, Sendable {
        /// It does not fit into what is left of the budget.
        case budget
        /// It says what another kept passage says.
        case duplicate(of: PassageID)
        case filter
        /// Below the lowest score that the stage takes.
        case threshold
    }

    public var isKept: Bool { self == .kept }
}
