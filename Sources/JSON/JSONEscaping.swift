extension [UInt8] {
    /// Appends the UTF-8 of a string, with quotes, backslashes, and control characters escaped.
    ///
    /// Characters that affect terminals are escaped, too, so that JSON can be printed safely: DEL, the C1 controls
    /// (U+0080 to U+009F), and line separators and direction controls (U+2028 to U+202E, U+2066 to U+2069).
    mutating func appendEscaped(_ text: UnsafeBufferPointer<UInt8>) {
        reserveCapacity(count + text.count)
        var plain = 0
        var index = 0
        while index < text.count {
            let byte = text[index]
            if byte >= 0x20, byte < 0x7F, byte != 0x22, byte != 0x5C {
                index += 1
                continue
            }
            let (scalar, length) = escapedScalar(in: text, at: index)
            if let scalar {
                append(contentsOf: UnsafeBufferPointer(rebasing: text[plain..<index]))
                appendEscape(scalar)
                plain = index + length
            }
            index += length
        }
        append(contentsOf: UnsafeBufferPointer(rebasing: text[plain...]))
    }

    private mutating func appendEscape(_ scalar: UInt16) {
        append(UInt8(ascii: "\\"))
        switch scalar {
        case 0x08: append(UInt8(ascii: "b"))
        case 0x09: append(UInt8(ascii: "t"))
        case 0x0A: append(UInt8(ascii: "n"))
        case 0x0C: append(UInt8(ascii: "f"))
        case 0x0D: append(UInt8(ascii: "r"))
        case 0x22, 0x5C: append(UInt8(scalar))
        default:
            append(UInt8(ascii: "u"))
            for shift in [12, 8, 4, 0] {
                let digit = UInt8(truncatingIfNeeded: scalar >> shift) & 15
                append(digit < 10 ? UInt8(ascii: "0") + digit : UInt8(ascii: "a") + digit - 10)
            }
        }
    }
}

/// Returns the length of the character at `index` in bytes, and the character itself if it must be escaped.
private func escapedScalar(in text: UnsafeBufferPointer<UInt8>, at index: Int) -> (UInt16?, length: Int) {
    let byte = text[index]
    if byte < 0x80 { return (UInt16(byte), 1) }
    if byte == 0xC2, index + 1 < text.count, text[index + 1] < 0xA0 { return (UInt16(text[index + 1]), 2) }
    if byte == 0xE2, index + 2 < text.count {
        let scalar = 0x2000 | UInt16(text[index + 1] & 0x3F) << 6 | UInt16(text[index + 2] & 0x3F)
        if (0x2028...0x202E).contains(scalar) || (0x2066...0x2069).contains(scalar) { return (scalar, 3) }
    }
    return (nil, 1)
}
