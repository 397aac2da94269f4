/// What a span recorded of a search or of a reranker: the question, and documents in their order.
public struct RecordedRetrieval: Hashable, Sendable {
    public var query: String?
    /// What came out, best first as it was recorded.
    public var documents: [Document]
    /// What went in, for rerankers that recorded it.
    public var inputs: [Document]
    /// How many were asked for.
    public var limit: Int?
    public var model: String?
    /// What the stage was, such as `lexical` and `context`: runs of our own say it.
    public var stage: String?
    /// Settings that were in effect, in their order, as far as they were recorded.
    public var settings: [Setting] = []

    public init(
        query: String? = nil, documents: [Document] = [], inputs: [Document] = [], limit: Int? = nil,
        model: String? = nil, stage: String? = nil
    ) {
        self.stage = stage
        self.query = query
        self.documents = documents
        self.inputs = inputs
        self.limit = limit
        self.model = model
    }

    /// A name and the value in effect.
    public struct Setting: Hashable, Sendable {
        public var name: String
        public var value: String

        public init(_ name: String, _ value: String) {
            self.name = name
            self.value = value
        }
    }

    /// A document as far as it was recorded.
    public struct Document: Hashable, Sendable {
        public var id: String?
        public var score: Double?
        public var text: String?
        /// The file or address that its metadata names.
        public var source: String?

        public init(id: String? = nil, score: Double? = nil, text: String? = nil, source: String? = nil) {
            self.id = id
            self.score = score
            self.text = text
            self.source = source
        }

        var isEmpty: Bool { id == nil && text == nil && source == nil }
    }
}
