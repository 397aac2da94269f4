import Dispatch
import GRDB
import Glibc
import Synchronization

/// The only writing connection of a workspace.
///
/// In addition to transactions, it writes notes: small values such as a position on the screen or the progress of a
/// job. Notes can wait while a long import uses the connection, and only the latest note of each key matters.
final class Writer: Sendable {
    private struct Note: Sendable {
        let key: String
        let write: @Sendable (Database) throws -> Void
    }

    let queue: DatabaseQueue
    let settings: ConnectionSettings
    private let turn = DispatchSemaphore(value: 1)
    private let owner = Atomic<UInt>(0)
    private let notes = Mutex<[Note]>([])

    init(queue: DatabaseQueue, settings: ConnectionSettings) {
        self.queue = queue
        self.settings = settings
    }

    /// An error for a connection that another thread of this process did not release in time.
    struct Occupied: Error {}

    /// Whether the current thread is inside ``run(within:_:)``.
    var isMine: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `body` with exclusive use of the connection, outside any transaction.
    ///
    /// - Parameter milliseconds: Maximum time to wait for other threads, and again for other processes.
    /// - Throws: ``Occupied`` if another thread does not finish in time.
    func run<T>(within milliseconds: Int32? = nil, _ body: (Database) throws -> T) throws -> T {
        precondition(!isMine, "nested write in the same workspace")
        if let milliseconds {
            guard turn.wait(timeout: .now() + .milliseconds(Int(milliseconds))) == .success else { throw Occupied() }
        } else {
            turn.wait()
        }
        owner.store(UInt(pthread_self()), ordering: .relaxed)
        defer { release() }
        return try queue.writeWithoutTransaction { db in
            guard let milliseconds else { return try body(db) }
            return try db.waiting(milliseconds, otherwise: settings) { try body(db) }
        }
    }

    /// Writes a note as soon as the connection is free; until then, a later note with the same key replaces it.
    func note(_ key: String, _ write: @escaping @Sendable (Database) throws -> Void) {
        notes.withLock { notes in
            notes.removeAll { $0.key == key }
            notes.append(Note(key: key, write: write))
        }
        flush()
    }

    /// Discards a note that has not been written.
    func drop(_ key: String) {
        notes.withLock { notes in notes.removeAll { $0.key == key } }
    }

    /// Writes the waiting notes; if another thread is using the connection, that thread writes them afterward.
    func flush() {
        while notes.withLock({ !$0.isEmpty }), turn.wait(timeout: .now()) == .success {
            owner.store(UInt(pthread_self()), ordering: .relaxed)
            let written = writeNotes()
            owner.store(0, ordering: .relaxed)
            turn.signal()
            if !written { return }
        }
    }

    /// Copies the log into the file before closing, after waiting up to two seconds for the connection.
    ///
    /// If another process is still reading, the log may not become empty, but all data is in the file.
    func emptyLog() {
        // If another thread is still writing, SQLite rolls back that transaction when the file is next opened.
        guard isMine || turn.wait(timeout: .now() + 2) == .success else { return }
        queue.writeWithoutTransaction { db in
            db.waiting(200, otherwise: settings) {
                // A failed checkpoint is harmless: the next connection reads the log.
                _ = try? db.checkpoint(.passive)
                _ = try? db.checkpoint(.truncate)
            }
        }
        turn.signal()
    }

    private func release() {
        _ = writeNotes()
        owner.store(0, ordering: .relaxed)
        turn.signal()
        // Another thread may have added a note after writeNotes() and found the connection in use, so write it now.
        flush()
    }

    // Returns false if another process has locked the file; the notes then wait for the next attempt.
    private func writeNotes() -> Bool {
        let waiting = notes.withLock { notes in
            defer { notes = [] }
            return notes
        }
        guard !waiting.isEmpty else { return true }
        do {
            try queue.writeWithoutTransaction { db in
                try db.execute(sql: "PRAGMA synchronous = NORMAL")
                defer { try? db.execute(sql: "PRAGMA synchronous = FULL") }
                try db.waiting(0, otherwise: settings) {
                    try db.inTransaction(.immediate) {
                        for note in waiting { try note.write(db) }
                        return .commit
                    }
                }
            }
            return true
        } catch let error as DatabaseError where error.resultCode == .SQLITE_BUSY {
            notes.withLock { notes in
                let newer = Set(notes.map(\.key))
                notes = waiting.filter { !newer.contains($0.key) } + notes
            }
            return false
        } catch {
            // An import must not fail because of a note. If the disk has a problem, the next transaction reports it.
            return true
        }
    }
}
