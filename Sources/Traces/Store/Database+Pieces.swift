internal import Configuration
import GRDB
import GRDBSQLite
import Workspace

extension Workspace.Statement {
    func bind(_ values: [SQLPiece.Value], from first: Int32 = 1) {
        for (parameter, value) in zip(first..., values) {
            switch value {
            case .integer(let number): bind(parameter, number)
            case .real(let number): bind(parameter, number)
            case .text(let text): bind(parameter, text)
            }
        }
    }
}

extension Database {
    /// Runs a statement once.
    func run(_ sql: String, _ values: SQLPiece.Value...) throws {
        let statement = try Workspace.Statement(self, sql)
        statement.bind(values)
        try statement.run()
    }

    /// The first column of the first row as a number.
    func number(_ sql: String, _ values: SQLPiece.Value...) throws -> Int64? {
        let statement = try Workspace.Statement(self, sql)
        statement.bind(values)
        return try statement.first { $0.isNull(0) ? nil : $0.int64(0) } ?? nil
    }

    /// Rows changed by the last statement.
    var changedRows: Int { sqliteConnection.map { Int(sqlite3_changes64($0)) } ?? 0 }
}
