/// The parsed form of a filter, which matching in memory and in SQL share.
public indirect enum QueryExpression<Condition: Hashable & Sendable>: Hashable, Sendable {
    /// An empty filter, which matches everything.
    case everything
    /// A condition on one field.
    case condition(Condition)
    /// The filter matches if the expression does not.
    case not(QueryExpression)
    /// The filter matches if all expressions match.
    case and([QueryExpression])
    /// The filter matches if one of several expressions matches.
    case or([QueryExpression])

    /// All conditions, in the order of the text.
    public var conditions: [Condition] {
        switch self {
        case .everything: []
        case .condition(let condition): [condition]
        case .not(let inner): inner.conditions
        case .and(let parts), .or(let parts): parts.flatMap(\.conditions)
        }
    }

    /// Returns whether the expression is true, given whether each condition is.
    package func holds(_ condition: (Condition) -> Bool) -> Bool {
        switch self {
        case .everything: true
        case .condition(let own): condition(own)
        case .not(let inner): !inner.holds(condition)
        case .and(let parts): parts.allSatisfy { $0.holds(condition) }
        case .or(let parts): parts.contains { $0.holds(condition) }
        }
    }

    /// Returns the expression as an SQL condition, given the SQL of each condition.
    package func sql(_ condition: (Condition) -> SQLPiece) -> SQLPiece {
        switch self {
        case .everything: "1"
        case .condition(let own): condition(own)
        case .not(let inner): "NOT (\(inner.sql(condition)))"
        case .and(let parts): Self.joined(parts.map { $0.sql(condition) }[...], "AND") ?? "1"
        case .or(let parts): Self.joined(parts.map { $0.sql(condition) }[...], "OR") ?? "0"
        }
    }

    /// Joins halves, because SQLite limits the depth of an expression to 1,000.
    private static func joined(_ parts: ArraySlice<SQLPiece>, _ word: String) -> SQLPiece? {
        guard parts.count > 1 else { return parts.first }
        let middle = parts.startIndex + parts.count / 2
        guard let left = joined(parts[..<middle], word), let right = joined(parts[middle...], word) else { return nil }
        return "(\(left) \(word) \(right))"
    }
}
