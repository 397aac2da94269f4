internal import Configuration

/// What a filter can ask about: the word before the operator.
public enum FilterField: String, CaseIterable, Hashable, Sendable {
    case kind, status, origin, project, name, model, format, id, error
    case tokens, input, output, cached, cost, duration, start
    case errors, spans, messages

    /// How the field's values are written and compared.
    public enum Shape: Hashable, Sendable {
        /// A word out of a fixed list.
        case choice([String])
        /// Text: `:` finds it anywhere, `=` wants all of it, neither minds case.
        case text
        /// A whole number, with `k` or `M`.
        case count
        /// US dollars.
        case dollars
        /// A time span: `ms`, `s` (the default), `m`, `h`.
        case duration
        /// A date or a moment, in UTC.
        case moment
    }

    public var shape: Shape {
        switch self {
        case .kind: .choice(Self.kinds)
        case .status: .choice(Self.statuses)
        case .origin: .choice(Self.origins)
        case .name, .model, .format, .project, .id, .error: .text
        case .tokens, .input, .output, .cached, .errors, .spans, .messages: .count
        case .cost: .dollars
        case .duration: .duration
        case .start: .moment
        }
    }

    /// Whether the field belongs to a run as a whole; a span answers with what its run says.
    public var belongsToRun: Bool {
        switch self {
        case .format, .origin, .project, .errors, .spans, .messages: true
        default: false
        }
    }

    /// One phrase for completion and help.
    public var summary: String {
        switch self {
        case .kind: "what a span did: model, tool, agent, ..."
        case .status: "how it ended: ok, error or unset"
        case .name: "the name of a tool, agent or run"
        case .model: "the model that answered"
        case .format: "the format a run was recorded in"
        case .origin: "what made a run: \(Self.origins.joined(separator: ", "))"
        case .project: "the project of a run: a folder, a service, or a given name"
        case .id: "the identifier that the format gave"
        case .error: "what an error said"
        case .tokens: "tokens in and out together"
        case .input: "tokens read, cached ones included"
        case .output: "tokens written"
        case .cached: "tokens read from a cache"
        case .cost: "US dollars"
        case .duration: "from start to end: 500ms, 2s, 1m"
        case .start: "when it began, UTC: 2026-03-01, 2026-03-01T09:30"
        case .errors: "failed spans of a run"
        case .spans: "spans of a run"
        case .messages: "messages of a run"
        }
    }

    private static let kinds = [
        "agent", "model", "tool", "retrieval", "reranker", "embedding", "guardrail", "evaluator", "chain", "other",
    ]
    private static let statuses = ["ok", "error", "unset"]
    private static let origins = TraceOrigin.allCases.map(\.name)

    /// The field that a misspelled word most likely meant; nil where nothing is near.
    static func nearest(to word: String) -> FilterField? {
        NearestName.to(word, among: allCases.map(\.rawValue)).flatMap(FilterField.init)
    }
}
