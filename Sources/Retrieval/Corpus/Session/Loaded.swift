internal import Synchronization

/// A value that is loaded once, on first use.
///
/// Concurrent callers wait. If loading fails, the next caller tries again.
final class Loaded<Value: Sendable>: Sendable {
    private let value = Mutex<Value?>(nil)
    private let load: @Sendable () throws -> Value

    init(_ load: @escaping @Sendable () throws -> Value) { self.load = load }

    func callAsFunction() throws -> Value {
        try value.withLock { value in
            if let value { return value }
            let made = try load()
            value = made
            return made
        }
    }
}
