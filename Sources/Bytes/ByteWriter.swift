/// Appends numbers, text, and bytes to an array; numbers are little-endian.
public struct ByteWriter: Sendable {
    /// Bytes written so far.
    public var bytes: [UInt8] = []

    /// Creates an empty writer with memory for a number of bytes.
    public init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    /// Writes integers one after the other.
    @inlinable public mutating func write<each Number: FixedWidthInteger>(_ numbers: repeat each Number) {
        repeat bytes.appendFixed(each numbers)
    }

    /// Writes the four bytes of a number.
    @inlinable public mutating func write(_ value: Float) { write(value.bitPattern) }
    /// Writes the eight bytes of a number.
    @inlinable public mutating func write(_ value: Double) { write(value.bitPattern) }

    /// Writes the bytes as they are, without their count.
    @inlinable public mutating func writeRaw(_ raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }

    /// Writes the length of the text in bytes, then its UTF-8.
    @inlinable public mutating func write(_ text: String) {
        var text = text
        text.withUTF8 { utf8 in
            writeVariable(UInt64(utf8.count))
            bytes.append(contentsOf: utf8)
        }
    }

    /// Writes seven bits per byte, lowest first.
    @inlinable public mutating func writeVariable(_ value: UInt64) { bytes.appendVariable(value) }

    /// Writes a signed number in zigzag coding: small numbers of either sign take few bytes.
    @inlinable public mutating func writeSigned(_ value: Int64) { bytes.appendSigned(value) }
}

extension [UInt8] {
    /// Appends a number in its own width, lowest byte first.
    @inlinable public mutating func appendFixed(_ value: some FixedWidthInteger) {
        Swift.withUnsafeBytes(of: value.littleEndian) { append(contentsOf: $0) }
    }

    /// Appends a number with seven bits per byte, lowest first.
    @inlinable public mutating func appendVariable(_ value: some BinaryInteger) {
        var rest = UInt64(truncatingIfNeeded: value)
        while rest >= 0x80 {
            append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        append(UInt8(rest))
    }

    /// Appends a signed number in zigzag coding, with seven bits per byte.
    @inlinable public mutating func appendSigned(_ value: Int64) {
        appendVariable(UInt64(bitPattern: value << 1 ^ value >> 63))
    }
}
