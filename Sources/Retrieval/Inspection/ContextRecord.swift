/// The passages as a prompt holds them.
public struct ContextRecord: Hashable, Sendable {
    /// Passages in the order of the prompt.
    public var passages: [Piece]
    /// Maximum size of all passages together; `nil` if there is no limit.
    public var budget: Int?
    public var used: Int
    /// `tokens` or `characters`.
    public var unit: String

    public init(passages: [Piece], budget: Int?, used: Int, unit: String) {
        self.passages = passages
        self.budget = budget
        self.used = used
        self.unit = unit
    }

    public struct Piece: Hashable, Sendable {
        public var passage: PassageID
        /// Citation mark, such as `[2]`.
        public var mark: String
        public var size: Int
        /// What the prompt holds, where that is not the passage's own text: its parent's, or that of several passages
        /// that overlap.
        public var text: String?
        /// Further passages that it holds: overlapping ones, or other parts of the same parent.
        public var merged: [PassageID]

        public init(
            passage: PassageID, mark: String, size: Int, text: String? = nil, merged: [PassageID] = []
        ) {
            self.passage = passage
            self.mark = mark
            self.size = size
            self.text = text
            self.merged = merged
        }
    }
}

/// An answer and the passages that it is based on.
public struct AnswerRecord: Hashable, Sendable {
    public var text: String
    public var model: String?
    public var citations: [Citation]

    public init(text: String, model: String? = nil, citations: [Citation] = []) {
        self.text = text
        self.model = model
        self.citations = citations
    }

    /// A place of the answer that leans on a passage.
    public struct Citation: Hashable, Sendable {
        /// Bytes of the answer.
        public var range: Range<Int>
        public var passage: PassageID
        /// Whether the answer cites the passage explicitly; `false` if only shared wording suggests it.
        public var isExplicit: Bool

        public init(range: Range<Int>, passage: PassageID, isExplicit: Bool) {
            self.range = range
            self.passage = passage
            self.isExplicit = isExplicit
        }
    }
}
