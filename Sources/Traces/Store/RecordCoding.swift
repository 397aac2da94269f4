/// Numbers as variable-length bytes: seven bits a byte, lowest first; signed ones in zigzag.
enum RecordCoding {
    /// Writes a span's record references: source, offset, and length, each as the difference from the previous one.
    static func encode(_ records: [RecordReference], into bytes: inout [UInt8]) {
        var previous = RecordReference(source: 0, offset: 0, length: 0)
        for record in records {
            append(signed: record.source &- previous.source, to: &bytes)
            append(signed: Int64(record.offset &- previous.offset), to: &bytes)
            append(signed: Int64(record.length &- previous.length), to: &bytes)
            previous = record
        }
    }

    /// Reads what `encode` wrote; stops at damage.
    static func records(in bytes: UnsafeRawBufferPointer) -> [RecordReference] {
        if bytes.isEmpty { return [] }
        var reader = Reader(bytes: bytes)
        var records: [RecordReference] = []
        // Numbers take one to ten bytes, and most spans have one record: no room is wasted on guesses.
        records.reserveCapacity(1)
        var previous = RecordReference(source: 0, offset: 0, length: 0)
        while let source = reader.signed(), let offset = reader.signed(), let length = reader.signed() {
            previous.source &+= source
            previous.offset &+= Int(offset)
            previous.length &+= Int(length)
            records.append(previous)
        }
        return records
    }

    /// Writes sizes of a message; trailing zeros take no room.
    static func encode(_ extent: MessageEntry.Extent, into bytes: inout [UInt8]) {
        let numbers = [
            extent.text, extent.reasoning, extent.toolCalls, extent.toolResults, extent.toolDefinitions,
            extent.attachments,
        ]
        let used = numbers.lastIndex { $0 != 0 }.map { $0 + 1 } ?? 0
        for number in numbers.prefix(used) { append(UInt64(clamping: number), to: &bytes) }
    }

    static func extent(in bytes: UnsafeRawBufferPointer) -> MessageEntry.Extent {
        var reader = Reader(bytes: bytes)
        func next() -> Int { reader.unsigned().map { Int(clamping: $0) } ?? 0 }
        var extent = MessageEntry.Extent()
        extent.text = next()
        extent.reasoning = next()
        extent.toolCalls = next()
        extent.toolResults = next()
        extent.toolDefinitions = next()
        extent.attachments = next()
        return extent
    }

    private static func append(_ number: UInt64, to bytes: inout [UInt8]) {
        var rest = number
        while rest >= 0x80 {
            bytes.append(UInt8(truncatingIfNeeded: rest) | 0x80)
            rest >>= 7
        }
        bytes.append(UInt8(rest))
    }

    private static func append(signed number: Int64, to bytes: inout [UInt8]) {
        append(UInt64(bitPattern: number << 1 ^ number >> 63), to: &bytes)
    }

    private struct Reader {
        let bytes: UnsafeRawBufferPointer
        var position = 0

        mutating func unsigned() -> UInt64? {
            var number: UInt64 = 0
            var shift: UInt64 = 0
            while position < bytes.count, shift < 64 {
                let byte = bytes[position]
                position += 1
                number |= UInt64(byte & 0x7F) << shift
                if byte < 0x80 { return number }
                shift += 7
            }
            return nil
        }

        mutating func signed() -> Int64? {
            unsigned().map { Int64(bitPattern: $0 >> 1) ^ -Int64(bitPattern: $0 & 1) }
        }
    }
}
