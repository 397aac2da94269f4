internal import CKernels
internal import Synchronization

/// Threads that share the chunks of a kernel.
///
/// Waiting threads spin for 30 µs, then sleep. Chunks are taken one by one, so that a thread that the system runs
/// elsewhere does not block a call. How work is cut into chunks depends on shapes alone, never on the number of threads: the
/// same input gives the same bits on any machine load.
///
/// ```swift
/// ThreadPool.shared.run(chunks: rows.count) { row, _ in softmax(rows[row]) }
/// ```
public final class ThreadPool: @unchecked Sendable {  // a pointer to C memory that is made for many callers
    /// The threads that work at once, the caller included.
    public let threads: Int
    private let pool: OpaquePointer?

    /// The default pool of kernels: one thread per usable processor, the number from `limitShared`, or the pool set by
    /// `sharing`.
    public static var shared: ThreadPool { chosen ?? whole }

    private static let whole = ThreadPool(
        threads: wanted.load(ordering: .relaxed) > 0 ? wanted.load(ordering: .relaxed) : usableProcessors)
    @TaskLocal private static var chosen: ThreadPool?

    /// Runs `body` with a shared pool of this many threads, for this thread only. A training run that asks for one
    /// thread gets one, while a model in the same process generates with all of them.
    ///
    /// - Parameter threads: threads of the pool; 0 keeps the current pool.
    public static func sharing<Result>(threads: Int, _ body: () throws -> Result) rethrows -> Result {
        guard threads > 0, threads != shared.threads else { return try body() }
        return try $chosen.withValue(ThreadPool(threads: min(threads, usableProcessors)), operation: body)
    }

    /// 0: not set.
    private static let wanted = Atomic<Int>(0)

    /// Says how many threads the shared pool is to have. Only what is said before its first use counts.
    public static func limitShared(to threads: Int) {
        wanted.store(max(1, min(threads, usableProcessors)), ordering: .relaxed)
    }

    /// The caller alone.
    public static let single = ThreadPool(threads: 1)

    /// A pool of its own; its threads start with the first work that needs them.
    public init(threads: Int) {
        self.threads = max(1, min(threads, 512))
        pool = self.threads > 1 ? orrery_thread_pool_create(Int32(self.threads)) : nil
    }

    deinit { orrery_thread_pool_destroy(pool) }

    /// Calls `body(chunk, worker)` once for each chunk and returns when all are done.
    ///
    /// A pool that is busy already (a body that calls it again, a second caller) lets the caller do all chunks.
    ///
    /// - Parameter body: gets the chunk and the number of the thread in this pool, below `threads`.
    public func run(chunks: Int, _ body: (_ chunk: Int, _ worker: Int) -> Void) {
        guard let pool else {
            for chunk in 0..<max(0, chunks) { body(chunk, 0) }
            return
        }
        withoutActuallyEscaping(body) { body in
            var call = Call(body: body)
            withUnsafeMutablePointer(to: &call) { call in
                orrery_thread_pool_run(
                    pool, chunks,
                    { @Sendable context, chunk, worker in
                        context?.assumingMemoryBound(to: Call.self).pointee.body(chunk, Int(worker))
                    }, call)
            }
        }
    }

    private struct Call {
        let body: (Int, Int) -> Void
    }

    /// The processors that the scheduler may give to this process.
    public static var usableProcessors: Int {
        max(1, Int(orrery_processor_count()))
    }
}
