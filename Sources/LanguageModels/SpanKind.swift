/// Kinds of spans in a trace. Raw values are stored, so never change them.
public enum SpanKind: UInt8, CaseIterable, Sendable {
    /// Work of any other kind.
    case other = 0
    /// An agent run.
    case agent = 1
    /// A model call.
    case model = 2
    /// A tool call.
    case tool = 3
    /// A search for documents.
    case retrieval = 4
    /// Reranking of search results.
    case reranker = 5
    /// Computation of embeddings.
    case embedding = 6
    /// A check of an input or output.
    case guardrail = 7
    /// An evaluation of an output.
    case evaluator = 8
    /// A sequence of other spans.
    case chain = 9

    /// Name in filters, JSON, and on screens.
    public var name: String {
        switch self {
        case .other: "other"
        case .agent: "agent"
        case .model: "model"
        case .tool: "tool"
        case .retrieval: "retrieval"
        case .reranker: "reranker"
        case .embedding: "embedding"
        case .guardrail: "guardrail"
        case .evaluator: "evaluator"
        case .chain: "chain"
        }
    }

    /// Creates a kind from its name; `nil` for an unknown name.
    public init?(name: some StringProtocol) {
        guard let kind = SpanKind.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

/// Statuses of a span. Raw values are stored, so never change them.
public enum SpanStatus: UInt8, CaseIterable, Sendable {
    /// The status is not recorded.
    case unset = 0
    /// The span ended successfully.
    case ok = 1
    /// The span ended with an error.
    case error = 2

    /// Name in filters, JSON, and on screens.
    public var name: String {
        switch self {
        case .unset: "unset"
        case .ok: "ok"
        case .error: "error"
        }
    }
}
