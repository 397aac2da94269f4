internal import Bytes

/// Numbers as variable-length bytes: seven bits a byte, lowest first; signed ones in zigzag.
enum RecordCoding {
    /// Writes a span's record references: source, offset, and length, each as the difference from the previous one.
    static func encode(_ records: [RecordReference], into bytes: inout [UInt8]) {
        var previous = RecordReference(source: 0, offset: 0, length: 0)
        for record in records {
            bytes.appendSigned(record.source &- previous.source)
            bytes.appendSigned(Int64(record.offset &- previous.offset))
            bytes.appendSigned(Int64(record.length &- previous.length))
            previous = record
        }
    }

    /// Reads what `encode` wrote; stops at damage.
    static func records(in bytes: UnsafeRawBufferPointer) -> [RecordReference] {
        if bytes.isEmpty { return [] }
        var reader = ByteReader(bytes)
        var records: [RecordReference] = []
        // Numbers take one to ten bytes, and most spans have one record: no room is wasted on guesses.
        records.reserveCapacity(1)
        var previous = RecordReference(source: 0, offset: 0, length: 0)
        while !reader.isAtEnd, let source = try? reader.readSigned(), let offset = try? reader.readSigned(),
            let length = try? reader.readSigned()
        {
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
        for number in numbers.prefix(used) { bytes.appendVariable(UInt64(clamping: number)) }
    }

    static func extent(in bytes: UnsafeRawBufferPointer) -> MessageEntry.Extent {
        var reader = ByteReader(bytes)
        // Creating an error for each absent number would take longer than reading.
        func next() -> Int { reader.isAtEnd ? 0 : (try? reader.readVariable()).map { Int(clamping: $0) } ?? 0 }
        var extent = MessageEntry.Extent()
        extent.text = next()
        extent.reasoning = next()
        extent.toolCalls = next()
        extent.toolResults = next()
        extent.toolDefinitions = next()
        extent.attachments = next()
        return extent
    }
}
