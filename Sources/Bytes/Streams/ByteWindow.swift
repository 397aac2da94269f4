internal import Glibc

/// The bytes of a stream that have been read but not yet consumed.
///
/// The window grows while a record does not fit and shrinks after it, so memory follows the longest record.
package final class ByteWindow {
    /// Offset in the stream of the first byte in the window.
    package private(set) var offset: Int
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private let chunk: Int
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var first = 0
    private var last = 0
    private var atEnd = false

    /// - Parameters:
    ///   - offset: Offset of the first byte, for a stream that continues where another one stopped.
    ///   - chunk: Number of bytes to read at a time. The default keeps reads few and fits the L2 cache.
    ///   - read: Fills a buffer and returns the number of bytes, or 0 at the end. It must not call the window.
    package init(
        startingAt offset: Int = 0, chunk: Int = 256 << 10,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.offset = offset
        self.chunk = chunk
        self.read = read
        capacity = chunk
        storage = .allocate(capacity: chunk)
    }

    deinit { storage.deallocate() }

    /// Bytes in the window; valid until the next `fill`.
    package var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage + first, count: last - first) }

    /// Reads more bytes; returns `false` at the end of the stream.
    package func fill() throws -> Bool { try fill(room: 0) }

    /// Reads until the window has at least `count` bytes; returns `false` if the stream ends before.
    package func fill(atLeast count: Int) throws -> Bool {
        while last - first < count { if try !fill(room: count) { return false } }
        return true
    }

    private func fill(room: Int) throws -> Bool {
        if atEnd { return false }
        let buffered = last - first
        let needed = max(chunk, room, buffered + buffered / 2 + chunk / 2)
        if needed > capacity || (capacity > 16 * chunk && needed < 2 * chunk) {
            let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: needed)
            moved.update(from: storage + first, count: buffered)
            storage.deallocate()
            storage = moved
            capacity = needed
        } else if first > 0 {
            memmove(storage, storage + first, buffered)
        }
        first = 0
        last = buffered
        let count = try read(UnsafeMutableRawBufferPointer(start: storage + buffered, count: capacity - buffered))
        last += max(0, min(count, capacity - buffered))
        atEnd = count <= 0
        return !atEnd
    }

    /// Consumes bytes of the window.
    package func skip(_ count: Int) {
        first += count
        offset += count
    }

    /// Consumes bytes up to and including the next line feed, or the rest of the stream.
    ///
    /// - Returns: Whether there was a line feed.
    package func skipLine() throws -> Bool {
        while true {
            if let feed = memchr(storage + first, 0x0A, last - first) {
                skip(UnsafeRawPointer(feed) - UnsafeRawPointer(storage + first) + 1)
                return true
            }
            skip(last - first)
            if try !fill() { return false }
        }
    }

    /// Consumes a byte-order mark at the beginning of the stream.
    package func skipByteOrderMark() throws {
        guard offset == 0, try fill(atLeast: 3) else { return }
        if bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { skip(3) }
    }
}
