/// A piece of SQL with the values of its parameters, built by string interpolation:
///
/// ```swift
/// let piece: SQLPiece = "t.start >= \(value: .integer(0)) AND \(condition)"
/// ```
/// Strings are inserted as SQL and must never come from user input; other values become parameters.
package struct SQLPiece: ExpressibleByStringInterpolation, Sendable {
    package enum Value: Hashable, Sendable {
        case integer(Int64)
        case real(Double)
        case text(String)
    }

    package private(set) var sql: String
    package private(set) var values: [Value]

    package init(stringLiteral sql: String) {
        self.sql = sql
        values = []
    }

    package init(stringInterpolation piece: StringInterpolation) {
        sql = piece.sql
        values = piece.values
    }

    /// Creates a piece from several pieces with a word between them.
    package init(_ pieces: [SQLPiece], joinedBy word: String) {
        sql = pieces.map(\.sql).joined(separator: word)
        values = pieces.flatMap(\.values)
    }

    package struct StringInterpolation: StringInterpolationProtocol {
        fileprivate var sql = ""
        fileprivate var values: [Value] = []

        package init(literalCapacity: Int, interpolationCount: Int) { sql.reserveCapacity(literalCapacity * 2) }

        package mutating func appendLiteral(_ literal: String) { sql += literal }

        package mutating func appendInterpolation(_ literal: String) { sql += literal }

        package mutating func appendInterpolation(_ piece: SQLPiece) {
            sql += piece.sql
            values += piece.values
        }

        package mutating func appendInterpolation(value: Value) {
            sql += "?"
            values.append(value)
        }
    }
}
