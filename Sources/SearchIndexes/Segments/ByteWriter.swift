/// Builds a segment: little-endian numbers, counted texts, arrays.
public struct ByteWriter: Sendable {
    public private(set) var bytes: [UInt8] = []

    public init(reserving capacity: Int = 0) { bytes.reserveCapacity(capacity) }

    public mutating func write<Integer: FixedWidthInteger>(_ value: Integer) {
        withUnsafeBytes(of: value.littleEndian) { bytes.append(contentsOf: $0) }
    }

    public mutating func write(_ value: Float) { write(value.bitPattern) }
    public mutating func write(_ value: Double) { write(value.bitPattern) }

    /// Seven bits a byte, lowest first.
    public mutating func writeVariable(_ value: UInt64) {
        var rest = value
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    /// The number of its bytes, then its UTF-8.
    public mutating func write(_ text: String) {
        writeVariable(UInt64(text.utf8.count))
        bytes.append(contentsOf: text.utf8)
    }

    /// Bytes as they lie; nothing says how many.
    public mutating func writeRaw(_ raw: UnsafeRawBufferPointer) { bytes.append(contentsOf: raw) }
}
