import Glibc
import Synchronization
import System
package import Workspace

/// Turns ^C into a request to cancel: work in progress is cleaned up before the program exits.
package enum Interruption {
    /// The work to cancel: read by the thread that receives signals.
    private static let current = Mutex<Cancellation?>(nil)
    /// Nanoseconds within which another signal belongs to the same request.
    private static let same: Int64 = 500_000_000

    /// Runs `body`; SIGINT, SIGTERM, and the end of the terminal cancel it.
    package static func cancelling<T>(_ cancellation: Cancellation, _ body: () throws -> T) throws -> T {
        // A separate thread receives the signal, because a signal handler may not cancel safely.
        var signals = sigset_t()
        sigemptyset(&signals)
        for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        current.withLock { $0 = cancellation }
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { @Sendable _ in
                var signals = sigset_t()
                sigemptyset(&signals)
                for signal in [SIGINT, SIGTERM, SIGHUP] { sigaddset(&signals, signal) }
                var caught: Int32 = 0
                var first = Clock.nanoseconds(.wall)
                while sigwait(&signals, &caught) == 0 {
                    if let current = Interruption.current.withLock({ $0 }), !current.isCancelled {
                        first = Clock.nanoseconds(.wall)
                        current.cancel()
                        continue
                    }
                    // A terminal may send the same request twice; a later signal exits immediately.
                    guard Clock.nanoseconds(.wall) - first >= Interruption.same else { continue }
                    _exit(130)
                }
                return nil
            }, nil)
        do { return try body() } catch is CancellationError {
            throw Problem(.cancelled, "", "canceled", remedy: "Earlier results are unchanged.")
        }
    }
}
