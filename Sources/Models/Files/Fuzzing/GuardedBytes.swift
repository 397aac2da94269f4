internal import Glibc

/// Bytes that end where memory ends: who reads one too many does not go unnoticed.
final class GuardedBytes {
    let bytes: UnsafeRawBufferPointer
    private let start: UnsafeMutableRawPointer
    private let size: Int

    /// Creates a guarded copy; `nil` if memory is exhausted.
    init?(_ source: [UInt8]) {
        let page = Int(getpagesize())
        size = (source.count + page - 1) / page * page + page
        guard let start = mmap(nil, size, PROT_READ | PROT_WRITE, MAP_PRIVATE | MAP_ANONYMOUS, -1, 0),
            start != MAP_FAILED
        else { return nil }
        self.start = start
        let first = start + (size - page - source.count)
        source.withUnsafeBytes { if $0.count > 0 { first.copyMemory(from: $0.baseAddress!, byteCount: $0.count) } }
        mprotect(start + (size - page), page, PROT_NONE)
        bytes = UnsafeRawBufferPointer(start: first, count: source.count)
    }

    deinit { munmap(start, size) }
}
