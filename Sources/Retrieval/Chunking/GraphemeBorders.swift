/// Start positions of the Characters in a text, one bit per byte.
///
/// ASCII and the scripts whose letters never join (``isPlain(_:)``) are seen by hand; only stretches with anything else
/// go through the standard library's rules, which are those of Unicode (UAX #29).
struct GraphemeBorders {
    private var words: [UInt64]
    let count: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        count = bytes.count
        words = [UInt64](repeating: ~0, count: count / 64 + 1)
        guard let base = UnsafeRawPointer(bytes.baseAddress) else { return }
        var place = 0
        var previous = 0
        words.withUnsafeMutableBufferPointer { words in
            while place < bytes.count {
                // Eight at once where all are ASCII and none is a carriage return.
                if place + 8 <= bytes.count {
                    let eight = base.loadUnaligned(fromByteOffset: place, as: UInt64.self)
                    let returns = eight ^ 0x0D0D_0D0D_0D0D_0D0D
                    let hasReturn = (returns &- 0x0101_0101_0101_0101) & ~returns & 0x8080_8080_8080_8080 != 0
                    if eight & 0x8080_8080_8080_8080 == 0, !hasReturn {
                        if bytes[place] == 0x0A, place > 0, bytes[place - 1] == 0x0D { Self.clear(&words, place) }
                        place += 8
                        previous = place - 1
                        continue
                    }
                }
                let (scalar, length) = Self.scalar(bytes, place)
                if scalar < 0x80 {
                    if scalar == 0x0A, place > 0, bytes[place - 1] == 0x0D { Self.clear(&words, place) }
                } else if Self.isPlain(scalar) {
                    for offset in 1..<length { Self.clear(&words, place + offset) }
                } else {
                    let end = Self.stretch(bytes, from: place)
                    Self.mark(bytes, previous..<end, &words)
                    previous = Self.lastScalar(bytes, before: end)
                    place = end
                    continue
                }
                previous = place
                place += length
            }
        }
    }

    private static func clear(_ words: inout UnsafeMutableBufferPointer<UInt64>, _ place: Int) {
        words[place >> 6] &= ~(1 << UInt64(place & 63))
    }

    /// Returns the end of a stretch of scalars with rules of their own, and of one plain scalar behind it.
    private static func stretch(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int) -> Int {
        var place = start
        while place < bytes.count {
            let (scalar, length) = scalar(bytes, place)
            place += length
            if isPlain(scalar) { break }
        }
        return min(place, bytes.count)
    }

    private static func lastScalar(_ bytes: UnsafeBufferPointer<UInt8>, before end: Int) -> Int {
        var place = end - 1
        while place > 0, bytes[place] & 0xC0 == 0x80 { place -= 1 }
        return max(0, place)
    }

    private static func mark(
        _ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>, _ words: inout UnsafeMutableBufferPointer<UInt64>
    ) {
        for place in range.dropFirst() { clear(&words, place) }
        let text = String(decoding: UnsafeBufferPointer(rebasing: bytes[range]), as: UTF8.self)
        var place = range.lowerBound
        for character in text {
            if place > range.lowerBound { words[place >> 6] |= 1 << UInt64(place & 63) }
            place += character.utf8.count
            // Damaged bytes would have become longer ones.
            if place >= range.upperBound { break }
        }
    }

    /// Returns the scalar at a place of valid UTF-8, and its length.
    static func scalar(_ bytes: UnsafeBufferPointer<UInt8>, _ place: Int) -> (value: UInt32, length: Int) {
        let first = UInt32(bytes[place])
        if first < 0x80 { return (first, 1) }
        func next(_ offset: Int) -> UInt32 {
            place + offset < bytes.count ? UInt32(bytes[place + offset]) & 0x3F : 0
        }
        if first < 0xE0 { return ((first & 0x1F) << 6 | next(1), min(2, bytes.count - place)) }
        if first < 0xF0 { return ((first & 0x0F) << 12 | next(1) << 6 | next(2), min(3, bytes.count - place)) }
        return ((first & 7) << 18 | next(1) << 12 | next(2) << 6 | next(3), min(4, bytes.count - place))
    }

    /// Whether two neighbors of this sort always have a border between them (a return and its line feed apart).
    static func isPlain(_ scalar: UInt32) -> Bool {
        switch scalar {
        case 0..<0x300, 0x370..<0x483, 0x48A..<0x530, 0x5D0..<0x5EB, 0x620..<0x64B, 0x1E00..<0x2000, 0x2010..<0x2028,
            0x2030..<0x205F, 0x20A0..<0x20C0, 0x2100..<0x2C00, 0x3001..<0x302A, 0x3041..<0x3097, 0x30A0..<0x3100,
            0x3400..<0x4DC0, 0x4E00..<0xA000, 0xAC00..<0xD7A4, 0xFF01..<0xFF61:
            true
        default: false
        }
    }

    func isBorder(_ place: Int) -> Bool {
        place >= count || words[place >> 6] >> UInt64(place & 63) & 1 != 0
    }

    /// Returns the border at a place or the last one before it.
    func rounded(down place: Int) -> Int {
        var place = min(place, count)
        while place > 0, !isBorder(place) { place -= 1 }
        return place
    }

    /// Returns the Characters that begin in a range.
    func count(in range: Range<Int>) -> Int {
        guard !range.isEmpty else { return 0 }
        let (first, last) = (range.lowerBound >> 6, (range.upperBound - 1) >> 6)
        let head = ~UInt64(0) << UInt64(range.lowerBound & 63)
        let tail = ~UInt64(0) >> UInt64(63 - (range.upperBound - 1) & 63)
        if first == last { return (words[first] & head & tail).nonzeroBitCount }
        var sum = (words[first] & head).nonzeroBitCount + (words[last] & tail).nonzeroBitCount
        for word in first + 1..<last { sum += words[word].nonzeroBitCount }
        return sum
    }

    /// Returns the border `characters` Characters after `place`, or the end of the text.
    func advanced(_ place: Int, by characters: Int) -> Int {
        guard place < count else { return count }
        var left = characters
        var word = place >> 6
        // The Character that begins at the place is the first of them.
        var bits = words[word] & (~UInt64(0) << UInt64(place & 63))
        while true {
            let ones = bits.nonzeroBitCount
            if ones > left { break }
            left -= ones
            word += 1
            guard word < words.count else { return count }
            bits = words[word]
        }
        for _ in 0..<left { bits &= bits - 1 }
        return min(count, word << 6 + bits.trailingZeroBitCount)
    }

    /// Returns the border `characters` Characters before `place`, or 0.
    func retreated(_ place: Int, by characters: Int) -> Int {
        guard place > 0, characters > 0 else { return max(0, place) }
        var left = characters
        var word = (place - 1) >> 6
        var bits = words[word] & (~UInt64(0) >> UInt64(63 - (place - 1) & 63))
        while true {
            let ones = bits.nonzeroBitCount
            if ones >= left { break }
            left -= ones
            word -= 1
            guard word >= 0 else { return 0 }
            bits = words[word]
        }
        for _ in 1..<left { bits &= ~(1 << UInt64(63 - bits.leadingZeroBitCount)) }
        return word << 6 + 63 - bits.leadingZeroBitCount
    }
}
