internal import Synchronization

/// Something that is loaded when it is needed first, once, whoever asks.
///
/// Others that ask meanwhile wait. What could not be loaded is tried again by the next.
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
