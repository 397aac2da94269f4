/// Cuts text into pieces by hand-written rules that mean the same as a model's published pattern.
package protocol PieceScanner {
    /// Where the piece that begins at `start` ends; more than `start` and at most `end`.
    func pieceEnd(_ text: UTF8Pointer, _ start: Int, _ end: Int) -> Int
}

/// What all scanners share: runs of classes, white space, contractions.
struct ClassRuns {
    let ascii: UnsafePointer<UInt8>
    let table: ScalarTable

    init() {
        table = .shared
        ascii = table.ascii
    }

    static let letter = ScalarClass.letter.rawValue
    static let number = ScalarClass.number.rawValue
    static let space = ScalarClass.space.rawValue
    static let newline = ScalarClass.newline.rawValue
    static let mark = ScalarClass.mark.rawValue
    static let other = ScalarClass.other.rawValue
    static let upper = ScalarClass.upper.rawValue
    static let lower = ScalarClass.lower.rawValue

    /// The classes of the character at `index` and its length; 0 of both at the end.
    @inline(__always)
    func character(_ text: UTF8Pointer, _ index: Int, _ end: Int) -> (classes: UInt8, length: Int) {
        if index >= end { return (0, 0) }
        let byte = text[index]
        if byte < 0x80 { return (ascii[Int(byte)], 1) }
        let (value, length) = multibyteScalar(text, at: index, end: end)
        return (table.classes(value), length)
    }

    /// The end of the run of characters of any class in `mask`.
    @inline(__always)
    func run(_ mask: UInt8, _ text: UTF8Pointer, _ start: Int, _ end: Int) -> Int {
        var index = start
        while index < end {
            let byte = text[index]
            if byte < 0x80 {
                if ascii[Int(byte)] & mask == 0 { return index }
                index &+= 1
            } else {
                let (value, length) = multibyteScalar(text, at: index, end: end)
                if table.classes(value) & mask == 0 { return index }
                index &+= length
            }
        }
        return index
    }

    /// `\s*[\r\n]+|\s+(?!\S)|\s+` at a white space, or without its first part.
    @inline(__always)
    func whitespace(_ text: UTF8Pointer, _ start: Int, _ end: Int, newlinesFirst: Bool) -> Int {
        let stop = run(Self.space, text, start, end)
        if newlinesFirst {
            // The greedy part gives back until a line break follows: the match ends after the last one.
            var index = stop
            while index > start {
                let byte = text[index &- 1]
                if byte == 10 || byte == 13 { return index }
                index &-= 1
            }
        }
        if stop == end { return stop }
        // Before a character that is not a space, the run gives back its last character unless it is the only one.
        let last = stop &- lengthOfScalar(before: stop, in: text, start: start)
        return last > start ? last : stop
    }

    /// The end of `'s|'t|'re|'ve|'m|'ll|'d` at an apostrophe, or `start`.
    @inline(__always)
    func contraction(_ text: UTF8Pointer, _ start: Int, _ end: Int, ignoringCase: Bool) -> Int {
        guard start &+ 1 < end else { return start }
        let fold: UInt8 = ignoringCase ? 0x20 : 0
        let first = text[start &+ 1] | fold
        switch first {
        case UInt8(ascii: "s"), UInt8(ascii: "t"), UInt8(ascii: "m"), UInt8(ascii: "d"): return start &+ 2
        case UInt8(ascii: "r"), UInt8(ascii: "v"), UInt8(ascii: "l"):
            guard start &+ 2 < end else { return start }
            let wanted = first == UInt8(ascii: "l") ? UInt8(ascii: "l") : UInt8(ascii: "e")
            return text[start &+ 2] | fold == wanted ? start &+ 3 : start
        case 0xC5 | fold:
            // U+017F is an s to patterns that ignore case.
            let isLongS = ignoringCase && text[start &+ 1] == 0xC5 && start &+ 2 < end && text[start &+ 2] == 0xBF
            return isLongS ? start &+ 3 : start
        default: return start
        }
    }
}
