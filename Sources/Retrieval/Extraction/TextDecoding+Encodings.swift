internal import Bytes

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
            let scalar = Windows1252.scalar(byte)
            let units = UTF8.encode(scalar) ?? UTF8.encodedReplacementCharacter
            builder.add(text: output.count, source: place, textStep: units.count)
            output.append(contentsOf: units)
        }
        return DecodedText(
            text: String(decoding: output, as: UTF8.self), offsets: builder.map(base: 0),
            note: "Read as Latin-1 (Windows-1252), because it is not UTF-8")
    }

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
