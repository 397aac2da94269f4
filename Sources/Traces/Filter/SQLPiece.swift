/// A piece of SQL with the values of its parameters, built by string interpolation:
///
/// ```swift
/// let piece: SQLPiece = "t.start >= \(value: .integer(0)) AND \(condition)"
/// ```
/// Strings are inserted as SQL and must never come from user input; other values become parameters.
struct SQLPiece: ExpressibleByStringInterpolation {
    enum Value: Hashable {
        case integer(Int64)
        case real(Double)
        case text(String)
    }

    private(set) var sql: String
    private(set) var values: [Value]

    init(stringLiteral sql: String) {
        self.sql = sql
        values = []
    }

    init(stringInterpolation piece: StringInterpolation) {
        sql = piece.sql
        values = piece.values
    }

    /// Creates a piece from several pieces with a word between them.
    init(_ pieces: [SQLPiece], joinedBy word: String) {
        sql = pieces.map(\.sql).joined(separator: word)
        values = pieces.flatMap(\.values)
    }

    struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = ""
        fileprivate var values: [Value] = []

        init(literalCapacity: Int, interpolationCount: Int) { sql.reserveCapacity(literalCapacity * 2) }

        mutating func appendLiteral(_ literal: String) { sql += literal }

        mutating func appendInterpolation(_ literal: String) { sql += literal }

        mutating func appendInterpolation(_ piece: SQLPiece) {
            sql += piece.sql
            values += piece.values
        }

        mutating func appendInterpolation(value: Value) {
            sql += "?"
            values.append(value)
        }
    }
}
