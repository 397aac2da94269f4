/// Reads the fields of one protobuf message, one after the other.
///
/// Lengths are checked against the message before they are used.
package struct ProtobufReader {
    /// A field with its number. `word` is the value of a number of any width, `bytes` the content of a text or message.
    package struct Field {
        package var number: Int
        package var wire: UInt8
        package var word: UInt64 = 0
        package var bytes = UnsafeRawBufferPointer(start: nil, count: 0)

        package var double: Double? { wire == 1 ? Double(bitPattern: word) : nil }
        package var float: Float? { wire == 5 ? Float(bitPattern: UInt32(truncatingIfNeeded: word)) : nil }
        package var int: Int64? { wire == 0 ? Int64(bitPattern: word) : nil }
        /// Value of a field of type `sint64`.
        package var zigzag: Int64? { wire == 0 ? Int64(bitPattern: word >> 1) ^ -Int64(bitPattern: word & 1) : nil }
        package var message: ProtobufReader? { wire == 2 ? ProtobufReader(bytes) : nil }
        package var text: String? { wire == 2 ? String(decoding: bytes, as: UTF8.self) : nil }
    }

    private var reader: ByteReader

    package init(_ bytes: UnsafeRawBufferPointer) { reader = ByteReader(bytes) }

    package var isAtEnd: Bool { reader.isAtEnd }

    /// Returns the next field, or `nil` at the end of the message.
    package mutating func next() throws(ByteDamage) -> Field? {
        if reader.isAtEnd { return nil }
        let key = try reader.readVariable()
        // 2^29 - 1 is the largest field number.
        guard key >> 3 > 0, key >> 3 < 1 << 29 else { throw reader.failure("invalid protobuf field") }
        var field = Field(number: Int(key >> 3), wire: UInt8(key & 7))
        switch field.wire {
        case 0: field.word = try reader.readVariable()
        case 1: field.word = try reader.read()
        case 2: field.bytes = try reader.readRaw(reader.readCount())
        case 5: field.word = UInt64(try reader.read(UInt32.self))
        default: throw reader.failure("invalid protobuf type")
        }
        return field
    }

    /// Reads a number of a packed field.
    package mutating func varint() throws(ByteDamage) -> UInt64 { try reader.readVariable() }
}
