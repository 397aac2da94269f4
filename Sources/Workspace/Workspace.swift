public import GRDB
import Glibc
import Synchronization

/// A workspace: the SQLite file that stores Orrery's data, for many readers and one writer at a time.
///
/// ```swift
/// let workspace = try Workspace.open("team.orrery", migrations: TraceStore.migrations, create: true)
/// try workspace.write { db in try db.execute(sql: "INSERT INTO span (name) VALUES ('plan')") }
/// let names = try workspace.read { db in try String.fetchAll(db, sql: "SELECT name FROM span") }
/// ```
///
/// Other processes may have the same file open. Readers do not wait for writers, except on network file systems. A
/// writer waits up to five seconds for another process's transaction and then throws
/// ``WorkspaceError/busy(path:writer:)``. The file stays valid even if the process is killed at any point. Once a write
/// has returned, its data survives a power failure.
///
/// While a workspace is open, no other code in the process may open and close the file, because closing it would drop
/// the locks that protect the file from other processes (fcntl(2)).
///
/// - ``read(_:)``, ``write(within:_:)``, ``bulkWrite(_:)``: Access to the rows.
/// - ``jobs``, ``state``: Background jobs, and the user's last position.
/// - ``info(bytes:)``, ``check(_:job:)``, ``backup(to:job:)``, ``export(to:)``: Health and copies of the file.
public final class Workspace: Sendable {
    /// Access modes of a workspace.
    public enum Access: Sendable {
        /// Reading and writing.
        case readWrite
        /// Reading only: nothing is written, not even migrations or the state of interrupted jobs.
        case readOnly
    }

    /// Journal modes, which make transactions atomic.
    public enum Journal: String, Sendable {
        /// A write-ahead log next to the open file; readers and the writer do not wait for each other.
        case wal
        /// A rollback journal that is emptied after each transaction, for network file systems.
        case truncate
        /// No journal: the file is in a read-only folder and no process is writing, so the file is read as it is.
        case none
    }

    /// Application ID in the header of every workspace: "Orry" in ASCII.
    public static let applicationID: Int32 = 0x4F72_7279
    /// Current generation of the file format; a program does not open files of a newer generation than its own.
    public static let generation: Int32 = 2
    /// First generation in which every page ends with its checksum.
    static let firstGenerationWithChecksums: Int32 = 2

    /// Absolute path of the file, without symbolic links.
    public let path: String
    /// Access mode.
    public let access: Access
    /// Journal mode.
    public let journal: Journal
    /// Notes for the user about the location of the file, each one or two sentences.
    public let notes: [String]
    /// Change made to an older file, or the reason why it was postponed; `nil` for a current file.
    public let conversion: String?

    let writer: Writer?
    let readers: Readers
    let identity: OpenFiles.Identity?
    let desk = JobDesk()
    private let closed = Atomic<Bool>(false)
    private let firstDamage = Mutex<WorkspaceError?>(nil)

    init(
        path: String, access: Access, journal: Journal, notes: [String], conversion: String? = nil, writer: Writer?,
        readers: Readers, identity: OpenFiles.Identity?
    ) {
        self.path = path
        self.access = access
        self.journal = journal
        self.notes = notes
        self.conversion = conversion
        self.writer = writer
        self.readers = readers
        self.identity = identity
        OpenWorkspaces.add(self)
    }

    deinit { close() }

    /// Writes waiting notes, copies the log into the file, and closes the file.
    ///
    /// Reads in progress end with `CancellationError`. A workspace also closes when its last reference is released and
    /// when the process calls `exit`. Repeated calls do nothing.
    public func close() {
        guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        OpenWorkspaces.remove(self)
        writer?.flush()
        // Close readers first: the log cannot be emptied while a reader uses an older snapshot.
        readers.close()
        if journal == .wal { writer?.emptyLog() }
        if journal == .truncate {
            // Leaving TRUNCATE mode deletes the empty journal.
            try? writer?.queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
        }
        try? writer?.queue.close()
        OpenFiles.remove(identity)
    }
}

extension Workspace {
    /// Runs `body` in a read transaction; all its queries see the same snapshot.
    ///
    /// - Throws: ``WorkspaceError`` for SQLite errors; rethrows other errors from `body`.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        try requireOpen()
        return try readers.lend { connection in try reading(connection, body) }
    }

    /// Runs `body` in a read transaction like ``read(_:)``, but stops a running statement when `cancellation` is set.
    ///
    /// - Throws: `CancellationError` if `cancellation` is set.
    public func read<T>(until cancellation: Cancellation, _ body: (Database) throws -> T) throws -> T {
        try requireOpen()
        return try readers.lend { connection in
            try cancellation.interrupting(connection) { try reading(connection, body) }
        }
    }

    /// Runs `body` in a write transaction, which is on disk when this method returns and is rolled back if `body`
    /// throws.
    ///
    /// - Parameter milliseconds: Maximum time to wait for other writers, including those of this process (default: five
    ///   seconds for other processes, no limit for other threads). Set it on the thread that draws the screen.
    /// - Throws: ``WorkspaceError`` for SQLite errors; rethrows other errors from `body`.
    public func write<T>(within milliseconds: Int32? = nil, _ body: (Database) throws -> T) throws -> T {
        try writing(within: milliseconds) { db in try transaction(db, body) }
    }

    /// Runs `body` in a write transaction for large amounts of data, with one wait for the disk.
    ///
    /// Pages that do not fit into memory go to the log without waiting for the disk, so memory stays at about 32 MB for
    /// any amount of data. The commit then waits once until the whole log is on disk (`synchronous = FULL`); after
    /// that, a power failure loses nothing. Before this method returns, it also copies the log into the file and syncs
    /// the file before it empties the log, so after a crash at any moment, every page is in the log or in the file. A
    /// reader with an older snapshot delays only this copy.
    ///
    /// - Throws: ``WorkspaceError`` for SQLite errors; rethrows other errors from `body`. On any error, all changes
    ///   made by `body` are rolled back.
    public func bulkWrite<T>(_ body: (Database) throws -> T) throws -> T {
        try writing { db in
            let cache = ConnectionSettings.self
            try db.execute(sql: "PRAGMA cache_size = -\(cache.bulkCache); PRAGMA wal_autocheckpoint = 0")
            defer {
                emptyLog(db)
                try? db.execute(sql: "PRAGMA cache_size = -\(cache.writerCache); PRAGMA wal_autocheckpoint = 1000")
                db.releaseMemory()
            }
            return try transaction(db, body)
        }
    }

    // If a reader delays this checkpoint, an automatic one follows later; the commit is already safe in the log.
    private func emptyLog(_ db: Database) {
        guard journal == .wal, let writer else { return }
        db.waiting(100, otherwise: writer.settings) {
            _ = try? db.checkpoint(.passive)
            _ = try? db.checkpoint(.truncate)
        }
    }

    private func reading<T>(_ connection: DatabaseQueue, _ body: (Database) throws -> T) throws -> T {
        try connection.unsafeRead { db in
            try translating(db) {
                var result: T?
                try db.inTransaction(.deferred) {
                    result = try body(db)
                    // There is nothing to commit, and a commit can fail on a damaged file.
                    return .rollback
                }
                return result!
            }
        }
    }

    private func writing<T>(within milliseconds: Int32? = nil, _ body: (Database) throws -> T) throws -> T {
        guard let writer else { throw WorkspaceError.readOnlyLocation(path: path) }
        try requireOpen()
        do {
            return try writer.run(within: milliseconds) { db in try translating(db) { try body(db) } }
        } catch WorkspaceError.busy(let path, nil) {
            throw WorkspaceError.busy(path: path, writer: jobs.otherWriter())
        } catch is Writer.Occupied {
            throw WorkspaceError.busy(path: path, writer: jobs.ownWriter())
        }
    }

    private func requireOpen() throws {
        if closed.load(ordering: .relaxed) {
            throw WorkspaceError.other(path: path, reason: "the workspace is closed")
        }
    }

    private func transaction<T>(_ db: Database, _ body: (Database) throws -> T) throws -> T {
        var result: T?
        try db.inTransaction(.immediate) {
            result = try body(db)
            if let damage = db.takeDamage(path: path) { throw recorded(damage) }
            return .commit
        }
        return result!
    }

    /// Error for the first damaged page found by a read or write; `nil` if there is none.
    public var damage: WorkspaceError? { firstDamage.withLock(\.self) }

    /// Error for the first damaged page found by any workspace of this process; `nil` if there is none.
    package static var damageOfProcess: WorkspaceError? { OpenWorkspaces.damage }

    private func recorded(_ damage: WorkspaceError) -> WorkspaceError {
        firstDamage.withLock { $0 = $0 ?? damage }
        OpenWorkspaces.record(damage)
        return damage
    }

    // Only the connection knows the errno of the failed system call.
    private func translating<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        let outcome = Result { try body() }
        // Report damage even if `body` returned or threw another error: without the page, its result can be wrong.
        if let damage = db.takeDamage(path: path) { throw recorded(damage) }
        do {
            return try outcome.get()
        } catch let error as DatabaseError {
            if error.resultCode == .SQLITE_INTERRUPT { throw CancellationError() }
            throw db.workspaceError(error, path: path)
        } catch let error as PayloadError {
            throw WorkspaceError(error, path: path)
        }
    }
}
