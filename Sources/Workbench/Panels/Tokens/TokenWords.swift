/// The pieces of a line between which it can break: a word with the spaces before it, or a character of a script
/// without spaces.
struct TokenWords: Sequence, IteratorProtocol {
    private var rest: Substring

    init(_ line: Substring) { rest = line }

    mutating func next() -> Substring? {
        guard !rest.isEmpty else { return nil }
        let end = Self.end(of: rest)
        defer { rest = rest[end...] }
        return rest[..<end]
    }

    /// Returns whether a line can break between two adjacent characters.
    static func canBreak(between last: Character, and next: Character) -> Bool {
        (next.isWhitespace && !last.isWhitespace) || isIdeograph(last) || isIdeograph(next)
    }

    private static func end(of text: Substring) -> Substring.Index {
        var lastIsSpace = true
        var index = text.utf8.startIndex
        // ASCII text needs no inspection of whole characters.
        while index < text.utf8.endIndex {
            let byte = text.utf8[index]
            if byte >= 0x80 { return endByCharacters(of: text) }
            let isSpace = byte == 0x20 || byte == 0x09
            if isSpace, !lastIsSpace { return index }
            lastIsSpace = isSpace
            text.utf8.formIndex(after: &index)
        }
        return index
    }

    private static func endByCharacters(of text: Substring) -> Substring.Index {
        var index = text.startIndex
        while true {
            let next = text.index(after: index)
            guard next < text.endIndex, !canBreak(between: text[index], and: text[next]) else { return next }
            index = next
        }
    }

    /// Returns whether a character is Han, Kana, or their punctuation, where lines can break between any two.
    private static func isIdeograph(_ character: Character) -> Bool {
        guard let scalar = character.unicodeScalars.first, scalar.value >= 0x2E80 else { return false }
        switch scalar.value {
        case 0x2E80...0xA4CF, 0xF900...0xFAFF, 0xFE30...0xFE4F, 0xFF00...0xFF60, 0x1F000...0x3FFFF: return true
        default: return false
        }
    }
}
