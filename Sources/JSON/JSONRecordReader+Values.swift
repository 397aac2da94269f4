internal import Bytes
internal import CJSON

extension JSONRecordReader {
    func nextValue() throws -> JSONRecord? {
        while try skipSpace() {
            switch input.bytes[0] {
            case UInt8(ascii: "[") where !insideArray:
                insideArray = true
                commaMayFollow = false
                input.skip(1)
            case UInt8(ascii: "]") where insideArray:
                insideArray = false
                input.skip(1)
            case UInt8(ascii: ",") where commaMayFollow:
                commaMayFollow = false
                input.skip(1)
            case UInt8(ascii: "{"), UInt8(ascii: "["):
                commaMayFollow = insideArray
                return try takeContainer()
            case UInt8(ascii: "\""):
                commaMayFollow = insideArray
                return try takeString()
            default:
                commaMayFollow = insideArray
                return try takeScalar()
            }
        }
        guard insideArray else { return nil }
        // The array was not closed; a single empty record reports this.
        insideArray = false
        return record(length: 0, skipped: 0, ending: .endOfInput)
    }

    private func takeContainer() throws -> JSONRecord {
        var scan = orrery_json_scan()
        return try take { orrery_json_scan_container(&scan, $0.baseAddress, $0.count) }
    }

    private func takeString() throws -> JSONRecord {
        var inside = false
        var escaped = false
        return try take { bytes in
            for (index, byte) in bytes.enumerated() {
                if !inside {
                    inside = true
                } else if escaped {
                    escaped = false
                } else if byte == UInt8(ascii: "\"") {
                    return index + 1
                } else {
                    escaped = byte == UInt8(ascii: "\\")
                }
            }
            return bytes.count + 1
        }
    }

    /// Takes a number, a literal, or other text up to the next white space or punctuation, or one misplaced punctuation
    /// character.
    private func takeScalar() throws -> JSONRecord {
        if endsScalar(input.bytes[0]) { return record(length: 1, skipped: 0, ending: .delimited) }
        return try take { bytes in
            bytes.firstIndex { isSpace($0) || endsScalar($0) } ?? bytes.count + 1
        }
    }

    /// Takes a record and uses `search` to find its end.
    ///
    /// - Parameter search: Returns the offset of the end in a piece of the record, or the length of the piece plus 1 if
    ///   the record continues. It is called with consecutive pieces.
    private func take(_ search: (UnsafeBufferPointer<UInt8>) -> Int) throws -> JSONRecord {
        var scanned = 0
        var skipped = 0
        while true {
            let available = input.bytes
            let end = scanned + search(UnsafeBufferPointer(rebasing: available[scanned...]))
            if end <= available.count {
                return record(length: end, skipped: skipped, ending: .delimited)
            }
            scanned = available.count
            if scanned + skipped > maximumRecordBytes {
                skipped += scanned
                skipStart(scanned)
                scanned = 0
            }
            if try !input.fill() { return record(length: scanned, skipped: skipped, ending: .endOfInput) }
        }
    }
}

private func endsScalar(_ byte: UInt8) -> Bool {
    switch byte {
    case UInt8(ascii: ","), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: "{"), UInt8(ascii: "}"),
        UInt8(ascii: "\""):
        true
    default: false
    }
}
