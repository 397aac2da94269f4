import Interpretability
import Workspace

/// Work that ^C ends well, for commands without progress of their own.
struct Cancelling {
    private let cancellation = Cancellation()

    var isCancelled: Bool { cancellation.isCancelled }

    func run<T>(_ body: () throws -> T) throws -> T {
        try Interruption.cancelling(cancellation) {
            do { return try body() } catch let error as InterpretabilityError where error.isCancellation {
                throw CancellationError()
            }
        }
    }
}
