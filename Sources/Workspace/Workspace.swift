public import GRDB
import Glibc
import Synchronization

/// One workspace: an SQLite file that holds all that Orrery keeps, for several readers and one writer.
///
/// ```swift
/// let workspace = try Workspace.open("team.orrery", migrations: TraceStore.migrations, create: true)
/// try workspace.write { db in try db.execute(sql: "INSERT INTO span (name) VALUES ('plan')") }
/// let names = try workspace.read { db in try String.fetchAll(db, sql: "SELECT name FROM span") }
/// ```
///
/// Other processes may have the same file open. Reading never waits for writing; a writer waits up to five seconds for
/// another process's transaction and then throws ``WorkspaceError/busy(path:writer:)``. The file survives the end of
/// the process at any instruction, and what a write returned from survives the loss of power.
///
/// While a workspace is open, no other code of the process may open and close the file by itself: that drops the locks
/// that keep other processes away (fcntl(2)).
///
/// - ``read(_:)``, ``write(within:_:)``, ``bulkWrite(_:)``: the three ways to the rows.
/// - ``jobs``, ``state``: what is going on, and where the user was.
/// - ``info(bytes:)``, ``check(_:job:)``, ``backup(to:job:)``, ``export(to:)``: its health and its copies.
public final class Workspace: Sendable {
    /// What a workspace is opened for.
    public enum Access: Sendable {
        case readWrite
        /// Nothing is ever written, not even what a migration or an interrupted job would need.
        case readOnly
    }

    /// How SQLite keeps a transaction whole.
    public enum Journal: String, Sendable {
        /// A write-ahead log beside the file while it is open: readers and the writer do not wait for each other.
        case wal
        /// A rollback journal, emptied after each transaction: for file systems behind a network.
        case truncate
        /// The file is in a place that cannot be written, and nobody is writing: read as it lies there.
        case none
    }

    /// "Orry" in ASCII: the application id in the header of every workspace.
    public static let applicationID: Int32 = 0x4F72_7279
    /// The generation of the file as a whole; a program that knows only an older one leaves the file alone.
    public static let generation: Int32 = 2
    /// In files of this and later generations, every page ends with its checksum.
    static let firstGenerationWithChecksums: Int32 = 2

    /// The file, absolute and without symbolic links.
    public let path: String
    public let access: Access
    public let journal: Journal
    /// What the user should know about the place of this file, a sentence each.
    public let notes: [String]
    /// What opening an older file changed in it, or why a change is postponed; nil for a current file.
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

    /// Closes the file. Waiting notes are written first, and everything in the log goes into the file.
    ///
    /// Reads in progress end with `CancellationError`. Also happens when the last reference is released and when the
    /// process calls `exit`. Repeated calls do nothing.
    public func close() {
        guard !closed.exchange(true, ordering: .acquiringAndReleasing) else { return }
        OpenWorkspaces.remove(self)
        writer?.flush()
        // Reads first: a reader that looks at an older moment would keep its pages in the log.
        readers.close()
        if journal == .wal { writer?.emptyLog() }
        if journal == .truncate {
            // Leaving this mode takes the empty journal away, which otherwise stays.
            try? writer?.queue.writeWithoutTransaction { db in try db.execute(sql: "PRAGMA journal_mode = DELETE") }
        }
        try? writer?.queue.close()
        OpenFiles.remove(identity)
    }
}

extension Workspace {
    /// Reads in one transaction: everything in `body` sees the same moment.
    ///
    /// - Throws: ``WorkspaceError`` for what SQLite reports; other errors of `body` as they are.
    public func read<T>(_ body: (Database) throws -> T) throws -> T {
        try refuseIfClosed()
        return try readers.lend { connection in try reading(connection, body) }
    }

    /// Reads as ``read(_:)``, until somebody cancels: then a running statement ends at once.
    ///
    /// - Throws: `CancellationError` when `cancellation` was asked to stop.
    public func read<T>(until cancellation: Cancellation, _ body: (Database) throws -> T) throws -> T {
        try refuseIfClosed()
        return try readers.lend { connection in
            try cancellation.interrupting(connection) { try reading(connection, body) }
        }
    }

    /// Writes in one transaction, which is on the disk when this returns and undone when `body` throws.
    ///
    /// - Parameter milliseconds: how long to wait for other writers, of this process too. Without it, five seconds for
    ///   other processes and as long as it takes for other threads; a thread that serves the screen sets it.
    /// - Throws: ``WorkspaceError`` for what SQLite reports; other errors of `body` as they are.
    public func write<T>(within milliseconds: Int32? = nil, _ body: (Database) throws -> T) throws -> T {
        try writing(within: milliseconds) { db in try transaction(db, body) }
    }

    /// Writes very much in one transaction, with one wait for the disk.
    ///
    /// Pages that no longer fit into memory go to the log without waiting for the disk, so that memory stays at about
    /// 32 MB however much is written. The commit then waits once until the whole log is on the disk
    /// (`synchronous = FULL`); from there on the loss of power takes nothing. Before this returns the log is also
    /// copied into the file, which waits for the disk again before the log is emptied: after a crash at any moment
    /// either the log or the file holds every page. A reader that still looks at an older moment delays only that copy.
    ///
    /// - Throws: as ``write(within:_:)``. On any error nothing of `body` remains.
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

    // A copy that a reader delays is made later by the automatic one; the commit is safe in the log by now.
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
                    // There is nothing to commit, and on a damaged file not even that succeeds.
                    return .rollback
                }
                return result!
            }
        }
    }

    private func writing<T>(within milliseconds: Int32? = nil, _ body: (Database) throws -> T) throws -> T {
        guard let writer else { throw WorkspaceError.readOnlyPlace(path: path) }
        try refuseIfClosed()
        do {
            return try writer.run(within: milliseconds) { db in try translating(db) { try body(db) } }
        } catch WorkspaceError.busy(let path, nil) {
            throw WorkspaceError.busy(path: path, writer: jobs.otherWriter())
        } catch is Writer.Occupied {
            throw WorkspaceError.busy(path: path, writer: jobs.ownWriter())
        }
    }

    private func refuseIfClosed() throws {
        if closed.load(ordering: .relaxed) { throw WorkspaceError.other(path: path, reason: "it was closed") }
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

    /// The first damaged page that a read or write met; nil if there was none.
    public var damage: WorkspaceError? { firstDamage.withLock(\.self) }

    /// The first damaged page that any workspace of this process met.
    package static var damageOfProcess: WorkspaceError? { OpenWorkspaces.damage }

    private func recorded(_ damage: WorkspaceError) -> WorkspaceError {
        firstDamage.withLock { $0 = $0 ?? damage }
        OpenWorkspaces.record(damage)
        return damage
    }

    // The connection knows the system's own error number only while it is at hand.
    private func translating<T>(_ db: Database, _ body: () throws -> T) throws -> T {
        let outcome = Result { try body() }
        // Even if `body` answered, or threw an error of its own: without the page, the answer can be wrong.
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
