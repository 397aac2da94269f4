internal import Synchronization

/// The order in which nodes came to be, over all threads.
enum Ordinals {
    private static let counter = Atomic<UInt64>(0)

    /// A number greater than any before.
    static func next() -> UInt64 { counter.add(1, ordering: .relaxed).newValue }

    /// The greatest number that was given out.
    static var last: UInt64 { counter.load(ordering: .relaxed) }
}
