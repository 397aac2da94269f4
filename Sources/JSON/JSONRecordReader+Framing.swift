internal import Bytes
internal import CJSON
internal import Glibc

extension JSONRecordReader {
    /// Returns the framing that fits the first non-blank line, reading at most the maximum record length.
    func recognizedFraming() throws -> Framing {
        var scan = orrery_json_scan()
        var scanned = 0
        guard try skipSpace() else { return .lines }
        switch input.bytes[0] {
        case UInt8(ascii: "["): return .values
        case UInt8(ascii: "{"): break
        default: return .lines
        }
        while true {
            let piece = UnsafeBufferPointer(rebasing: input.bytes[scanned...])
            let feed = piece.isEmpty ? nil : memchr(piece.baseAddress!, 0x0A, piece.count)
            let length = feed.map { UnsafeRawPointer($0) - UnsafeRawPointer(piece.baseAddress!) } ?? piece.count
            let end = orrery_json_scan_container(&scan, piece.baseAddress, length)
            if end <= length { return try framingAfterFirstValue(scanned + end) }
            if feed != nil {
                // A pretty-printed value can continue on the next line, but a string cannot; if one is open, the line
                // is damaged.
                return scan.quoted ? .lines : .values
            }
            scanned += length
            if try scanned > maximumRecordBytes || !input.fill() { return .values }
        }
    }

    /// Returns the framing for a first value that ends at `end`: values if an object follows on the same line.
    private func framingAfterFirstValue(_ end: Int) throws -> Framing {
        var end = end
        while true {
            while end < input.bytes.count {
                let byte = input.bytes[end]
                if byte == 0x0A || !isSpace(byte) { return byte == UInt8(ascii: "{") ? .values : .lines }
                end += 1
            }
            if try end > maximumRecordBytes || !input.fill() { return .values }
        }
    }
}
