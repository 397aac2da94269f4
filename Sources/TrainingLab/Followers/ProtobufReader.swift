/// Reads the fields of one protobuf message, one after the other; what is not known is passed over.
///
/// Nothing is believed: a length that leaves the message ends the reading with `Damage`.
struct ProtobufReader {
    struct Damage: Error {}

    /// A field: its number, and what stands there. A number is in `word`, whatever its width; text and messages are in
    /// `bytes`.
    struct Field {
        var number: Int
        var wire: UInt8
        var word: UInt64
        var bytes: UnsafeRawBufferPointer

        var double: Double? { wire == 1 ? Double(bitPattern: word) : nil }
        var float: Double? { wire == 5 ? Double(Float(bitPattern: UInt32(truncatingIfNeeded: word))) : nil }
        var int: Int64? { wire == 0 ? Int64(bitPattern: word) : nil }
        /// An integer of type `sint64`.
        var zigzag: Int64? { wire == 0 ? Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1) : nil }
        var message: ProtobufReader? { wire == 2 ? ProtobufReader(bytes) : nil }
        var text: String? { wire == 2 ? String(decoding: bytes, as: UTF8.self) : nil }
    }

    private let bytes: UnsafeRawBufferPointer
    private var position = 0

    init(_ bytes: UnsafeRawBufferPointer) { self.bytes = bytes }

    mutating func next() throws(Damage) -> Field? {
        guard position < bytes.count else { return nil }
        let key = try varint()
        let wire = UInt8(key & 7)
        // 2^29 - 1 is the greatest number of a field.
        guard key >> 3 > 0, key >> 3 < 1 << 29 else { throw Damage() }
        var field = Field(
            number: Int(key >> 3), wire: wire, word: 0, bytes: UnsafeRawBufferPointer(start: nil, count: 0))
        switch wire {
        case 0: field.word = try varint()
        case 1: field.word = UInt64(littleEndian: try fixed(UInt64.self))
        case 5: field.word = UInt64(UInt32(littleEndian: try fixed(UInt32.self)))
        case 2:
            let length = try varint()
            guard length <= UInt64(bytes.count - position) else { throw Damage() }
            field.bytes = UnsafeRawBufferPointer(rebasing: bytes[position..<(position + Int(length))])
            position += Int(length)
        default: throw Damage()
        }
        return field
    }

    mutating func varint() throws(Damage) -> UInt64 {
        var result: UInt64 = 0
        var shift: UInt64 = 0
        while position < bytes.count, shift < 64 {
            let byte = bytes[position]
            position += 1
            result |= UInt64(byte & 0x7F) << shift
            if byte < 0x80 { return result }
            shift += 7
        }
        throw Damage()
    }

    var isAtEnd: Bool { position >= bytes.count }

    private mutating func fixed<Word: FixedWidthInteger>(_: Word.Type) throws(Damage) -> Word {
        guard bytes.count - position >= MemoryLayout<Word>.size else { throw Damage() }
        defer { position += MemoryLayout<Word>.size }
        return bytes.loadUnaligned(fromByteOffset: position, as: Word.self)
    }
}
