/// One retrieval for inspection, stage by stage: a run of an Orrery pipeline, or a trace recorded by
/// another system.
///
/// A passage is whatever was ranked: a chunk of a corpus, or a document of a foreign list. It stands once in
/// ``passages``; stages point at it, so that a line can follow it from stage to stage.
public struct RetrievalRecord: Hashable, Sendable {
    public var query: String
    /// Other wordings that were asked for as well, such as rewritten queries or hypothetical answers.
    public var rewrites: [Rewrite]
    public var origin: Origin
    public var passages: [Passage]
    /// Stages in the order of execution.
    public var stages: [Stage]
    /// The prompt's part that holds passages, where there was one.
    public var context: ContextRecord?
    /// Answer, if one was generated.
    public var answer: AnswerRecord?
    /// Duration; `nil` if it was not recorded.
    public var seconds: Double?
    /// Notes for the reader, one sentence each: missing data, parts that an index left out.
    public var notes: [String]
    /// Id of the recorded trace; `nil` if the run was not recorded.
    public var trace: String?
    /// Whether the trace includes the model call that answered.
    public var tracesAnswer = false

    public init(
        query: String, rewrites: [Rewrite] = [], origin: Origin, passages: [Passage] = [], stages: [Stage] = [],
        context: ContextRecord? = nil, answer: AnswerRecord? = nil, seconds: Double? = nil, notes: [String] = []
    ) {
        self.query = query
        self.rewrites = rewrites
        self.origin = origin
        self.passages = passages
        self.stages = stages
        self.context = context
        self.answer = answer
        self.seconds = seconds
        self.notes = notes
    }

    /// Origins of a record.
    public enum Origin: Hashable, Sendable {
        /// A pipeline of the workspace, by name and version, over a corpus.
        case pipeline(name: String, version: Int, corpus: String)
        /// Spans of a recorded trace: its id and the id of the span that the list begins with.
        case trace(id: String, span: String)
    }

    /// A rephrased query that was searched for in addition to the query itself.
    public struct Rewrite: Hashable, Sendable {
        /// `multi-query` or `HyDE`.
        public var kind: String
        public var text: String

        public init(kind: String, text: String) {
            self.kind = kind
            self.text = text
        }
    }

    /// The passage with an id.
    public subscript(_ passage: PassageID) -> Passage { passages[passage.index] }
}

/// A passage of a record, by its place there.
public struct PassageID: Hashable, Sendable {
    public var index: Int

    public init(_ index: Int) { self.index = index }
}

/// Something that was ranked.
public struct Passage: Hashable, Sendable {
    /// The chunk's row in the workspace; `nil` for what a foreign trace recorded and no attached corpus holds.
    public var chunk: Int64?
    /// The document's id, as its owner calls it.
    public var document: String
    /// A short name for lists, such as `manual-7 §4`.
    public var label: String
    /// Text; `nil` if only an id was recorded.
    public var text: String?
    /// Bytes of the chunk within its document's text.
    public var range: Range<Int>?
    /// For foreign passages: how the passage was matched with the corpus.
    public var match: Match?
    /// Label of the matched chunk in the corpus.
    public var matchedLabel: String?

    public init(
        chunk: Int64? = nil, document: String, label: String, text: String? = nil, range: Range<Int>? = nil,
        match: Match? = nil, matchedLabel: String? = nil
    ) {
        self.matchedLabel = matchedLabel
        self.chunk = chunk
        self.document = document
        self.label = label
        self.text = text
        self.range = range
        self.match = match
    }

    /// Ways of matching a recorded document with the corpus.
    public enum Match: String, Hashable, Sendable {
        case id
        case source
        case text
    }
}
