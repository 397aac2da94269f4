public import LanguageModels

/// What a filter means, once read: the one tree that memory and SQL both follow.
public indirect enum FilterExpression: Hashable, Sendable {
    /// An empty filter.
    case everything
    case condition(FilterCondition)
    /// Text that stands somewhere in a name, an error or a message.
    case text(String)
    case not(FilterExpression)
    case and([FilterExpression])
    case or([FilterExpression])
}

/// A field, an operator and a value.
public enum FilterCondition: Hashable, Sendable {
    /// A span of one of these kinds; a run has no kind of its own.
    case kind(Set<SpanKind>)
    /// One of these outcomes; a run failed when one of its spans did.
    case status(Set<SpanStatus>)
    /// A run with one of these origins.
    case origin(Set<TraceOrigin>)
    case text(FilterField, TextTest, String)
    /// Tokens and counts.
    case count(FilterField, Comparison, Int64)
    case cost(Comparison, Double)
    /// Nanoseconds.
    case duration(Comparison, Int64)
    /// A date names all moments of that day, a minute all of its sixty seconds: at or after the first, before the
    /// second; either end may be open.
    case start(from: Int64?, before: Int64?)

    public enum TextTest: Hashable, Sendable {
        /// Stands somewhere in it.
        case contains
        /// Is all of it.
        case equals
        /// Is something else; what is absent is not something else.
        case differs
    }

    public enum Comparison: String, Hashable, Sendable {
        case equal = "="
        case unequal = "<>"
        case less = "<"
        case lessOrEqual = "<="
        case greater = ">"
        case greaterOrEqual = ">="

        /// Whether the comparison is true of two values.
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
    /// The free texts of the expression, each once, in order.
    var texts: [String] {
        switch self {
        case .everything, .condition: []
        case .text(let text): [text]
        case .not(let inner): inner.texts
        case .and(let parts), .or(let parts):
            parts.flatMap(\.texts).reduce(into: []) { all, text in if !all.contains(text) { all.append(text) } }
        }
    }

    /// Whether every condition asks about the run as a whole, so that its spans need not be looked at.
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
