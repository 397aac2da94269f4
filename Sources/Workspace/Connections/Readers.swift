import Dispatch
import GRDB
import Glibc
import Synchronization

/// Up to eight reading connections, opened when first needed and lent to one caller each; three are kept.
///
/// A reader sees the file as it was when it began, however much is written meanwhile.
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

    /// Lends a connection for the time of `body`; waits while all are lent.
    func lend<T>(_ body: (DatabaseQueue) throws -> T) throws -> T {
        places.wait()
        defer { places.signal() }
        let connection = try pool.withLock { pool in pool.idle.popLast() } ?? connect()
        pool.withLock { $0.lent.append(connection) }
        defer { giveBack(connection) }
        return try body(connection)
    }

    func giveBack(_ connection: DatabaseQueue) {
        let kept = pool.withLock { pool in
            pool.lent.removeAll { $0 === connection }
            guard !pool.closed, pool.idle.count < 3 else { return false }
            pool.idle.append(connection)
            return true
        }
        if !kept { try? connection.close() }
    }

    /// Closes all connections. Statements that run are interrupted, and get a second to end.
    func close() {
        let idle = pool.withLock { pool in
            defer { pool.idle = [] }
            pool.closed = true
            return pool.idle
        }
        for connection in idle { try? connection.close() }  // Failure is harmless: nothing was written.
        let deadline = DispatchTime.now() + 1
        while DispatchTime.now() < deadline {
            let lent = pool.withLock(\.lent)
            if lent.isEmpty { return }
            for connection in lent { connection.interrupt() }
            usleep(2000)
        }
    }
}
