internal import Glibc
internal import Synchronization

/// Parallel work divided into numbered pieces.
///
/// A piece depends only on its number, so results do not depend on the number of threads.
package enum Pieces {
    /// Returns the results of all pieces, in order. `body` runs on several threads at once, including the calling
    /// thread.
    ///
    /// - Parameters:
    ///   - threads: Maximum number of threads (default: one per core).
    ///   - isCancelled: Called before each piece.
    ///   - progress: Called periodically on the calling thread with the completed share, in [0, 1].
    /// - Returns: `nil` if canceled.
    package static func map<Result: Sendable>(
        _ count: Int, threads: Int? = nil, isCancelled: @Sendable () -> Bool = { false },
        progress: (Double) -> Void = { _ in }, _ body: @Sendable (Int) -> Result
    ) -> [Result]? {
        let wanted = min(max(threads ?? cores, 1), 64, max(count, 1))
        return withoutActuallyEscaping(isCancelled) { isCancelled in
            withoutActuallyEscaping(body) { body in
                let pieces = Shared(count, isCancelled, body)
                let helpers = (1..<wanted).compactMap { _ in start(pieces) }
                while pieces.runNext() { progress(pieces.share) }
                for helper in helpers { pthread_join(helper, nil) }
                return pieces.results
            }
        }
    }

    private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    private static func start<Result>(_ pieces: Shared<Result>) -> pthread_t? {
        var thread = pthread_t()
        let work = Work { while pieces.runNext() {} }
        let argument = Unmanaged.passRetained(work).toOpaque()
        let failed = pthread_create(
            &thread, nil,
            { @Sendable argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument)
        guard failed == 0 else {
            // Fewer threads take longer but give the same results.
            Unmanaged<Work>.fromOpaque(argument).release()
            return nil
        }
        return thread
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// State that the threads share: the next piece and the results so far.
    private final class Shared<Result: Sendable>: Sendable {
        private let count: Int
        private let next = Atomic(0)
        private let done = Mutex<[(piece: Int, result: Result)]>([])
        private let isStopped = Atomic(false)
        private let isCancelled: @Sendable () -> Bool
        private let body: @Sendable (Int) -> Result

        init(_ count: Int, _ isCancelled: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable (Int) -> Result) {
            self.count = count
            self.isCancelled = isCancelled
            self.body = body
        }

        /// Runs the next piece and returns `true`, or `false` if none is left or the work was canceled.
        func runNext() -> Bool {
            guard !isStopped.load(ordering: .relaxed) else { return false }
            let piece = next.add(1, ordering: .relaxed).oldValue
            guard piece < count else { return false }
            guard !isCancelled() else {
                isStopped.store(true, ordering: .relaxed)
                return false
            }
            let result = body(piece)
            done.withLock { $0.append((piece, result)) }
            return true
        }

        var share: Double { Double(done.withLock(\.count)) / Double(max(count, 1)) }

        var results: [Result]? {
            let found = done.withLock(\.self)
            return found.count == count ? found.sorted { $0.piece < $1.piece }.map(\.result) : nil
        }
    }
}
