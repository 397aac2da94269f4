public import LanguageModels

/// The parsed form of a filter, which matching in memory and in SQL share.
public indirect enum FilterExpression: Hashable, Sendable {
    /// An empty filter, which matches everything.
    case everything
    /// A condition on one field.
    case condition(FilterCondition)
    /// Text that a name, an error, or a message contains.
    case text(String)
    /// The filter matches if the expression does not.
    case not(FilterExpression)
    /// The filter matches if all expressions match.
    case and([FilterExpression])
    /// The filter matches if one of several expressions matches.
    case or([FilterExpression])
}

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
    case count(FilterField, Comparison, Int64)
    /// A comparison of costs in US dollars.
    case cost(Comparison, Double)
    /// A comparison of durations in nanoseconds.
    case duration(Comparison, Int64)
    /// The start is at or after `from` and earlier than `before`, in nanoseconds since 1970; `nil` is an open end.
    ///
    /// A typed date covers its whole day, and a typed minute its 60 seconds.
    case start(from: Int64?, before: Int64?)

    /// Comparisons of text.
    public enum TextTest: Hashable, Sendable {
        /// The field contains the value.
        case contains
        /// The field equals the value.
        case equals
        /// The field is recorded and does not equal the value.
        case differs
    }

    /// Comparisons of numbers; the raw values are SQL operators.
    public enum Comparison: String, Hashable, Sendable {
        /// Equal.
        case equal = "="
        /// Not equal.
        case unequal = "<>"
        /// Less than.
        case less = "<"
        /// Less than or equal.
        case lessOrEqual = "<="
        /// Greater than.
        case greater = ">"
        /// Greater than or equal.
        case greaterOrEqual = ">="

        /// Returns whether the comparison is true for two values.
        @inline(__always)
        public func holds<Value: Comparable>(_ a: Value, _ b: Value) -> Bool {
            switch self {
            case .equal: a == b
            case .unequal: a != b
            case .less: a < b
            case .lessOrEqual: a <= b
            case .greater: a > b
            case .greaterOrEqual: a >= b
            }
        }
    }
}

extension FilterExpression {
    /// Distinct free texts of the expression, in order.
    var texts: [String] {
        switch self {
        case .everything, .condition: []
        case .text(let text): [text]
        case .not(let inner): inner.texts
        case .and(let parts), .or(let parts):
            parts.flatMap(\.texts).reduce(into: []) { all, text in if !all.contains(text) { all.append(text) } }
        }
    }

    /// Whether all conditions depend on the run alone, so its spans need no check.
    var asksOnlyAboutRuns: Bool {
        switch self {
        case .everything: true
        case .text: false
        case .condition(.origin): true
        case .condition(.text(let field, _, _)), .condition(.count(let field, _, _)): field.belongsToRun
        case .condition: false
        case .not(let inner): inner.asksOnlyAboutRuns
        case .and(let parts), .or(let parts): parts.allSatisfy(\.asksOnlyAboutRuns)
        }
    }
}
