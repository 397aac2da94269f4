public import Configuration
public import LanguageModels

/// The parsed form of a filter of traces.
public typealias FilterExpression = QueryExpression<FilterCondition>

/// A syntax error in a filter, with its position.
public typealias FilterError = QueryError

/// A condition on one field: an operator and a value.
public enum FilterCondition: Hashable, Sendable {
    /// The span has one of these kinds; a run has no kind.
    case kind(Set<SpanKind>)
    /// The status is one of these; a run has the status `error` if one of its spans failed, and `ok` otherwise.
    case status(Set<SpanStatus>)
    /// The run has one of these origins.
    case origin(Set<TraceOrigin>)
    /// A comparison of text.
    case text(FilterField, TextTest, String)
    /// A comparison of tokens or other counts.
    case count(FilterField, QueryComparison, Int64)
    /// A comparison of costs in US dollars.
    case cost(QueryComparison, Double)
    /// A comparison of durations in nanoseconds.
    case duration(QueryComparison, Int64)
    /// The start is at or after `from` and earlier than `before`, in nanoseconds since 1970; `nil` is an open end.
    ///
    /// A typed date covers its whole day, and a typed minute its 60 seconds.
    case start(from: Int64?, before: Int64?)
    /// Text that a name, an error, or a message contains.
    case anywhere(String)

    /// Comparisons of text.
    public enum TextTest: Hashable, Sendable {
        /// The field contains the value.
        case contains
        /// The field equals the value.
        case equals
        /// The field is recorded and does not equal the value.
        case differs
    }

    /// Whether the condition depends on the run alone.
    var asksOnlyAboutRuns: Bool {
        switch self {
        case .origin: true
        case .text(let field, _, _), .count(let field, _, _): field.belongsToRun
        default: false
        }
    }
}

extension QueryExpression<FilterCondition> {
    /// Returns the search for a text in names, errors, and messages.
    public static func text(_ text: String) -> Self { .condition(.anywhere(text)) }

    /// Distinct free texts of the expression, in order.
    var texts: [String] {
        conditions.reduce(into: []) { texts, condition in
            if case .anywhere(let text) = condition, !texts.contains(text) { texts.append(text) }
        }
    }

    /// Whether all conditions depend on the run alone, so its spans need no check.
    var asksOnlyAboutRuns: Bool { conditions.allSatisfy(\.asksOnlyAboutRuns) }
}
