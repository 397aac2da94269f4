/// The order of a list of runs.
public struct TraceOrder: Hashable, Sendable {
    public enum Column: String, CaseIterable, Hashable, Sendable {
        case start, duration, tokens, cost, errors, name
    }

    public var column: Column
    public var isDescending: Bool

    public init(_ column: Column, isDescending: Bool = true) {
        self.column = column
        self.isDescending = isDescending
    }

    /// The last started first.
    public static let newest = TraceOrder(.start)

    /// The `ORDER BY` that an index of `trace` follows; runs that are equal in the column are in order of their rows.
    /// A cost that is not known comes last whichever way.
    var sql: String {
        let direction = isDescending ? "DESC" : "ASC"
        return switch column {
        case .name: "t.name COLLATE NOCASE \(direction), t.id \(direction)"
        case .cost where !isDescending: "t.cost ASC NULLS LAST, t.id ASC"
        default: "t.\(column.rawValue) \(direction), t.id \(direction)"
        }
    }
}
