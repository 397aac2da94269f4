import GRDB
import GRDBSQLite

/// Gives every page of a file from before generation 2 a checksum.
///
/// The file is rebuilt in a write-ahead log: a crash at any moment leaves the old file or the new one. In a rollback
/// journal, old pages without room for a checksum could be written back with one.
struct ChecksumUpdate {
    let path: String
    let place: FileSystem
    let migrations: [Migration]

    struct Outcome {
        /// The copy of the old file, or nil if nothing was rebuilt.
        var backup: String?
        /// What the user should know.
        var note: String?
    }

    /// Rebuilds the file if that is needed and possible. A file that stays as it is can still be used.
    ///
    /// - Throws: ``WorkspaceError/newerSchema(path:unknown:)``.
    func run() throws -> Outcome {
        var configuration = ConnectionSettings(patience: 1000).writer()
        configuration.label = "workspace.checksums"
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }  // Failure is harmless: the log stays, and the next connection reads it.
        return try queue.writeWithoutTransaction { db in
            guard try isNeeded(db) else { return Outcome() }
            if place.isNetwork { return postponed("a network file system cannot be updated safely") }
            do {
                return try update(db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                return postponed("another process has it open")
            } catch let error where Self.isFull(error) {
                return postponed("the disk has too little room for a backup and a rebuilt copy")
            }
        }
    }

    private static func isFull(_ error: any Error) -> Bool {
        if case WorkspaceError.diskFull = error { return true }
        return (error as? DatabaseError)?.resultCode == .SQLITE_FULL
    }

    private func isNeeded(_ db: Database) throws -> Bool {
        guard sqlite3_db_readonly(db.sqliteConnection, "main") == 0 else { return false }
        let generation = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard generation > 0, generation < Workspace.firstGenerationWithChecksums else { return false }
        _ = try SchemaUpdate(path: path, migrations: migrations).pending(db)  // Refuses a newer file.
        return true
    }

    private func update(_ db: Database) throws -> Outcome {
        var outcome = Outcome()
        if !db.verifyChecksums() {
            // Leaving the log succeeds only for the last connection; trying that first is cheap.
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
                return postponed("another process has it open")
            }
            guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
                return postponed("it is damaged: run orrery workspace check")
            }
            let backup = MigrationBackup(path: path)
            try db.inTransaction(.immediate) {
                outcome.backup = try backup.make(
                    applied: try Int.fetchOne(db, sql: "SELECT count(*) FROM migration") ?? 0)
                return .commit
            }
            // From here on, nobody else writes until this connection closes.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete",
                try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal"
            else { return postponed("another process has it open") }
            try db.reserveChecksums()
            try db.execute(sql: "VACUUM")
        }
        try db.execute(sql: "PRAGMA user_version = \(Workspace.firstGenerationWithChecksums)")
        let copy = outcome.backup.map { " The old file is saved as \($0)." } ?? ""
        outcome.note = "Every page of the workspace now has a checksum.\(copy)"
        return outcome
    }

    private func postponed(_ reason: String) -> Outcome {
        Outcome(note: "The pages of the workspace have no checksums yet: \(reason).")
    }
}
