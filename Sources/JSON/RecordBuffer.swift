internal import CJSON
internal import Glibc

/// The bytes of a stream that a reader has read but not yet processed.
struct RecordBuffer {
    /// Offset of the first buffered byte in the stream.
    private(set) var offset: Int
    /// Line number of the first buffered byte.
    var line: Int
    /// Number of lines in the skipped start of the current record.
    var linesSkipped = 0
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var first = 0
    private var last = 0
    private var atEnd = false

    /// Number of bytes to read at a time: enough to keep reads few, but small enough for the L2 cache.
    private static let chunk = 256 << 10

    init(offset: Int, line: Int, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.offset = offset
        self.line = line
        self.read = read
        capacity = RecordBuffer.chunk
        storage = .allocate(capacity: capacity)
    }

    func deallocate() { storage.deallocate() }

    /// Buffered bytes; valid until the next `fill`.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage + first, count: last - first) }

    /// Reads more bytes; returns `false` at the end of the stream.
    mutating func fill() throws -> Bool {
        if atEnd { return false }
        let buffered = last - first
        let needed = max(RecordBuffer.chunk, buffered + buffered / 2 + RecordBuffer.chunk / 2)
        if needed > capacity || (capacity > 16 * RecordBuffer.chunk && buffered < RecordBuffer.chunk) {
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

    /// Discards bytes without line feeds, or whose line feeds are counted elsewhere.
    mutating func skip(_ count: Int) {
        first += count
        offset += count
    }

    /// Discards bytes of the current record and counts their line feeds.
    mutating func skipCountingLines(_ count: Int) {
        let lines = orrery_json_count_lines(storage + first, count)
        line += lines
        linesSkipped += lines
        skip(count)
    }

    /// Skips white space; returns `false` if no other byte follows.
    mutating func skipSpace() throws -> Bool {
        while true {
            while first < last {
                let byte = storage[first]
                guard isSpace(byte) else { return true }
                if byte == 0x0A { line += 1 }
                skip(1)
            }
            if try !fill() { return false }
        }
    }

    /// Skips a byte-order mark at the beginning of the stream.
    mutating func skipByteOrderMark() throws {
        guard offset == 0 else { return }
        while last - first < 3 {
            if try !fill() { return }
        }
        if storage[0] == 0xEF, storage[1] == 0xBB, storage[2] == 0xBF { skip(3) }
    }
}
