import GRDB
import Synchronization

/// A switch that any thread may throw once, to end work that another thread does.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let handlers = Mutex<[Int: @Sendable () -> Void]>([:])
    private let next = Atomic<Int>(0)

    public init() {}

    /// True from the moment of ``cancel()``; a plain load, cheap enough for every row.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Asks the work to end and interrupts the statements that run under it.
    public func cancel() {
        guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // Under the lock, so that no connection is interrupted after it was given to somebody else.
        handlers.withLock { handlers in
            for handler in handlers.values { handler() }
        }
    }

    /// Throws `CancellationError` once ``cancel()`` was called.
    public func check() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Runs `body` while ``cancel()`` interrupts `connection`.
    func interrupting<T>(_ connection: DatabaseQueue, _ body: () throws -> T) throws -> T {
        let key = next.add(1, ordering: .relaxed).newValue
        handlers.withLock { $0[key] = { connection.interrupt() } }
        defer { handlers.withLock { _ = $0.removeValue(forKey: key) } }
        try check()
        return try body()
    }
}
