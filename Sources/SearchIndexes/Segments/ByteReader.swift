/// Reads what ``ByteWriter`` wrote, never past the end: bytes may be anything.
public struct ByteReader {
    public let bytes: UnsafeRawBufferPointer
    /// Name of the input, for errors.
    public let place: String
    public private(set) var offset = 0

    public init(_ bytes: UnsafeRawBufferPointer, _ place: String) {
        self.bytes = bytes
        self.place = place
    }

    public init(_ bytes: UnsafeRawBufferPointer, _ key: SegmentKey) { self.init(bytes, "segment \(key)") }

    public var remaining: Int { bytes.count - offset }

    public mutating func read<Integer: FixedWidthInteger>(_: Integer.Type = Integer.self) throws(SegmentError)
        -> Integer
    {
        let size = MemoryLayout<Integer>.size
        guard remaining >= size else { throw short(size) }
        let value = bytes.loadUnaligned(fromByteOffset: offset, as: Integer.self)
        offset += size
        return Integer(littleEndian: value)
    }

    public mutating func readFloat() throws(SegmentError) -> Float { Float(bitPattern: try read()) }
    public mutating func readDouble() throws(SegmentError) -> Double { Double(bitPattern: try read()) }

    public mutating func readVariable() throws(SegmentError) -> UInt64 {
        var value: UInt64 = 0
        var shift: UInt64 = 0
        while true {
            guard offset < bytes.count else { throw short(1) }
            let byte = bytes[offset]
            offset += 1
            guard shift < 63 || byte < 2 else { throw failure("a number has more than 64 bits") }
            value |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return value }
            shift += 7
        }
    }

    /// Returns a count of things that take at least `size` bytes each: never more than there can be.
    public mutating func readCount(ofBytes size: Int = 1) throws(SegmentError) -> Int {
        let count = try readVariable()
        guard count <= UInt64(remaining / max(size, 1)) else {
            throw failure("the count \(count) exceeds the segment")
        }
        return Int(count)
    }

    public mutating func readText() throws(SegmentError) -> String {
        let raw = try readRaw(readCount())
        return String(decoding: raw, as: UTF8.self)
    }

    /// Returns the next bytes in place.
    public mutating func readRaw(_ count: Int) throws(SegmentError) -> UnsafeRawBufferPointer {
        guard count >= 0, remaining >= count else { throw short(count) }
        let raw = UnsafeRawBufferPointer(rebasing: bytes[offset..<offset + count])
        offset += count
        return raw
    }

    public func failure(_ problem: String) -> SegmentError {
        SegmentError("\(place), byte \(offset)", problem: problem)
    }

    private func short(_ size: Int) -> SegmentError {
        failure("truncated: \(size - remaining) bytes are missing")
    }
}
