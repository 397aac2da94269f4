import Dispatch
import GRDB
import Glibc
import Synchronization

/// The one writing connection of a workspace.
///
/// Besides transactions it takes small notes: a position on the screen or the progress of a job, which may wait while a
/// long import holds the connection, and of which only the last under a key matters.
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

    /// Another thread of this process kept the connection for too long.
    struct Occupied: Error {}

    /// Whether the calling thread is inside ``run(within:_:)``.
    var isMine: Bool { owner.load(ordering: .relaxed) == UInt(pthread_self()) }

    /// Runs `body` alone on the connection, outside any transaction.
    ///
    /// - Parameter milliseconds: how long to wait for other threads and for other processes each.
    /// - Throws: ``Occupied`` when another thread does not finish in time.
    func run<T>(within milliseconds: Int32? = nil, _ body: (Database) throws -> T) throws -> T {
        precondition(!isMine, "a write inside a write of the same workspace")
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

    /// Writes a note now if the connection is free, else as soon as it is; a later note of the same key replaces it.
    func note(_ key: String, _ write: @escaping @Sendable (Database) throws -> Void) {
        notes.withLock { notes in
            notes.removeAll { $0.key == key }
            notes.append(Note(key: key, write: write))
        }
        flush()
    }

    /// Forgets a note that has not been written.
    func drop(_ key: String) {
        notes.withLock { notes in notes.removeAll { $0.key == key } }
    }

    /// Writes what waits, unless the connection is in use: then its user does so when it is done.
    func flush() {
        while notes.withLock({ !$0.isEmpty }), turn.wait(timeout: .now()) == .success {
            owner.store(UInt(pthread_self()), ordering: .relaxed)
            let written = writeNotes()
            owner.store(0, ordering: .relaxed)
            turn.signal()
            if !written { return }
        }
    }

    /// Copies the log into the file, for the end. Waits two seconds for the connection.
    ///
    /// Another process that still reads can keep the log from becoming empty, but the file then holds everything too.
    func emptyLog() {
        // Without the turn, a thread is still writing: SQLite undoes its transaction at the next opening.
        guard isMine || turn.wait(timeout: .now() + 2) == .success else { return }
        queue.writeWithoutTransaction { db in
            db.waiting(200, otherwise: settings) {
                // Failure is harmless: the log stays, and the next connection reads it.
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
        // A note that came after the last look found the connection taken: nobody else would write it.
        flush()
    }

    // False where another process holds the file: the notes are kept for the next occasion.
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
            // Progress and positions are not worth failing an import for; the disk says so at the next real write.
            return true
        }
    }
}
