internal import Glibc

/// Finds names, attributes and ends of tags, however badly they are written.
enum HTMLTag {
    /// Returns a tag's name in lower case, and where it ends.
    static func name(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> (name: String, end: Int) {
        var end = start
        while end < bytes.count, end - start < 24, isNamed(bytes[end]) { end += 1 }
        let name = String(unsafeUninitializedCapacity: end - start) { buffer in
            for place in start..<end {
                let byte = bytes[place]
                buffer[place - start] = (0x41...0x5A).contains(byte) ? byte | 0x20 : byte
            }
            return end - start
        }
        return (name, end)
    }

    private static func isNamed(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "-")
            || byte == UInt8(ascii: ":")
    }

    /// Behind the next `>`, or the end.
    static func end(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, 0x3E, bytes.count - start)
        else { return bytes.count }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base) + 1
    }

    /// Goes through a tag's attributes and gives the place behind its `>`.
    ///
    /// An unclosed quote is ignored: the tag ends at the next `>`.
    ///
    /// - Parameter lastQuotes: From where on a quote is known to have no other behind it.
    static func attributes(
        _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, lastQuotes: inout [UInt8: Int],
        found: (String, String) -> Void
    ) -> Int {
        var place = start
        var nameStart = start
        var nameEnd = start
        while place < bytes.count {
            let byte = bytes[place]
            switch byte {
            case UInt8(ascii: ">"): return place + 1
            case UInt8(ascii: "="):
                nameEnd = place
                var value = place + 1
                while value < bytes.count, bytes[value] <= 0x20 { value += 1 }
                guard value < bytes.count else { return bytes.count }
                let quote = bytes[value]
                var close = value
                if quote == 0x22 || quote == 0x27 {
                    guard let end = next(quote, bytes, from: value + 1, &lastQuotes) else {
                        return Self.end(bytes, from: value)
                    }
                    close = end
                    value += 1
                    place = close + 1
                } else {
                    while close < bytes.count, bytes[close] > 0x20, bytes[close] != UInt8(ascii: ">") { close += 1 }
                    place = close
                }
                if value <= close, close - value < 1 << 14 {
                    let name = bytes[nameStart..<nameEnd].filter { $0 > 0x20 }
                    found(
                        String(decoding: name.prefix(64), as: UTF8.self),
                        HTMLReference.resolved(UnsafeBufferPointer(rebasing: bytes[value..<close])))
                }
                nameStart = place
            default:
                // A space ends a name, unless an equals sign follows it.
                if byte <= 0x20, place + 1 < bytes.count, bytes[place + 1] > 0x20, bytes[place + 1] != UInt8(ascii: "=")
                {
                    nameStart = place + 1
                }
                place += 1
            }
        }
        return bytes.count
    }

    private static func next(
        _ quote: UInt8, _ bytes: UnsafeBufferPointer<UInt8>, from start: Int, _ lastQuotes: inout [UInt8: Int]
    ) -> Int? {
        if let last = lastQuotes[quote], start >= last { return nil }
        guard start < bytes.count, let base = bytes.baseAddress,
            let found = memchr(base + start, Int32(quote), bytes.count - start)
        else {
            lastQuotes[quote] = start
            return nil
        }
        return UnsafeRawPointer(found) - UnsafeRawPointer(base)
    }

    /// Returns the place after the closing tag of an element without markup inside, or the end of the page.
    ///
    /// - Parameter content: Maximum length of the content in bytes; if it is longer, the result is `start`.
    static func closing(
        _ bytes: UnsafeBufferPointer<UInt8>, of name: String, from start: Int, content: Int = .max
    ) -> Int {
        var place = start
        let limit = content == .max ? bytes.count : min(bytes.count, start + content)
        let wanted = Array(name.utf8)
        while place < limit, let base = bytes.baseAddress, let found = memchr(base + place, 0x3C, limit - place) {
            let mark = UnsafeRawPointer(found) - UnsafeRawPointer(base)
            let end = mark + 2 + wanted.count
            if end <= bytes.count, bytes[mark + 1] == UInt8(ascii: "/"),
                wanted.indices.allSatisfy({ bytes[mark + 2 + $0] | 0x20 == wanted[$0] }),
                end == bytes.count || !isNamed(bytes[end])
            {
                return Self.end(bytes, from: end)
            }
            place = mark + 1
        }
        return content == .max ? bytes.count : start
    }

    /// Returns the start of the closing tag at the end of a range.
    static func contentEnd(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Int {
        bytes[range].lastIndex(of: UInt8(ascii: "<")) ?? range.upperBound
    }
}
