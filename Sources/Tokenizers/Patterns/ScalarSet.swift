/// The characters that one place of a pattern accepts.
package struct ScalarSet: Sendable {
    /// Accepted ASCII, one bit a character, once `finish` has run.
    private var low: UInt64 = 0
    private var high: UInt64 = 0
    private var ranges: [ClosedRange<UInt32>] = []
    private var categories: UInt32 = 0
    private var acceptsSpaces = false
    private var acceptsWords = false
    private var parts: [ScalarSet] = []
    private var intersections: [ScalarSet] = []
    package var isNegated = false

    package init() {}

    package init(_ ranges: [ClosedRange<UInt32>]) {
        self.ranges = ranges
        finish()
    }

    package static func categories(_ categories: UInt32) -> ScalarSet {
        var set = ScalarSet()
        set.categories = categories
        return set.finished()
    }

    /// `\s`
    package static var spaces: ScalarSet {
        var set = ScalarSet()
        set.acceptsSpaces = true
        return set.finished()
    }

    /// `\w`
    package static var words: ScalarSet {
        var set = ScalarSet()
        set.acceptsWords = true
        return set.finished()
    }

    package var negated: ScalarSet {
        var set = self
        set.isNegated.toggle()
        return set.finished()
    }

    package mutating func insert(_ range: ClosedRange<UInt32>) { ranges.append(range) }
    package mutating func insert(_ part: ScalarSet) { parts.append(part) }
    package mutating func intersect(_ other: ScalarSet) { intersections.append(other) }

    /// Adds the other case of every character in it.
    package mutating func ignoreCase() {
        for range in ranges {
            if range.contains(0x53) || range.contains(0x73) { ranges.append(0x17F...0x17F) }
            if range.contains(0x4B) || range.contains(0x6B) { ranges.append(0x212A...0x212A) }
            for value in range.clamped(to: range.lowerBound...min(range.upperBound, range.lowerBound + 1023)) {
                guard let scalar = Unicode.Scalar(value) else { continue }
                for mapping in [scalar.properties.lowercaseMapping, scalar.properties.uppercaseMapping] {
                    let scalars = mapping.unicodeScalars
                    if scalars.count == 1, let other = scalars.first?.value, other != value {
                        ranges.append(other...other)
                    }
                }
            }
        }
    }

    /// Makes the bits of ASCII; to be called after the last change.
    package mutating func finish() {
        low = 0
        high = 0
        for value in UInt32(0)..<128 where evaluate(value) {
            if value < 64 { low |= 1 << UInt64(value) } else { high |= 1 << UInt64(value - 64) }
        }
    }

    private func finished() -> ScalarSet {
        var set = self
        set.finish()
        return set
    }

    @inline(__always)
    package func contains(_ value: UInt32) -> Bool {
        if value < 64 { return low >> UInt64(value) & 1 == 1 }
        if value < 128 { return high >> UInt64(value &- 64) & 1 == 1 }
        return evaluate(value)
    }

    private func evaluate(_ value: UInt32) -> Bool {
        (accepts(value) && intersections.allSatisfy { $0.evaluate(value) }) != isNegated
    }

    private func accepts(_ value: UInt32) -> Bool {
        let entry = ScalarTable.shared.entry(value)
        if categories != 0, categories >> UInt32(entry >> 8 & 31) & 1 == 1 { return true }
        if acceptsSpaces, UInt8(truncatingIfNeeded: entry) & ScalarClass.space.rawValue != 0 { return true }
        if acceptsWords, entry & ScalarTable.wordBit != 0 { return true }
        return ranges.contains { $0.contains(value) } || parts.contains { $0.evaluate(value) }
    }

    /// Scripts that patterns of tokenizers name, from Unicode 16's Scripts.txt.
    package static func script(_ name: String) -> ScalarSet? {
        switch name {
        case "Han", "Script=Han", "sc=Han":
            ScalarSet([
                0x2E80...0x2E99, 0x2E9B...0x2EF3, 0x2F00...0x2FD5, 0x3005...0x3005, 0x3007...0x3007, 0x3021...0x3029,
                0x3038...0x303B, 0x3400...0x4DBF, 0x4E00...0x9FFF, 0xF900...0xFA6D, 0xFA70...0xFAD9,
                0x16FE2...0x16FE3, 0x16FF0...0x16FF1, 0x20000...0x2A6DF, 0x2A700...0x2B739, 0x2B740...0x2B81D,
                0x2B820...0x2CEA1, 0x2CEB0...0x2EBE0, 0x2EBF0...0x2EE5D, 0x2F800...0x2FA1D, 0x30000...0x3134A,
                0x31350...0x323AF,
            ])
        case "Hiragana", "Script=Hiragana", "sc=Hira":
            ScalarSet([
                0x3041...0x3096, 0x309D...0x309F, 0x1B001...0x1B11F, 0x1B132...0x1B132, 0x1B150...0x1B152,
                0x1F200...0x1F200,
            ])
        case "Katakana", "Script=Katakana", "sc=Kana":
            ScalarSet([
                0x30A1...0x30FA, 0x30FD...0x30FF, 0x31F0...0x31FF, 0x32D0...0x32FE, 0x3300...0x3357, 0xFF66...0xFF6F,
                0xFF71...0xFF9D, 0x1AFF0...0x1AFF3, 0x1AFF5...0x1AFFB, 0x1AFFD...0x1AFFE, 0x1B000...0x1B000,
                0x1B120...0x1B122, 0x1B155...0x1B155, 0x1B164...0x1B167,
            ])
        default: nil
        }
    }
}
