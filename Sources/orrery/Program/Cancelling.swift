import Interpretability
import System
import Workspace

/// Runs work that ^C cancels, for commands without their own progress display.
struct Cancelling {
    private let cancellation = Cancellation()

    var isCancelled: Bool { cancellation.isCancelled }

    func run<T>(_ body: () throws -> T) throws -> T {
        try Interruption.cancelling(cancellation) {
            do { return try body() } catch let error as Problem where error.kind == .cancelled {
                throw CancellationError()
            }
        }
    }
}
