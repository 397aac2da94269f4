/// Says where a sentence ends, from its punctuation and what stands around it.
///
/// A stop with white space behind it ends a sentence, unless an abbreviation, an initial or a list's number stands
/// before it or a small letter follows. Stops of Chinese and Japanese need no space.
enum SentenceRule {
    /// Where the next sentence begins, if one ends with the stop at `place`; `nil` if none does. O(1) apart from white
    /// space.
    static func nextStart(_ bytes: UnsafeBufferPointer<UInt8>, stop place: Int) -> Int? {
        let byte = bytes[place]
        var behind = place + 1
        var needsSpace = true
        switch byte {
        case UInt8(ascii: "."), UInt8(ascii: "!"), UInt8(ascii: "?"): break
        case 0xE2 where has(bytes, place, 0x80, 0xA6): behind = place + 3
        case 0xE3 where has(bytes, place, 0x80, 0x82):
            behind = place + 3
            needsSpace = false
        case 0xEF where has(bytes, place, 0xBC, 0x81) || has(bytes, place, 0xBC, 0x9F) || has(bytes, place, 0xBC, 0x8E):
            behind = place + 3
            needsSpace = false
        case 0xE0 where has(bytes, place, 0xA5, 0xA4): behind = place + 3
        case 0xD8 where place + 1 < bytes.count && bytes[place + 1] == 0x9F: behind = place + 2
        default: return nil
        }
        behind = passClosers(bytes, behind)
        guard behind < bytes.count else { return bytes.count }
        var next = behind
        var hasLine = false
        while next < bytes.count, isSpace(bytes[next]) {
            hasLine = hasLine || bytes[next] == 0x0A
            next += 1
        }
        if needsSpace {
            guard next > behind else { return nil }
            if next < bytes.count, (0x61...0x7A).contains(bytes[next]), !hasLine { return nil }
            if byte == UInt8(ascii: "."), behind == place + 1, isAbbreviation(bytes, before: place, next: next) {
                return nil
            }
        }
        return next
    }

    /// Whether a byte may begin a stop.
    @inline(__always)
    static func mayStop(_ byte: UInt8) -> Bool {
        byte == UInt8(ascii: ".") || byte == UInt8(ascii: "!") || byte == UInt8(ascii: "?") || byte == 0xE2
            || byte == 0xE3 || byte == 0xEF || byte == 0xE0 || byte == 0xD8
    }

    @inline(__always)
    static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (byte >= 9 && byte <= 13) }

    private static func has(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int, _ second: UInt8, _ third: UInt8) -> Bool
    {
        place + 2 < bytes.count && bytes[place + 1] == second && bytes[place + 2] == third
    }

    /// Behind the quotes and brackets that belong to the sentence's end.
    private static func passClosers(_ bytes: UnsafeBufferPointer<UInt8>, _ start: Int) -> Int {
        var place = start
        let limit = min(bytes.count, start + 16)
        while place < limit {
            switch bytes[place] {
            case 0x22, 0x27, UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"), UInt8(ascii: "*"),
                UInt8(ascii: "_"):
                place += 1
            case 0xC2 where place + 1 < limit && bytes[place + 1] == 0xBB: place += 2
            case 0xE2 where has(bytes, place, 0x80, 0x9D) || has(bytes, place, 0x80, 0x99): place += 3
            case 0xE3 where has(bytes, place, 0x80, 0x8D) || has(bytes, place, 0x80, 0x8F): place += 3
            case 0xEF where has(bytes, place, 0xBC, 0x89): place += 3
            default: return place
            }
        }
        return place
    }

    private static func isAbbreviation(_ bytes: UnsafeBufferPointer<UInt8>, before stop: Int, next: Int) -> Bool {
        var start = stop
        var isNumber = true
        while start > 0, stop - start < 12 {
            let byte = bytes[start - 1]
            guard (0x61...0x7A).contains(byte | 0x20) || (0x30...0x39).contains(byte) || byte == UInt8(ascii: ".")
            else { break }
            isNumber = isNumber && (0x30...0x39).contains(byte)
            start -= 1
        }
        let length = stop - start
        guard length > 0, length < 12 else { return false }
        // "1." at the beginning of a line numbers it.
        if isNumber { return length <= 3 && (start == 0 || isLineStart(bytes, start)) }
        if length == 1 { return (0x41...0x5A).contains(bytes[start]) }
        let word = String(decoding: bytes[start..<stop], as: UTF8.self).lowercased()
        if numbered.contains(word) { return next < bytes.count && (0x30...0x39).contains(bytes[next]) }
        return abbreviations.contains(word)
    }

    private static func isLineStart(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> Bool {
        var place = place
        while place > 0, bytes[place - 1] == 0x20 || bytes[place - 1] == 9 { place -= 1 }
        return place == 0 || bytes[place - 1] == 0x0A
    }

    /// Without their last stop. English, German, French, Spanish, Italian.
    private static let abbreviations: Set<String> = [
        "mr", "mrs", "ms", "dr", "prof", "st", "sr", "jr", "rev", "gen", "col", "capt", "lt", "sgt", "gov", "sen",
        "rep",
        "hon", "vs", "e.g", "i.e", "eg", "ie", "cf", "viz", "al", "approx", "ca", "dept", "est", "inc", "ltd", "corp",
        "bros", "u.s", "u.k", "u.n", "ph.d", "m.sc", "b.sc", "a.m", "p.m", "resp", "incl", "excl", "max", "min", "avg",
        "jan", "feb", "mar", "apr", "jun", "jul", "aug", "sep", "sept", "oct", "nov", "dec", "z.b", "d.h", "u.a",
        "bzw", "usw", "ggf", "evtl", "vgl", "hr", "fr", "str", "bspw", "sog", "mme", "mlle", "p.ex", "env",
        "sra", "srta", "ud", "uds", "sig", "dott", "ecc", "nr", "tel",
    ]

    /// Abbreviations only where a number follows: "no. 5", but "he said no."
    private static let numbered: Set<String> = [
        "no", "fig", "figs", "eq", "eqs", "sec", "ch", "vol", "pp", "p", "art", "abb", "tab", "ref",
    ]
}

/// Cuts texts into sentences by rule.
public enum SentenceSplitter {
    /// Returns the sentences of a text, as bytes of its UTF-8 without the white space between them. O(n).
    ///
    /// A blank line ends one too, so that headings stand alone.
    public static func sentences(in text: String) -> [Range<Int>] {
        var text = text
        return text.withUTF8 { bytes in sentences(bytes, 0..<bytes.count) }
    }

    static func sentences(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> [Range<Int>] {
        var found: [Range<Int>] = []
        var start = range.lowerBound
        func end(at place: Int) {
            var end = min(place, range.upperBound)
            while start < end, SentenceRule.isSpace(bytes[start]) { start += 1 }
            let next = end
            while end > start, SentenceRule.isSpace(bytes[end - 1]) { end -= 1 }
            if start < end { found.append(start..<end) }
            start = next
        }
        var place = range.lowerBound
        while place < range.upperBound {
            let byte = bytes[place]
            if byte == 0x0A {
                var next = place + 1
                while next < range.upperBound, bytes[next] == 0x20 || bytes[next] == 9 || bytes[next] == 13 {
                    next += 1
                }
                let isBlank = next < range.upperBound && bytes[next] == 0x0A
                if isBlank { end(at: next + 1) }
                place = isBlank ? next + 1 : next
            } else if SentenceRule.mayStop(byte), let next = SentenceRule.nextStart(bytes, stop: place), next > place {
                end(at: next)
                place = next
            } else {
                place += 1
            }
        }
        end(at: range.upperBound)
        return found
    }
}
