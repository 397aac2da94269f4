import GRDB
import Glibc

/// Brings a file from the steps that it has seen to all that this program knows.
struct SchemaUpdate {
    let path: String
    let migrations: [Migration]

    /// The steps that the file lacks, in order.
    ///
    /// - Throws: ``WorkspaceError/newerSchema(path:unknown:)`` where it has seen steps that this program does not know.
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

    /// Applies what is missing; for a file that lacks nothing this is two short queries.
    ///
    /// - Parameter hasBackup: whether a copy of the file as it is was just made.
    func run(_ db: Database, hasBackup: Bool = false) throws {
        guard try !pending(db).isEmpty else { return }
        if try Int32.fetchOne(db, sql: "PRAGMA user_version") == 0 {
            // Both take effect because the file is empty.
            try db.execute(sql: "PRAGMA page_size = \(ConnectionSettings.pageSize)")
            try db.reserveChecksums()
        }
        // Tables can only be rebuilt while references to them are not enforced, which no transaction can switch.
        try db.execute(sql: "PRAGMA foreign_keys = OFF")
        defer { try? db.execute(sql: "PRAGMA foreign_keys = ON") }
        try db.inTransaction(.immediate) {
            // Another process may have done it while this one waited for its turn.
            let missing = try pending(db)
            guard !missing.isEmpty else { return .commit }
            let isNew = try Int32.fetchOne(db, sql: "PRAGMA user_version") == 0
            if isNew {
                try lay(db)
            } else if !hasBackup {
                try MigrationBackup(path: path).make(applied: migrations.count - missing.count)
            }
            for migration in missing {
                try migration.apply(db)
                try db.execute(
                    sql: "INSERT INTO migration (name, applied) VALUES (?, unixepoch())", arguments: [migration.name])
            }
            if !isNew { try refuseBrokenReferences(db) }
            return .commit
        }
    }

    // The application id is set in the transaction that makes the tables: no file carries it and lacks them.
    private func lay(_ db: Database) throws {
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

    private func refuseBrokenReferences(_ db: Database) throws {
        guard let row = try Row.fetchOne(db, sql: "PRAGMA foreign_key_check") else { return }
        let table: String = row["table"]
        throw WorkspaceError.other(
            path: path, reason: "the update would leave rows of \(table) without what they refer to")
    }
}
