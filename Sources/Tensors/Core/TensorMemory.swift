internal import Glibc
internal import Kernels

/// Memory that is aligned for vectors, in large pages from 2 MiB on, and not cleared.
enum TensorMemory {
    private static var largePage: Int { 2 << 20 }
    /// Requests below are not worth asking the system how much memory is free: that costs 20 µs.
    private static var unquestioned: Int { 16 << 20 }

    /// Memory for `count` elements, to be given back with `release`.
    ///
    /// - Throws: `TensorError` where the system has none left.
    static func allocate<Element: BitwiseCopyable>(
        _ count: Int, for operation: String
    ) throws(TensorError) -> UnsafeMutablePointer<Element> {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard count >= 0, !overflow, bytes < 1 << 46 else { throw .memory(operation, bytes: nil) }
        let (alignment, rounded) = block(bytes)
        if let kept = MemoryReuse.take(rounded) { return kept.bindMemory(to: Element.self, capacity: max(count, 1)) }
        var memory: UnsafeMutableRawPointer?
        guard bytes < unquestioned || bytes <= MemoryLimit.available,
            posix_memalign(&memory, alignment, rounded) == 0, let memory
        else { throw .memory(operation, bytes: bytes) }
        if alignment == largePage { madvise(memory, rounded, MADV_HUGEPAGE) }
        return memory.bindMemory(to: Element.self, capacity: max(count, 1))
    }

    /// Gives back what `allocate` gave for as many elements.
    static func release<Element: BitwiseCopyable>(_ memory: UnsafeMutablePointer<Element>, _ count: Int) {
        MemoryReuse.give(memory, bytes: block(count * MemoryLayout<Element>.stride).bytes)
    }

    /// Large blocks are whole large pages, aligned as these.
    private static func block(_ bytes: Int) -> (alignment: Int, bytes: Int) {
        let alignment = bytes >= largePage ? largePage : 64
        return (alignment, (max(bytes, 1) + alignment - 1) / alignment * alignment)
    }
}

/// Memory for the time of one operation, whose threads agree on who writes where.
final class Scratch<Element: BitwiseCopyable>: @unchecked Sendable {  // by that agreement
    let pointer: UnsafeMutablePointer<Element>
    private let count: Int

    init(_ count: Int, for operation: String) throws(TensorError) {
        pointer = try TensorMemory.allocate(count, for: operation)
        self.count = count
    }

    deinit { TensorMemory.release(pointer, count) }
}
