import Interpretability
import System
import Workspace

/// Runs work that ^C cancels, for commands without their own progress display.
package struct Cancelling {
    private let cancellation = Cancellation()

    package init() {}

    package var isCancelled: Bool { cancellation.isCancelled }

    package func run<T>(_ body: () throws -> T) throws -> T {
        try Interruption.cancelling(cancellation) {
            do { return try body() } catch let error as Problem where error.kind == .cancelled {
                throw CancellationError()
            }
        }
    }
}
