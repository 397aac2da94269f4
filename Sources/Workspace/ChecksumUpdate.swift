import GRDB
import GRDBSQLite

/// An update that adds page checksums to a file older than generation 2.
///
/// The update rebuilds the file through a write-ahead log, so a crash at any moment leaves either the old file or the
/// new one. With a rollback journal, recovery could write checksums into old pages that have no space for them.
struct ChecksumUpdate {
    let path: String
    let place: FileSystem
    let migrations: [Migration]

    struct Outcome {
        /// Path of the old file's backup; `nil` if nothing was rebuilt.
        var backup: String?
        /// Note for the user.
        var note: String?
    }

    /// Rebuilds the file if necessary and possible; otherwise, the file remains usable as it is.
    ///
    /// - Throws: ``WorkspaceError/newerSchema(path:unknown:)``.
    func run() throws -> Outcome {
        var configuration = ConnectionSettings(patience: 1000).writer()
        configuration.label = "workspace.checksums"
        let queue = try DatabaseQueue(path: path, configuration: configuration)
        defer { try? queue.close() }  // A failed close is harmless: the next connection reads the log.
        return try queue.writeWithoutTransaction { db in
            guard try isNeeded(db) else { return Outcome() }
            if place.isNetwork { return postponed("a file on a network file system cannot be updated safely") }
            do {
                return try update(db)
            } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
                return postponed("another process has the file open")
            } catch let error where Self.isFull(error) {
                return postponed("the disk has too little space for a backup and a rebuilt copy")
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
        _ = try SchemaUpdate(path: path, migrations: migrations).pending(db)  // Throws for a newer file.
        return true
    }

    private func update(_ db: Database) throws -> Outcome {
        var outcome = Outcome()
        if !db.verifyChecksums() {
            // Only the last connection can leave WAL mode, so this cheap attempt detects other connections first.
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete" else {
                return postponed("another process has the file open")
            }
            guard try String.fetchOne(db, sql: "PRAGMA quick_check(1)") == "ok" else {
                return postponed("the file is damaged. Run orrery workspace check")
            }
            let backup = MigrationBackup(path: path)
            try db.inTransaction(.immediate) {
                outcome.backup = try backup.make(
                    applied: try Int.fetchOne(db, sql: "SELECT count(*) FROM migration") ?? 0)
                return .commit
            }
            // No other process can write until this connection closes.
            try db.execute(sql: "PRAGMA locking_mode = EXCLUSIVE")
            guard try String.fetchOne(db, sql: "PRAGMA journal_mode = DELETE") == "delete",
                try String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") == "wal"
            else { return postponed("another process has the file open") }
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
