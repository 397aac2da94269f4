internal import Glibc
internal import Synchronization

/// Work in numbered pieces, spread over the processor's cores. Each piece depends on its number alone, so the result is
/// the same whatever the number of threads.
package enum Pieces {
    /// The results of all pieces, in their order. `body` runs on several threads at once, the calling one among them.
    ///
    /// - Parameters:
    ///   - threads: at most so many; nil takes a thread for each core that this process may use.
    ///   - isCancelled: asked before each piece.
    ///   - progress: called now and then on the calling thread with the share that is done, in [0, 1].
    /// - Returns: nil where it was cancelled.
    package static func map<Result: Sendable>(
        _ count: Int, threads: Int? = nil, isCancelled: @Sendable () -> Bool = { false },
        progress: (Double) -> Void = { _ in }, _ body: @Sendable (Int) -> Result
    ) -> [Result]? {
        let wanted = min(max(threads ?? cores, 1), 64, max(count, 1))
        return withoutActuallyEscaping(isCancelled) { isCancelled in
            withoutActuallyEscaping(body) { body in
                let pieces = Shared(count, isCancelled, body)
                let helpers = (1..<wanted).compactMap { _ in start(pieces) }
                while pieces.takeOne() { progress(pieces.share) }
                for helper in helpers { pthread_join(helper, nil) }
                return pieces.results
            }
        }
    }

    private static var cores: Int { max(1, sysconf(Int32(_SC_NPROCESSORS_ONLN))) }

    private static func start<Result>(_ pieces: Shared<Result>) -> pthread_t? {
        var thread = pthread_t()
        let work = Work { while pieces.takeOne() {} }
        let argument = Unmanaged.passRetained(work).toOpaque()
        let failed = pthread_create(
            &thread, nil,
            { @Sendable argument in
                guard let argument else { return nil }
                Unmanaged<Work>.fromOpaque(argument).takeRetainedValue().run()
                return nil
            }, argument)
        guard failed == 0 else {
            // Fewer threads take longer and give the same.
            Unmanaged<Work>.fromOpaque(argument).release()
            return nil
        }
        return thread
    }

    private final class Work: Sendable {
        let run: @Sendable () -> Void
        init(_ run: @escaping @Sendable () -> Void) { self.run = run }
    }

    /// What the threads share: the next piece, and what came of each.
    private final class Shared<Result: Sendable>: Sendable {
        private let count: Int
        private let next = Atomic(0)
        private let done = Mutex<[(piece: Int, result: Result)]>([])
        private let isCut = Atomic(false)
        private let isCancelled: @Sendable () -> Bool
        private let body: @Sendable (Int) -> Result

        init(_ count: Int, _ isCancelled: @escaping @Sendable () -> Bool, _ body: @escaping @Sendable (Int) -> Result) {
            self.count = count
            self.isCancelled = isCancelled
            self.body = body
        }

        /// Works on the next piece; false where there is none left.
        func takeOne() -> Bool {
            guard !isCut.load(ordering: .relaxed) else { return false }
            let piece = next.add(1, ordering: .relaxed).oldValue
            guard piece < count else { return false }
            guard !isCancelled() else {
                isCut.store(true, ordering: .relaxed)
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
