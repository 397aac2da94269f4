internal import CJSON
internal import Glibc

/// The part of a stream that a reader holds: what has been read and not yet taken.
struct RecordBuffer {
    /// Offset in the stream of the first byte held.
    private(set) var offset: Int
    /// Number of its line.
    var line: Int
    /// Lines counted in the skipped beginning of the current record.
    var linesSkipped = 0
    private let read: (UnsafeMutableRawBufferPointer) throws -> Int
    private var storage: UnsafeMutablePointer<UInt8>
    private var capacity: Int
    private var first = 0
    private var last = 0
    private var atEnd = false

    /// Bytes read at a time: few calls, and still at home in the second-level cache.
    private static let chunk = 256 << 10

    init(offset: Int, line: Int, read: @escaping (UnsafeMutableRawBufferPointer) throws -> Int) {
        self.offset = offset
        self.line = line
        self.read = read
        capacity = RecordBuffer.chunk
        storage = .allocate(capacity: capacity)
    }

    func deallocate() { storage.deallocate() }

    /// What is held; valid until the next `fill`.
    var bytes: UnsafeBufferPointer<UInt8> { UnsafeBufferPointer(start: storage + first, count: last - first) }

    /// Reads more behind what is held; false at the end of the stream.
    mutating func fill() throws -> Bool {
        if atEnd { return false }
        let held = last - first
        let wanted = max(RecordBuffer.chunk, held + held / 2 + RecordBuffer.chunk / 2)
        if wanted > capacity || (capacity > 16 * RecordBuffer.chunk && held < RecordBuffer.chunk) {
            let moved = UnsafeMutablePointer<UInt8>.allocate(capacity: wanted)
            moved.update(from: storage + first, count: held)
            storage.deallocate()
            storage = moved
            capacity = wanted
        } else if first > 0 {
            memmove(storage, storage + first, held)
        }
        first = 0
        last = held
        let count = try read(UnsafeMutableRawBufferPointer(start: storage + held, count: capacity - held))
        last += max(0, min(count, capacity - held))
        atEnd = count <= 0
        return !atEnd
    }

    /// Lets go of bytes that hold no line feed, or whose line feeds are counted elsewhere.
    mutating func skip(_ count: Int) {
        first += count
        offset += count
    }

    /// Lets go of the current record's bytes.
    mutating func skipCountingLines(_ count: Int) {
        let lines = orrery_json_count_lines(storage + first, count)
        line += lines
        linesSkipped += lines
        skip(count)
    }

    /// Moves to the next byte that is no white space; false if there is none.
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

    /// Moves behind a byte-order mark at the beginning of the stream.
    mutating func skipByteOrderMark() throws {
        guard offset == 0 else { return }
        while last - first < 3 {
            if try !fill() { return }
        }
        if storage[0] == 0xEF, storage[1] == 0xBB, storage[2] == 0xBF { skip(3) }
    }
}
