/// Passes over comments and strings of source code.
struct CodeLexer {
    let bytes: UnsafeBufferPointer<UInt8>
    private let lineComments: [[UInt8]]
    private let blockComment: (open: [UInt8], close: [UInt8])?
    private let quotes: [UInt8]
    private let longQuotes: [[UInt8]]
    private let hasSingleQuotedCharacters: Bool

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ language: CodeLanguage) {
        self.bytes = bytes
        lineComments = language.lineComments.map { Array($0.utf8) }
        blockComment = language.blockComment.map { (Array($0.open.utf8), Array($0.close.utf8)) }
        quotes = language.quotes
        longQuotes = language.longQuotes.map { Array($0.utf8) }
        hasSingleQuotedCharacters = language.hasSingleQuotedCharacters
    }

    enum Skipped { case comment, string }

    private func has(_ word: [UInt8], at place: Int) -> Bool {
        guard place + word.count <= bytes.count else { return false }
        for offset in word.indices where bytes[place + offset] != word[offset] { return false }
        return true
    }

    /// Returns the end of the comment or string that begins at a place; `nil` if none begins there. An unclosed one
    /// ends with the file.
    func skip(at place: Int) -> (end: Int, what: Skipped)? {
        let byte = bytes[place]
        if let block = blockComment, byte == block.open[0], has(block.open, at: place) {
            return (end(of: block.close, from: place + block.open.count, escapes: false), .comment)
        }
        for mark in lineComments where byte == mark[0] && has(mark, at: place) { return (lineEnd(place), .comment) }
        for mark in longQuotes where byte == mark[0] && has(mark, at: place) {
            return (end(of: mark, from: place + mark.count, escapes: true), .string)
        }
        if quotes.contains(byte) { return (shortEnd(byte, from: place + 1), .string) }
        if byte == 0x27, hasSingleQuotedCharacters {
            // 'a', '\n', '\u{1F}': anything else is a lifetime or a digit's separator, passed over with its word.
            guard place + 2 < bytes.count else { return (bytes.count, .string) }
            if bytes[place + 1] == 0x5C { return (shortEnd(byte, from: place + 1), .string) }
            let length = bytes[place + 1] < 0x80 ? 1 : bytes[place + 1] < 0xE0 ? 2 : bytes[place + 1] < 0xF0 ? 3 : 4
            if place + 1 + length < bytes.count, bytes[place + 1 + length] == 0x27 {
                return (place + length + 2, .string)
            }
            var end = place + 1
            while end < bytes.count, Self.isWordByte(bytes[end]) { end += 1 }
            return (end, .string)
        }
        return nil
    }

    func lineEnd(_ place: Int) -> Int {
        var end = place
        while end < bytes.count, bytes[end] != 0x0A { end += 1 }
        return end
    }

    private func shortEnd(_ quote: UInt8, from start: Int) -> Int {
        var place = start
        while place < bytes.count, bytes[place] != 0x0A {
            if bytes[place] == 0x5C { place += 1 } else if bytes[place] == quote { return place + 1 }
            place += 1
        }
        return min(place, bytes.count)
    }

    private func end(of mark: [UInt8], from start: Int, escapes: Bool) -> Int {
        var place = start
        while place < bytes.count {
            if escapes, bytes[place] == 0x5C {
                place += 2
                continue
            }
            if bytes[place] == mark[0], has(mark, at: place) { return place + mark.count }
            place += 1
        }
        return bytes.count
    }

    static func isWordByte(_ byte: UInt8) -> Bool {
        (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: "_") || byte >= 0x80
    }

    /// Where a declaration begins that is on the line of `place`: with the lines of comments and attributes above it
    /// that no blank line parts from it, as far as `floor`.
    func leadingStart(of place: Int, floor: Int, isComment: (Int) -> Bool) -> Int {
        var start = lineStart(place, floor: floor)
        while start > floor {
            let above = lineStart(start - 1, floor: floor)
            guard above < start, isLeading(above, start - 1) || isComment(above) else { break }
            start = above
        }
        return start
    }

    func lineStart(_ place: Int, floor: Int) -> Int {
        var start = place
        while start > floor, bytes[start - 1] != 0x0A { start -= 1 }
        return start
    }

    /// Whether a line can only lead something: a comment or an attribute.
    private func isLeading(_ start: Int, _ end: Int) -> Bool {
        var place = start
        while place < end, bytes[place] <= 0x20 { place += 1 }
        guard place < end else { return false }
        if lineComments.contains(where: { has($0, at: place) }) { return true }
        if let block = blockComment, has(block.open, at: place) { return true }
        switch bytes[place] {
        case UInt8(ascii: "@"): return true
        case UInt8(ascii: "#"): return place + 1 < end && bytes[place + 1] == UInt8(ascii: "[")
        case UInt8(ascii: "["): return bytes[end - 1] == UInt8(ascii: "]")
        case UInt8(ascii: "t"): return has(Array("template".utf8), at: place)
        default: return false
        }
    }
}
