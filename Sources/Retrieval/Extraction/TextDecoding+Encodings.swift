extension TextDecoding {
    static func latin1(_ bytes: UnsafeBufferPointer<UInt8>) -> DecodedText {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count + bytes.count / 8)
        var builder = OffsetMap.Builder()
        for (place, byte) in bytes.enumerated() {
            guard byte >= 0x80 else {
                builder.add(text: output.count, source: place)
                output.append(byte)
                continue
            }
            let scalar = windows1252(byte)
            let units = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            builder.add(text: output.count, source: place, textStep: units.count)
            output.append(contentsOf: units)
        }
        return DecodedText(
            text: String(decoding: output, as: UTF8.self), offsets: builder.map(base: 0),
            note: "Read as Latin-1 (Windows-1252), because it is not UTF-8")
    }

    /// Returns the scalar of a byte. Windows-1252 differs from Latin-1 in 32 places; five of them are empty and stay
    /// control characters.
    static func windows1252(_ byte: UInt8) -> Unicode.Scalar {
        guard (0x80...0x9F).contains(byte) else { return Unicode.Scalar(byte) }
        return Unicode.Scalar(specials[Int(byte) - 0x80]) ?? Unicode.Scalar(byte)
    }

    private static let specials: [UInt16] = [
        0x20AC, 0x81, 0x201A, 0x0192, 0x201E, 0x2026, 0x2020, 0x2021, 0x02C6, 0x2030, 0x0160, 0x2039, 0x0152, 0x8D,
        0x017D, 0x8F, 0x90, 0x2018, 0x2019, 0x201C, 0x201D, 0x2022, 0x2013, 0x2014, 0x02DC, 0x2122, 0x0161, 0x203A,
        0x0153, 0x9D, 0x017E, 0x0178,
    ]

    static func utf16(_ bytes: UnsafeBufferPointer<UInt8>, from start: Int, isLittle: Bool) -> DecodedText {
        var output: [UInt8] = []
        output.reserveCapacity(bytes.count)
        var builder = OffsetMap.Builder()
        var damaged = 0
        func unit(_ place: Int) -> UInt16? {
            guard place + 1 < bytes.count else { return nil }
            let (a, b) = (UInt16(bytes[place]), UInt16(bytes[place + 1]))
            return isLittle ? a | b << 8 : b | a << 8
        }
        var place = start
        while place < bytes.count {
            var length = 2
            var scalar = Unicode.Scalar(0xFFFD as UInt16)
            if let first = unit(place) {
                if let low = unit(place + 2), (0xD800..<0xDC00).contains(first), (0xDC00..<0xE000).contains(low) {
                    scalar = Unicode.Scalar(0x10000 + (UInt32(first) - 0xD800) << 10 + (UInt32(low) - 0xDC00))
                    length = 4
                } else {
                    scalar = Unicode.Scalar(first)
                }
            } else {
                length = 1
                scalar = nil
            }
            if scalar == nil { damaged += 1 }
            let units = UTF8.encode(scalar ?? "\u{FFFD}") ?? UTF8.encodedReplacementCharacter
            builder.add(text: output.count, source: place - start, textStep: units.count, sourceStep: length)
            output.append(contentsOf: units)
            place += length
        }
        let name = "UTF-16 (\(isLittle ? "little" : "big")-endian)"
        return DecodedText(
            text: String(decoding: output, as: UTF8.self), offsets: builder.map(base: start),
            note: damaged == 0
                ? "Read as \(name)" : "Read as \(name); invalid sequences (\(damaged)) are shown as U+FFFD")
    }
}
