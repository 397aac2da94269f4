internal import Glibc
internal import Synchronization

/// Keeps the memory of tensors that are gone for the next ones of the same size.
///
/// A training step makes and drops the same tensors as the step before. Memory that goes back to the system in between
/// is cleared page by page when it comes again: several percent of a step.
///
/// ```swift
/// try MemoryReuse.during(limit: 2 << 30) { for step in 0..<1_000 { try train(step) } }
/// ```
public enum MemoryReuse {
    /// Smaller blocks are as quickly had from the C library.
    static let smallest = 1 << 16

    // Pointers of blocks that are unused: the thread that removes one owns it.
    fileprivate struct Box: @unchecked Sendable { var kept = KeptBlocks() }
    private static let state = Mutex(Box())
    /// Whether reuse is on; read at every allocation, so without the lock.
    private static let isOn = Atomic(false)

    /// Runs `body`, keeping at most `limit` bytes of dropped memory; all of it is given back at the end.
    ///
    /// What is handed on is not cleared. Calls may be within each other and run at the same time: they keep memory
    /// together, the largest limit holds for all, and the last one to end gives back.
    public static func during<R, E: Error>(limit: Int, _ body: () throws(E) -> R) throws(E) -> R {
        state.withLock { $0.kept.begin(limit: limit) }
        isOn.store(true, ordering: .relaxed)
        defer { end() }
        return try body()
    }

    private static func end() {
        let gone = state.withLock { box -> Box in
            let before = box
            guard box.kept.end() else { return Box() }
            isOn.store(false, ordering: .relaxed)
            return before
        }
        for block in gone.kept.all { free(block) }
    }

    /// A recycled block of exactly `count` bytes.
    static func take(_ bytes: Int) -> UnsafeMutableRawPointer? {
        guard bytes >= smallest, isOn.load(ordering: .relaxed) else { return nil }
        return state.withLock { box in box.kept.take(bytes).map { Box.Block(pointer: $0) } }?.pointer
    }

    /// Keeps a block, or frees it.
    static func give(_ block: UnsafeMutableRawPointer, bytes: Int) {
        guard bytes >= smallest, isOn.load(ordering: .relaxed) else { return free(block) }
        let given = Box.Block(pointer: block)
        let isKept = state.withLock { $0.kept.give(given.pointer, bytes) }
        if !isKept { free(block) }
    }
}

extension MemoryReuse.Box {
    /// A pointer on its way in or out of the lock.
    fileprivate struct Block: @unchecked Sendable { let pointer: UnsafeMutableRawPointer }
}
