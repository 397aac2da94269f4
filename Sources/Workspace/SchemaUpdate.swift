import GRDB
import Glibc

/// An update of a file's schema that applies the missing migrations.
struct SchemaUpdate {
    let path: String
    let migrations: [Migration]

    /// Returns the migrations missing from the file, in order.
    ///
    /// - Throws: ``WorkspaceError/newerSchema(path:unknown:)`` if the file has migrations unknown to this program.
    func pending(_ db: Database) throws -> [Migration] {
        let generation = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard generation <= Workspace.generation else {
            throw WorkspaceError.newerSchema(path: path, unknown: ["generation \(generation)"])
        }
        if generation == 0 { return migrations }
        let applied = try Set(String.fetchAll(db, sql: "SELECT name FROM migration"))
        let unknown = applied.subtracting(migrations.map(\.name))
        guard unknown.isEmpty else { throw WorkspaceError.newerSchema(path: path, unknown: unknown.sorted()) }
        return applied.count == migrations.count ? [] : migrations.filter { !applied.contains($0.name) }
    }

    /// Applies the missing migrations; if there are none, this takes two short queries.
    ///
    /// - Parameter hasBackup: Whether the caller has just made a copy of the file.
    func run(_ db: Database, hasBackup: Bool = false) throws {
        guard try !pending(db).isEmpty else { return }
        if try Int32.fetchOne(db, sql: "PRAGMA user_version") == 0 {
            // The page size and the space for checksums can be set at once only while the file is empty.
            try db.execute(sql: "PRAGMA page_size = \(ConnectionSettings.pageSize)")
            try db.reserveChecksums()
        }
        // Rebuilding tables requires foreign keys to be off, and this setting cannot be changed inside a transaction.
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
        try db.inTransaction(.immediate) {
            // Another process may have updated the file while this one waited for the lock.
            let missing = try pending(db)
            guard !missing.isEmpty else { return .commit }
            let isNew = try Int32.fetchOne(db, sql: "PRAGMA user_version") == 0
            if isNew {
                try createMigrationTable(db)
            } else if !hasBackup {
                try MigrationBackup(path: path).make(applied: migrations.count - missing.count)
            }
            for migration in missing {
                try migration.apply(db)
                try db.execute(
                    sql: "INSERT INTO migration (name, applied) VALUES (?, unixepoch())", arguments: [migration.name])
            }
            if !isNew { try checkReferences(db) }
            return .commit
        }
    }

    // The same transaction sets the application ID and creates the tables, so no file has one without the other.
    private func createMigrationTable(_ db: Database) throws {
        try db.execute(
            sql: """
                PRAGMA application_id = \(Workspace.applicationID);
                PRAGMA user_version = \(Workspace.generation);
                CREATE TABLE migration (
                    position INTEGER PRIMARY KEY,
                    name TEXT NOT NULL UNIQUE,
                    applied INTEGER NOT NULL
                ) STRICT;
                """)
    }

    private func checkReferences(_ db: Database) throws {
        guard let row = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") else { return }
        let table: String = row["table"]
        throw WorkspaceError.other(
            path: path, reason: "the update would leave rows in \(table) that refer to missing rows")
    }
}
