internal import Configuration

/// Fields of a filter: the words before an operator.
public enum FilterField: String, CaseIterable, Hashable, Sendable {
    /// Text and fixed values.
    case kind, status, origin, project, name, model, format, id, error
    /// Numbers and dates.
    case tokens, input, output, cached, cost, duration, start
    /// Counts of a run.
    case errors, spans, messages

    /// Types of values, which differ in syntax and comparison.
    public enum Shape: Hashable, Sendable {
        /// One of several words.
        case choice([String])
        /// Text: `:` searches inside the field, `=` compares the whole field; both ignore case.
        case text
        /// A whole number, with an optional `k` or `M`.
        case count
        /// An amount in US dollars.
        case dollars
        /// A duration in `ms`, `s` (default), `m`, or `h`.
        case duration
        /// A date or a time in UTC.
        case moment
    }

    /// Type of the field's values.
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

    /// Whether the field belongs to a run as a whole; spans have the value of their run.
    public var belongsToRun: Bool {
        switch self {
        case .format, .origin, .project, .errors, .spans, .messages: true
        default: false
        }
    }

    /// Short description for completion and help.
    public var summary: String {
        switch self {
        case .kind: "type of span: model, tool, agent, ..."
        case .status: "outcome: ok, error, or unset"
        case .name: "name of a tool, agent, or run"
        case .model: "name of the model"
        case .format: "recording format of a run"
        case .origin: "origin of a run: \(Self.origins.joined(separator: ", "))"
        case .project: "project of a run: a folder, a service, or a name"
        case .id: "identifier in the recording"
        case .error: "error message"
        case .tokens: "input and output tokens"
        case .input: "input tokens, including cached ones"
        case .output: "output tokens"
        case .cached: "input tokens from a cache"
        case .cost: "cost in US dollars"
        case .duration: "duration: 500ms, 2s, 1m"
        case .start: "start time in UTC: 2026-03-01, 2026-03-01T09:30"
        case .errors: "failed spans in a run"
        case .spans: "spans in a run"
        case .messages: "messages in a run"
        }
    }

    private static let kinds = [
        "agent", "model", "tool", "retrieval", "reranker", "embedding", "guardrail", "evaluator", "chain", "other",
    ]
    private static let statuses = ["ok", "error", "unset"]
    private static let origins = TraceOrigin.allCases.map(\.name)

    /// Returns the field with the name closest to a misspelled word; `nil` if no name is close.
    static func nearest(to word: String) -> FilterField? {
        NearestName.to(word, among: allCases.map(\.rawValue)).flatMap(FilterField.init)
    }
}
