internal import CJSON
internal import Glibc

extension JSONRecordReader {
    /// Decides from the first line that is not blank, reading as much of it as a record may be long.
    func recognizedFraming() throws -> Framing {
        var scan = orrery_json_scan()
        var scanned = 0
        guard try input.skipSpace() else { return .lines }
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
                // A pretty-printed value goes on in the next line, but no string does: such a line is damaged.
                return scan.quoted ? .lines : .values
            }
            scanned += length
            if try scanned > maximumRecordBytes || !input.fill() { return .values }
        }
    }

    /// The first value ended at `end`: another one on the same line makes these values.
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
