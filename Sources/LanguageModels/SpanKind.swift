/// What a span of a trace did. Raw values are stored: never renumber.
public enum SpanKind: UInt8, CaseIterable, Sendable {
    case other = 0
    case agent = 1
    case model = 2
    case tool = 3
    case retrieval = 4
    case reranker = 5
    case embedding = 6
    case guardrail = 7
    case evaluator = 8
    case chain = 9

    /// The word used in filters, JSON and on screens.
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

    public init?(name: some StringProtocol) {
        guard let kind = SpanKind.allCases.first(where: { $0.name == name }) else { return nil }
        self = kind
    }
}

/// How a span ended. Raw values are stored: never renumber.
public enum SpanStatus: UInt8, CaseIterable, Sendable {
    case unset = 0
    case ok = 1
    case error = 2

    public var name: String {
        switch self {
        case .unset: "unset"
        case .ok: "ok"
        case .error: "error"
        }
    }
}
