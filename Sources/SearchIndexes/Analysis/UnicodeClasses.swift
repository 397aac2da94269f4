/// What characters are to a word splitter, as Python's `re` and `str.lower` see them.
enum UnicodeClasses {
    static let word: UInt8 = 1
    static let decimal: UInt8 = 2
    static let cjk: UInt8 = 4
    /// Its lower case depends on what is around, or is more than one character.
    static let special: UInt8 = 8

    struct Entry {
        /// Lower case.
        var lower: UInt32
        var flags: UInt8
    }

    /// Of all characters of the basic plane, made at first use in some milliseconds.
    private static let table: [Entry] = (0..<0x1_0000).map {
        Unicode.Scalar($0).map(look) ?? Entry(lower: $0, flags: 0)
    }

    static func of(_ scalar: Unicode.Scalar) -> Entry {
        scalar.value < 0x1_0000 ? table[Int(scalar.value)] : look(scalar)
    }

    /// Of each ASCII byte the lower-case byte where it belongs to a word, or 0.
    static let asciiWords: [UInt8] = (0..<256).map { byte in
        switch UInt8(byte) {
        case 0x41...0x5A: UInt8(byte) | 0x20
        case 0x61...0x7A, 0x30...0x39, 0x5F: UInt8(byte)
        default: 0
        }
    }

    private static func look(_ scalar: Unicode.Scalar) -> Entry {
        let mapping = scalar.properties.lowercaseMapping.unicodeScalars
        let lower = mapping.first ?? scalar
        var flags = isWord(lower) ? word : 0
        if lower.properties.generalCategory == .decimalNumber { flags |= decimal }
        if isCJK(lower.value) { flags |= cjk }
        if mapping.count != 1 || scalar.value == 0x3A3 { flags |= special }
        return Entry(lower: lower.value, flags: flags)
    }

    /// `str.isalnum`, or an underscore: letters and whatever has a numeric value; marks are not in words.
    private static func isWord(_ scalar: Unicode.Scalar) -> Bool {
        if scalar == "_" { return true }
        let properties = scalar.properties
        switch properties.generalCategory {
        case .uppercaseLetter, .lowercaseLetter, .titlecaseLetter, .modifierLetter, .otherLetter, .decimalNumber:
            return true
        default: return properties.numericType != nil
        }
    }

    /// Scripts that are written without spaces between words, and Hangul.
    private static func isCJK(_ value: UInt32) -> Bool {
        switch value {
        case 0x1100...0x11FF, 0x3005...0x3007, 0x3040...0x30FF, 0x3130...0x318F, 0x31F0...0x31FF, 0x3400...0x4DBF,
            0x4E00...0x9FFF, 0xA960...0xA97F, 0xAC00...0xD7FF, 0xF900...0xFAFF, 0xFF66...0xFFDC, 0x1_B000...0x1_B16F,
            0x2_0000...0x3_FFFF:
            true
        default: false
        }
    }

    /// Latin letters of the first two blocks without their accents, from U+00C0; a dot keeps the letter.
    private static let folded = Array(
        ("AAAAAA.CEEEEIIII.NOOOOO.OUUUUY..aaaaaa.ceeeeiiii.nooooo.ouuuuy.yAaAaAaCcCcCcCcDdDdEeEeEeEeEeGgGgGgGgHhHhIiIiIiIiI."
            + "..JjKk.LlLlLlLlLlNnNnNn...OoOoOo..RrRrRrSsSsSsSsTtTtTtUuUuUuUuUuUuWwYyYZzZzZz.").utf8)

    static func fold(_ value: UInt32) -> UInt32 {
        guard value >= 0xC0, value < 0xC0 + UInt32(folded.count) else { return value }
        let letter = folded[Int(value - 0xC0)]
        return letter == 0x2E ? value : UInt32(letter)
    }
}
