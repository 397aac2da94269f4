/// One span of a recorded retrieval.
public struct RetrievalSpan: Hashable, Sendable {
    /// Span kinds of OpenInference.
    public enum Kind: String, Sendable {
        case chain = "CHAIN"
        case embedding = "EMBEDDING"
        case retriever = "RETRIEVER"
        case reranker = "RERANKER"
    }

    public enum Value: Hashable, Sendable {
        case text(String)
        case integer(Int)
        case number(Double)
    }

    public struct Attribute: Hashable, Sendable {
        public var name: String
        public var value: Value

        public init(_ name: String, _ value: Value) {
            self.name = name
            self.value = value
        }
    }

    /// 8 bytes as hexadecimal digits.
    public var id: String
    public var parent: String?
    public var name: String
    public var kind: Kind
    /// Nanoseconds since 1970.
    public var start: Int64
    public var end: Int64
    /// Attributes in the order of writing.
    public var attributes: [Attribute]

    public init(
        id: String, parent: String?, name: String, kind: Kind, start: Int64, end: Int64, attributes: [Attribute]
    ) {
        self.id = id
        self.parent = parent
        self.name = name
        self.kind = kind
        self.start = start
        self.end = end
        self.attributes = attributes
    }
}
