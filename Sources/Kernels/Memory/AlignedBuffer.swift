internal import Glibc

/// Elements in memory that kernels like: aligned to 64 bytes, in large pages from 512 KiB on.
public final class AlignedBuffer<Element: BitwiseCopyable>: @unchecked Sendable {
    // Its users agree on who writes when, as they do for any memory that threads share.
    public let count: Int
    public let pointer: UnsafeMutablePointer<Element>

    private static var largePage: Int { 2 << 20 }

    /// Memory for `count` elements, all bytes zero.
    ///
    /// - Throws: `KernelError.memory` where the system has none left.
    public init(count: Int) throws(KernelError) {
        let (bytes, overflow) = count.multipliedReportingOverflow(by: MemoryLayout<Element>.stride)
        guard count >= 0, !overflow, bytes < 1 << 46 else { throw .memory(bytes: overflow ? nil : bytes) }
        // A quarter of a large page is worth the whole: with small ones a product of bytes loses a twentieth to look-ups.
        let alignment = bytes >= Self.largePage / 4 ? Self.largePage : 64
        let rounded = (max(bytes, 1) + alignment - 1) / alignment * alignment
        var memory: UnsafeMutableRawPointer?
        guard bytes <= MemoryLimit.available, posix_memalign(&memory, alignment, rounded) == 0, let memory else {
            throw .memory(bytes: bytes)
        }
        if alignment == Self.largePage { madvise(memory, rounded, MADV_HUGEPAGE) }
        memset(memory, 0, rounded)
        self.count = count
        pointer = memory.bindMemory(to: Element.self, capacity: max(count, 1))
    }

    deinit { free(pointer) }

    public subscript(index: Int) -> Element {
        get {
            precondition(index >= 0 && index < count)
            return pointer[index]
        }
        set {
            precondition(index >= 0 && index < count)
            pointer[index] = newValue
        }
    }

    public var elements: UnsafeMutableBufferPointer<Element> {
        UnsafeMutableBufferPointer(start: pointer, count: count)
    }

    /// Bytes of all elements.
    public var byteCount: Int { count * MemoryLayout<Element>.stride }
}

/// How much memory a request may have: the system promises more than it holds and kills who believes it.
public enum MemoryLimit {
    /// Bytes that are free or can be freed, by /proc/meminfo; `Int.max` where that is not said.
    public static var available: Int {
        guard let file = fopen("/proc/meminfo", "re") else { return .max }
        defer { fclose(file) }
        var line = [CChar](repeating: 0, count: 256)
        while fgets(&line, Int32(line.count), file) != nil {
            let text = String(decoding: line.prefix { $0 != 0 }.map(UInt8.init(bitPattern:)), as: UTF8.self)
            if text.hasPrefix("MemAvailable:"), let kib = Int(text.split(separator: " ")[1]) { return kib * 1024 }
        }
        return .max
    }
}
