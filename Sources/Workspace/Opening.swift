import GRDB
import GRDBSQLite
import Glibc

/// An operation that opens a file with a workspace header.
struct Opening {
    let path: String
    let place: FileSystem
    let migrations: [Migration]
    let settings: ConnectionSettings
    /// Generation in the file header; `nil` if the file is already open or empty.
    let generation: Int32?

    func forWriting(_ identity: OpenFiles.Identity) throws -> Workspace {
        var checksums = ChecksumUpdate.Outcome()
        if let generation, generation < Workspace.firstGenerationWithChecksums {
            checksums = try ChecksumUpdate(path: path, place: place, migrations: migrations).run()
        }
        let queue = try DatabaseQueue(path: path, configuration: settings.writer())
        var handedOver = false
        defer { if !handedOver { try? queue.close() } }
        let journal = try queue.writeWithoutTransaction { db in
            do {
                // Without write permission, SQLite silently opens the file read-only.
                if sqlite3_db_readonly(db.sqliteConnection, "main") == 1 {
                    throw access(path, W_OK) == 0 || errno != EACCES
                        ? WorkspaceError.readOnlyLocation(path: path) : WorkspaceError.permission(path: path)
                }
                try requireChecksums(db)
                try SchemaUpdate(path: path, migrations: migrations).run(db, hasBackup: checksums.backup != nil)
                let journal = try chooseJournal(db)
                try Jobs.markInterrupted(db)
                return journal
            } catch {
                throw db.workspaceError(error, path: path)
            }
        }
        handedOver = true
        let (file, settings) = (path, settings)
        return Workspace(
            path: path, access: .readWrite, journal: journal, notes: notes(journal), conversion: checksums.note,
            writer: Writer(queue: queue, settings: settings),
            readers: Readers { try DatabaseQueue(path: file, configuration: settings.reader()) },
            identity: identity)
    }

    func forReading(_ identity: OpenFiles.Identity) throws -> Workspace {
        // If there is no log and no permission to create one, no process can be writing.
        let folder = FileLocation.folder(of: path)
        let isLogged = (FileLocation.size(of: path + "-wal") ?? 0) > 0
        let isFixed = access(folder, W_OK) != 0 && !isLogged
        let address = isFixed ? FileLocation.uri(path, "immutable=1") : path
        let settings = settings
        let isTidy = access(folder, W_OK) == 0 && access(path, W_OK) == 0
        let readers = Readers { try DatabaseQueue(path: address, configuration: settings.reader(tidy: isTidy)) }
        let journal = try readers.lend { queue in
            try queue.unsafeRead { db in
                do {
                    try requireChecksums(db)
                    let pending = try SchemaUpdate(path: path, migrations: migrations).pending(db)
                    guard pending.isEmpty else {
                        throw WorkspaceError.olderSchema(path: path, pending: pending.map(\.name))
                    }
                    return try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
                } catch {
                    throw db.workspaceError(error, path: path)
                }
            }
        }
        let kind: Workspace.Journal = isFixed ? .none : journal == "wal" ? .wal : .truncate
        return Workspace(
            path: path, access: .readOnly, journal: kind, notes: notes(kind), writer: nil, readers: readers,
            identity: identity)
    }

    // Damage to the header byte that turns checksums on would silently turn them off.
    private func requireChecksums(_ db: Database) throws {
        let generation = try Int32.fetchOne(db, sql: "PRAGMA user_version") ?? 0
        guard generation >= Workspace.firstGenerationWithChecksums, !db.verifyChecksums() else { return }
        throw WorkspaceError.corrupt(path: path, place: "the header says that pages have no checksums, but they do")
    }

    // Another process may have the file open in the other journal mode, which prevents a change. On a local disk, both
    // modes are safe, so a failed change to WAL mode is not an error.
    private func chooseJournal(_ db: Database) throws -> Workspace.Journal {
        let current = try String.fetchOne(db, sql: "PRAGMA journal_mode") ?? ""
        if place.isNetwork {
            if current == "truncate" { return .truncate }
            let mode = try db.waiting(1000, otherwise: settings) {
                try String.fetchOne(db, sql: "PRAGMA journal_mode = TRUNCATE")
            }
            guard mode == "truncate" else { throw WorkspaceError.busy(path: path, writer: nil) }
            return .truncate
        }
        if current == "wal" { return .wal }
        let mode = db.waiting(1000, otherwise: settings) { try? String.fetchOne(db, sql: "PRAGMA journal_mode = WAL") }
        if mode == "wal" { return .wal }
        try db.execute(sql: "PRAGMA journal_mode = TRUNCATE")
        return .truncate
    }

    private func notes(_ journal: Workspace.Journal) -> [String] {
        var notes: [String] = []
        if place.isNetwork, journal == .truncate {
            notes.append(
                "The workspace is on a network file system (\(place.name)). Orrery uses a rollback journal instead of a "
                    + "write-ahead log, so readers wait for the writer.")
        } else if journal == .truncate {
            notes.append(
                "The file system does not support a write-ahead log. Orrery uses a rollback journal, so readers wait "
                    + "for the writer.")
        }
        var status = stat()
        if stat(path, &status) == 0, status.st_mode & 0o077 != 0 {
            notes.append("Other users on this machine can open the workspace. To prevent this, run chmod 600 \(path).")
        }
        return notes
    }
}
