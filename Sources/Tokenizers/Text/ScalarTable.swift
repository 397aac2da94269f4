internal import Synchronization

/// What every scanner asks of a character, as bits, so that "a run of letters" is one load and one mask a character.
///
/// General categories are those of Unicode 16, which the tokenizers that models were trained with know: a character
/// that is newer counts as unassigned.
package struct ScalarClass: OptionSet, Sendable {
    package let rawValue: UInt8
    package init(rawValue: UInt8) { self.rawValue = rawValue }

    /// `\p{L}`
    package static let letter = ScalarClass(rawValue: 1)
    /// `\p{N}`
    package static let number = ScalarClass(rawValue: 2)
    /// `\s`: White_Space.
    package static let space = ScalarClass(rawValue: 4)
    /// `[\r\n]`
    package static let newline = ScalarClass(rawValue: 8)
    /// `\p{M}`
    package static let mark = ScalarClass(rawValue: 16)
    /// None of the above.
    package static let other = ScalarClass(rawValue: 32)
    /// `[\p{Lu}\p{Lt}\p{Lm}\p{Lo}\p{M}]`: what a capitalized word may begin with.
    package static let upper = ScalarClass(rawValue: 64)
    /// `[\p{Ll}\p{Lm}\p{Lo}\p{M}]`: what a word may go on with.
    package static let lower = ScalarClass(rawValue: 128)
}

/// General category and classes of every scalar, in pages of 256 that are made when they are first asked for.
///
/// An entry is `category << 8 | class bits`, bit 13 for `\w`, and bits 14 and 15 for what BERT's vocabularies take for
/// punctuation and for accents: they were cut by tables of Unicode 8.
package final class ScalarTable: @unchecked Sendable {
    // Sendable: a page is written before its address is published, and never after.
    package static let shared = ScalarTable()

    /// The class bits of ASCII; 0 of every byte above it.
    package let ascii: UnsafePointer<UInt8>
    private let pages: UnsafeMutablePointer<Atomic<UInt>>
    private static let pageCount = 0x1100

    /// The bit of an entry that says `\w`: letters, marks, decimal digits, connectors, joiners.
    package static let wordBit: UInt16 = 1 << 13

    /// The bits that say that BERT's cleaning takes a character for punctuation, or for an accent.
    package static let punctuationBit: UInt16 = 1 << 14
    package static let accentBit: UInt16 = 1 << 15

    private init() {
        pages = .allocate(capacity: Self.pageCount)
        for page in 0..<Self.pageCount { (pages + page).initialize(to: Atomic(0)) }
        let ascii = UnsafeMutablePointer<UInt8>.allocate(capacity: 256)
        ascii.initialize(repeating: 0, count: 256)
        for byte in 0..<128 { ascii[byte] = UInt8(truncatingIfNeeded: Self.entry(of: UInt32(byte))) }
        self.ascii = UnsafePointer(ascii)
    }

    /// Returns the entry of a scalar; an invalid value has the entry of unassigned scalars.
    @inline(__always)
    package func entry(_ scalar: UInt32) -> UInt16 {
        let page = Int(min(scalar, 0x10FFFF) >> 8)
        if let known = UnsafePointer<UInt16>(bitPattern: pages[page].load(ordering: .acquiring)) {
            return known[Int(scalar & 0xFF)]
        }
        return make(page: page)[Int(scalar & 0xFF)]
    }

    @inline(__always)
    package func classes(_ scalar: UInt32) -> UInt8 { UInt8(truncatingIfNeeded: entry(scalar)) }

    /// The general category's number, as `GeneralCategories` counts them.
    @inline(__always)
    package func category(_ scalar: UInt32) -> Int { Int(entry(scalar) >> 8) & 31 }

    private func make(page: Int) -> UnsafePointer<UInt16> {
        let entries = UnsafeMutablePointer<UInt16>.allocate(capacity: 256)
        for index in 0..<256 { (entries + index).initialize(to: Self.entry(of: UInt32(page << 8 | index))) }
        let address = UInt(bitPattern: entries)
        let (exchanged, original) = pages[page].compareExchange(
            expected: 0, desired: address, ordering: .acquiringAndReleasing)
        if exchanged { return UnsafePointer(entries) }
        entries.deallocate()
        return UnsafePointer(bitPattern: original)!
    }

    private static func entry(of value: UInt32) -> UInt16 {
        guard let scalar = Unicode.Scalar(value) else {
            return UInt16(GeneralCategories.unassigned) << 8 | UInt16(ScalarClass.other.rawValue)
        }
        let properties = scalar.properties
        let isKnown = (properties.age?.major ?? 0) <= 16
        let category = isKnown ? GeneralCategories.number(of: properties.generalCategory) : GeneralCategories.unassigned
        let set = UInt32(1) << UInt32(category)
        var classes: ScalarClass = []
        if set & GeneralCategories.letters != 0 { classes.insert(.letter) }
        if set & GeneralCategories.numbers != 0 { classes.insert(.number) }
        if set & GeneralCategories.marks != 0 { classes.formUnion([.mark, .upper, .lower]) }
        if properties.isWhitespace { classes.insert(.space) }
        if value == 10 || value == 13 { classes.insert(.newline) }
        if classes.isEmpty { classes.insert(.other) }
        if set & GeneralCategories.lowercase != 0 { classes.insert(.lower) }
        if set & (GeneralCategories.uppercase | GeneralCategories.titlecase) != 0 { classes.insert(.upper) }
        if set & (GeneralCategories.modifiers | GeneralCategories.otherLetters) != 0 {
            classes.formUnion([.lower, .upper])
        }
        let isWord =
            set & GeneralCategories.word != 0 || (isKnown && properties.isAlphabetic) || value == 0x200C
            || value == 0x200D
        return UInt16(category) << 8 | UInt16(classes.rawValue) | (isWord ? wordBit : 0)
            | bertBits(value, set, properties.age?.major ?? 99)
    }

    /// Punctuation and nonspacing marks as Unicode 8 had them.
    private static func bertBits(_ value: UInt32, _ set: UInt32, _ age: Int) -> UInt16 {
        if value < 128 {
            let isAlphanumeric = set & (GeneralCategories.letters | GeneralCategories.numbers) != 0
            return value > 32 && value < 127 && !isAlphanumeric ? punctuationBit : 0
        }
        switch value {
        // Their categories have changed since.
        case 0x166D, 0x111C9: return punctuationBit
        case 0x1885, 0x1886, 0xA9BD: return 0
        case 0x1734, 0x1171E: return accentBit
        default: break
        }
        if age > 8 { return 0 }
        if set & GeneralCategories.punctuation != 0 { return punctuationBit }
        return set & GeneralCategories.nonspacingMarks != 0 ? accentBit : 0
    }
}
