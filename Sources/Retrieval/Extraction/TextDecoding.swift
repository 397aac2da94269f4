/// A file's bytes as text, with the way back.
struct DecodedText {
    var text: String
    var offsets: OffsetMap
    /// A sentence where it was not plain, whole UTF-8.
    var note: String?
}

/// Finds out which encoding a file has, and makes UTF-8 of it.
///
/// A byte-order mark decides; then valid UTF-8 is UTF-8; then zeros in every second byte are UTF-16. What has damaged
/// places among more multi-byte characters is UTF-8 too, damaged; the rest is Latin-1 as the web reads it, which is
/// Windows-1252.
enum TextDecoding {
    /// - Returns: `nil` if the bytes are not text. O(n).
    static func decode(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedText? {
        switch byteOrderMark(bytes) {
        case .utf8: return utf8(bytes, from: 3)
        case .utf16Little: return utf16(bytes, from: 2, isLittle: true)
        case .utf16Big: return utf16(bytes, from: 2, isLittle: false)
        case nil: break
        }
        let head = UnsafeBufferPointer(rebasing: bytes.prefix(8192))
        if let isLittle = looksLikeUTF16(head) { return utf16(bytes, from: 0, isLittle: isLittle) }
        if looksBinary(head) { return nil }
        return utf8(bytes, from: 0)
    }

    /// Whether the first bytes of a file can be no text: a zero, or more than a tenth of control characters.
    static func looksBinary(_ head: UnsafeBufferPointer<UInt8>) -> Bool {
        if byteOrderMark(head) != nil || looksLikeUTF16(head) != nil { return false }
        var controls = 0
        for byte in head where byte < 0x20 {
            if byte == 0 { return true }
            if !(9...13).contains(byte), byte != 0x1B { controls += 1 }
        }
        return controls > head.count / 10
    }

    private enum Mark { case utf8, utf16Little, utf16Big }

    private static func byteOrderMark(_ bytes: UnsafeBufferPointer<UInt8>) -> Mark? {
        if bytes.count >= 3, bytes[0] == 0xEF, bytes[1] == 0xBB, bytes[2] == 0xBF { return .utf8 }
        guard bytes.count >= 2 else { return nil }
        if bytes[0] == 0xFF, bytes[1] == 0xFE { return .utf16Little }
        if bytes[0] == 0xFE, bytes[1] == 0xFF { return .utf16Big }
        return nil
    }

    /// Little-endian text has its zeros at odd places, and hardly any at even ones.
    private static func looksLikeUTF16(_ head: UnsafeBufferPointer<UInt8>) -> Bool? {
        let pairs = head.count / 2
        guard pairs >= 2 else { return nil }
        var zeros = (even: 0, odd: 0)
        for pair in 0..<pairs {
            if head[2 * pair] == 0 { zeros.even += 1 }
            if head[2 * pair + 1] == 0 { zeros.odd += 1 }
        }
        if zeros.odd * 10 > pairs * 7, zeros.even * 50 <= pairs { return true }
        if zeros.even * 10 > pairs * 7, zeros.odd * 50 <= pairs { return false }
        return nil
    }

    private static func utf8(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> DecodedText {
        let body = UnsafeBufferPointer(rebasing: bytes[start...])
        if let text = String(validating: body, as: UTF8.self) {
            return DecodedText(text: text, offsets: OffsetMap(base: start))
        }
        var damaged = 0
        var whole = 0
        var place = 0
        while place < body.count {
            let (length, isWhole) = sequence(body, place)
            if !isWhole { damaged += 1 } else if length > 1 { whole += 1 }
            place += length
        }
        if start == 0, damaged > whole { return latin1(body) }
        return repaired(body, start: start, damaged: damaged)
    }

    /// Returns the length of the UTF-8 sequence at a place, or of its longest damaged beginning (Unicode 15, table
    /// 3-8).
    static func sequence(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> (length: Int, isWhole: Bool) {
        let first = bytes[place]
        if first < 0x80 { return (1, true) }
        let length: Int
        var second: ClosedRange<UInt8> = 0x80...0xBF
        switch first {
        case 0xC2...0xDF: length = 2
        case 0xE0...0xEF:
            length = 3
            if first == 0xE0 { second = 0xA0...0xBF } else if first == 0xED { second = 0x80...0x9F }
        case 0xF0...0xF4:
            length = 4
            if first == 0xF0 { second = 0x90...0xBF } else if first == 0xF4 { second = 0x80...0x8F }
        default: return (1, false)
        }
        for offset in 1..<length {
            guard place + offset < bytes.count else { return (offset, false) }
            let next = bytes[place + offset]
            guard (offset == 1 ? second : 0x80...0xBF).contains(next) else { return (offset, false) }
        }
        return (length, true)
    }

    private static func repaired(_ bytes: UnsafeBufferPointer<UInt8>, start: Int, damaged: Int) -> DecodedText {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + 2 * damaged)
        var builder = OffsetMap.Builder()
        var place = 0
        while place < bytes.count {
            let (length, isWhole) = sequence(bytes, place)
            if isWhole {
                builder.add(text: output.count, source: place)
                for offset in 0..<length { output.append(bytes[place + offset]) }
            } else {
                builder.add(text: output.count, source: place, textStep: 3, sourceStep: length)
                output += [0xEF, 0xBF, 0xBD]
            }
            place += length
        }
        let places = damaged == 1 ? "one invalid sequence is" : "\(damaged) invalid sequences are"
        return DecodedText(
            text: String(decoding: output, as: UTF8.self), offsets: builder.map(base: start),
            note: "Read as UTF-8; \(places) shown as U+FFFD")
    }
}
