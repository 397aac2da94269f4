internal import Glibc
internal import Kernels

/// Elements that may become more and never move: addresses for all that there could be, memory for those written.
package final class MappedMemory<Element: BitwiseCopyable>: @unchecked Sendable {  // its owner says who writes when
    package let start: UnsafeMutablePointer<Element>
    /// Elements there are addresses for.
    package let capacity: Int
    private let bytes: Int

    /// - Parameter inLargePages: Whether to use large pages, for random reads; they waste up to a mebibyte.
    /// - Throws: `SegmentError` if there is not enough address space.
    package init(capacity: Int, of what: String, inLargePages: Bool = true) throws(SegmentError) {
        let limit = (1 << 40) / MemoryLayout<Element>.stride
        self.capacity = min(max(capacity, 1), limit)
        bytes = self.capacity * MemoryLayout<Element>.stride
        let flags = MAP_PRIVATE | MAP_ANONYMOUS | MAP_NORESERVE
        guard let memory = mmap(nil, bytes, PROT_READ | PROT_WRITE, flags, -1, 0), memory != MAP_FAILED else {
            throw .memory(what, bytes: bytes)
        }
        // With small pages a random row costs a second miss, that of its address.
        if inLargePages { madvise(memory, bytes, MADV_HUGEPAGE) }
        start = memory.bindMemory(to: Element.self, capacity: self.capacity)
    }

    deinit { munmap(start, bytes) }

    /// Releases the unused memory of the last large page beyond `used` elements.
    package func trim(used: Int) {
        let small = 4096
        let first = (used * MemoryLayout<Element>.stride + small - 1) / small * small
        guard first < bytes else { return }
        madvise(UnsafeMutableRawPointer(start) + first, min(bytes - first, 4 << 20), MADV_DONTNEED)
    }

    /// Gives back everything: all elements are zero then.
    package func clear(used: Int) {
        madvise(start, min(bytes, used * MemoryLayout<Element>.stride + (4 << 20)), MADV_DONTNEED)
    }
}

/// Says before a large piece of work whether memory will do: pages that are not there kill the process instead.
package func requireMemory(_ bytes: Int, for what: String) throws(SegmentError) {
    guard bytes > 32 << 20 else { return }
    guard bytes <= MemoryLimit.available else { throw .memory(what, bytes: bytes) }
}
