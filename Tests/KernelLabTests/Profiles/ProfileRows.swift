import GRDB

/// Rows of tables, looked at past the store.
enum ProfileRows {
    static func count(_ db: Database, _ tables: [String]) throws -> Int {
        try tables.reduce(0) { sum, table in
            try sum + (Int.fetchOne(db, sql: "SELECT count(*) FROM \(table)") ?? 0)
        }
    }
}
