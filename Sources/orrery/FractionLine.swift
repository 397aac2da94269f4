import Console
import Glibc
import Workspace

/// A line on standard error that follows long work: what, how far, how much longer. Silent without a terminal.
final class FractionLine {
    private let title: String
    private let start = ContinuousClock.now
    private var isDrawn = false
    private let isTerminal = Output.errorIsTerminal

    init(_ title: String) { self.title = title }

    func show(_ fraction: Double, _ activity: String) {
        guard isTerminal else { return }
        var text = "\r\u{1B}[2K\(title) \(Format.percent(min(1, max(0, fraction))))  \(activity)"
        let passed = start.duration(to: .now) / .seconds(1)
        if fraction > 0.02, fraction < 1 {
            text += "  \(Format.duration(nanoseconds: Int(passed / fraction * (1 - fraction) * 1e9))) left"
        }
        draw(text)
        isDrawn = true
    }

    func end() {
        if isDrawn { draw("\r\u{1B}[2K") }
        isDrawn = false
    }

    private func draw(_ text: String) {
        var text = text
        text.withUTF8 { _ = write(STDERR_FILENO, $0.baseAddress, $0.count) }
    }
}

/// ^C as a wish to end well: what was begun is taken down before the program ends.
enum Interruption {
    nonisolated(unsafe) private static var current: Cancellation?

    /// Runs `body`; SIGINT and SIGTERM cancel it.
    static func cancelling<T>(_ cancellation: Cancellation, _ body: () throws -> T) throws -> T {
        // A thread of its own hears the signal: what a handler may call is too little for a cancellation.
        var signals = sigset_t()
        sigemptyset(&signals)
        sigaddset(&signals, SIGINT)
        sigaddset(&signals, SIGTERM)
        pthread_sigmask(SIG_BLOCK, &signals, nil)
        current = cancellation
        var thread = pthread_t()
        pthread_create(
            &thread, nil,
            { @Sendable _ in
                var signals = sigset_t()
                sigemptyset(&signals)
                sigaddset(&signals, SIGINT)
                sigaddset(&signals, SIGTERM)
                var caught: Int32 = 0
                while sigwait(&signals, &caught) == 0 {
                    // The second time means now.
                    if Interruption.current?.isCancelled ?? true { _exit(130) }
                    Interruption.current?.cancel()
                }
                return nil
            }, nil)
        do { return try body() } catch is CancellationError {
            throw Failure("cancelled; what was kept before is untouched.")
        }
    }
}
