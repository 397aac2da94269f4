import Dispatch
import GRDB
import Glibc
import Synchronization

/// A pool of up to eight reading connections, opened on demand; up to three idle connections stay open.
///
/// A reader sees a snapshot of the file from the start of its transaction.
final class Readers: Sendable {
    private struct Pool {
        var idle: [DatabaseQueue] = []
        var lent: [DatabaseQueue] = []
        var closed = false
    }

    private let pool = Mutex(Pool())
    private let places = DispatchSemaphore(value: 8)
    private let connect: @Sendable () throws -> DatabaseQueue

    init(connect: @escaping @Sendable () throws -> DatabaseQueue) {
        self.connect = connect
    }

    /// Runs `body` with a connection from the pool, after waiting for a free one.
    func lend<T>(_ body: (DatabaseQueue) throws -> T) throws -> T {
        places.wait()
        defer { places.signal() }
        let connection = try pool.withLock { pool in pool.idle.popLast() } ?? connect()
        pool.withLock { $0.lent.append(connection) }
        defer { giveBack(connection) }
        return try body(connection)
    }

    func giveBack(_ connection: DatabaseQueue) {
        let isReused = pool.withLock { pool in
            pool.lent.removeAll { $0 === connection }
            guard !pool.closed, pool.idle.count < 3 else { return false }
            pool.idle.append(connection)
            return true
        }
        if !isReused { try? connection.close() }
    }

    /// Closes all connections, after interrupting running statements and waiting up to one second for them.
    func close() {
        let idle = pool.withLock { pool in
            defer { pool.idle = [] }
            pool.closed = true
            return pool.idle
        }
        for connection in idle { try? connection.close() }  // A failed close is harmless: nothing was written.
        let deadline = DispatchTime.now() + 1
        while DispatchTime.now() < deadline {
            let lent = pool.withLock(\.lent)
            if lent.isEmpty { return }
            for connection in lent { connection.interrupt() }
            usleep(2000)
        }
    }
}
