import GRDB
import Synchronization

/// A cancellation flag that any thread can set to stop another thread's work.
public final class Cancellation: Sendable {
    private let flag = Atomic<Bool>(false)
    private let handlers = Mutex<[Int: @Sendable () -> Void]>([:])
    private let next = Atomic<Int>(0)

    /// Creates a flag that is not set.
    public init() {}

    /// Whether ``cancel()`` has been called.
    ///
    /// This is a plain load, cheap enough to check for every row.
    public var isCancelled: Bool { flag.load(ordering: .relaxed) }

    /// Sets the flag and interrupts the running SQL statements.
    public func cancel() {
        guard !flag.exchange(true, ordering: .acquiringAndReleasing) else { return }
        // The lock ensures that no connection is interrupted after another caller has borrowed it.
        handlers.withLock { handlers in
            for handler in handlers.values { handler() }
        }
    }

    /// Throws `CancellationError` if ``cancel()`` was called.
    public func check() throws {
        if isCancelled { throw CancellationError() }
    }

    /// Runs `body`; until it returns, ``cancel()`` interrupts `connection`.
    func interrupting<T>(_ connection: DatabaseQueue, _ body: () throws -> T) throws -> T {
        let key = next.add(1, ordering: .relaxed).newValue
        handlers.withLock { $0[key] = { connection.interrupt() } }
        defer { handlers.withLock { _ = $0.removeValue(forKey: key) } }
        try check()
        return try body()
    }
}
