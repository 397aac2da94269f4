import Glibc
import Workspace

/// ^C as a wish to end well: what was begun is taken down before the program ends.
enum Interruption {
    nonisolated(unsafe) private static var current: Cancellation?
    /// Nanoseconds within which another signal is part of the same wish.
    private static let same: Int64 = 500_000_000

    /// Runs `body`; SIGINT, SIGTERM, and the end of the terminal cancel it.
    static func cancelling<T>(_ cancellation: Cancellation, _ body: () throws -> T) throws -> T {
        // A thread of its own hears the signal: what a handler may call is too little for a cancellation.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        current = cancellation
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { @Sendable _ in
                var signals = sigset_t()
                sigemptyset(&signals)
                for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
                var caught: Int32 = 0
                var first = Clock.now
                while sigwait(&signals, &caught) == 0 {
                    if let current = Interruption.current, !current.isCancelled {
                        first = Clock.now
                        current.cancel()
                        continue
                    }
                    // A terminal may send one wish twice; the second wish means now.
                    guard Clock.now - first >= Interruption.same else { continue }
                    _exit(130)
                }
                return nil
            }, nil)
        do { return try body() } catch is CancellationError {
            throw Failure("cancelled; what was kept before is untouched.")
        }
    }
}
