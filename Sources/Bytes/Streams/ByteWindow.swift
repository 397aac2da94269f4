internal import Glibc

/// The bytes of a stream that have been read but not yet consumed.
///
/// The window grows while a record does not fit and shrinks after it, so memory follows the longest record.
package final class ByteWindow {
    /// Position of the window in its memory.
    @usableFromInline
    struct State {
        @usableFromInline var storage: UnsafeMutablePointer<UInt8>
        @usableFromInline var first = 0
        @usableFromInline var last = 0
        @usableFromInline var offset: Int
        var capacity: Int
        var atEnd = false
    }

    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private let chunk: Int
    /// The state is outside the object because readers access it several times per record, and Swift checks every
    /// access to an object's properties for exclusivity.
    @usableFromInline let state: UnsafeMutablePointer<State>

    /// - Parameters:
    ///   - offset: Offset of the first byte, for a stream that continues where another one stopped.
    ///   - chunk: Number of bytes to read at a time. The default keeps reads few and fits the L2 cache.
    ///   - read: Fills a buffer and returns the number of bytes, or 0 at the end. It must not call the window.
    package init(
        startingAt offset: Int = 0, chunk: Int = 256 << 10,
        read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int
    ) {
        self.chunk = chunk
        self.read = read
        state = .allocate(capacity: 1)
        state.initialize(to: State(storage: .allocate(capacity: chunk), offset: offset, capacity: chunk))
    }

    deinit {
        state.pointee.storage.deallocate()
        state.deallocate()
    }

    /// Returns a source of bytes in memory, which must outlive the source.
    package static func source(_ bytes: UnsafeRawBufferPointer) -> (UnsafeMutableRawBufferPointer) -> Int {
        var rest = bytes[...]
        return { buffer in
            let piece = rest.prefix(buffer.count)
            buffer.copyBytes(from: piece)
            rest = rest.dropFirst(piece.count)
            return piece.count
        }
    }

    /// Offset in the stream of the first byte in the window.
    @inlinable package var offset: Int { state.pointee.offset }

    /// Bytes in the window; valid until the next `fill`.
    @inlinable package var bytes: UnsafeBufferPointer<UInt8> {
        UnsafeBufferPointer(
            start: state.pointee.storage + state.pointee.first, count: state.pointee.last - state.pointee.first)
    }

    /// Consumes bytes of the window.
    @inlinable
    package func skip(_ count: Int) {
        state.pointee.first += count
        state.pointee.offset += count
    }

    /// Reads more bytes; returns `false` at the end of the stream.
    package func fill() throws -> Bool { try fill(room: 0) }

    /// Reads until the window has at least `count` bytes; returns `false` if the stream ends before.
    package func fill(atLeast count: Int) throws -> Bool {
        while bytes.count < count { if try !fill(room: count) { return false } }
        return true
    }

    private func fill(room: Int) throws -> Bool {
        if state.pointee.atEnd { return false }
        let held = bytes
        let needed = max(chunk, room, held.count + held.count / 2 + chunk / 2)
        if needed > state.pointee.capacity || (state.pointee.capacity > 16 * chunk && needed < 2 * chunk) {
            let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: needed)
            moved.update(from: held.baseAddress!, count: held.count)
            state.pointee.storage.deallocate()
            (state.pointee.storage, state.pointee.capacity) = (moved, needed)
        } else if state.pointee.first > 0 {
            memmove(state.pointee.storage, held.baseAddress!, held.count)
        }
        (state.pointee.first, state.pointee.last) = (0, held.count)
        let free = state.pointee.capacity - held.count
        let count = try read(UnsafeMutableRawBufferPointer(start: state.pointee.storage + held.count, count: free))
        state.pointee.last += max(0, min(count, free))
        state.pointee.atEnd = count <= 0
        return count > 0
    }

    /// Consumes bytes up to and including the next line feed, or the rest of the stream.
    ///
    /// - Returns: Whether there was a line feed.
    package func skipLine() throws -> Bool {
        while true {
            let held = bytes
            if let feed = memchr(held.baseAddress!, 0x0A, held.count) {
                skip(UnsafeRawPointer(feed) - UnsafeRawPointer(held.baseAddress!) + 1)
                return true
            }
            skip(held.count)
            if try !fill() { return false }
        }
    }

    /// Consumes a byte-order mark at the beginning of the stream.
    package func skipByteOrderMark() throws {
        guard offset == 0, try fill(atLeast: 3) else { return }
        if bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { skip(3) }
    }
}
