import Dispatch
import GRDB
import Synchronization

/// Up to eight reading connections, opened when first needed and lent to one caller each; three are kept.
///
/// A reader sees the file as it was when it began, however much is written meanwhile.
final class Readers: Sendable {
    private struct Pool {
        var idle: [DatabaseQueue] = []
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
        defer { giveBack(connection) }
        return try body(connection)
    }

    func giveBack(_ connection: DatabaseQueue) {
        let kept = pool.withLock { pool in
            guard !pool.closed, pool.idle.count < 3 else { return false }
            pool.idle.append(connection)
            return true
        }
        if !kept { try? connection.close() }
    }

    func close() {
        let idle = pool.withLock { pool in
            defer { pool = Pool(idle: [], closed: true) }
            return pool.idle
        }
        for connection in idle { try? connection.close() }
    }
}
