internal import Synchronization
internal import System

/// Work that one caller at a time does; the others wait.
final class SerialWork: Sendable {
    private let lock = Mutex<Void>(())

    func run<R>(_ body: () throws(Problem) -> R) throws(Problem) -> R {
        let outcome = lock.withLock { _ in
            do throws(Problem) {
                return Outcome(result: .success(try body()))
            } catch {
                return Outcome(result: .failure(error))
            }
        }
        return try outcome.result.get()
    }

    /// What a body gave, on its way out of the lock.
    private struct Outcome<R>: @unchecked Sendable {  // only the caller of the body receives it
        let result: Result<R, Problem>
    }
}
