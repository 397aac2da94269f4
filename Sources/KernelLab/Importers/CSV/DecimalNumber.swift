/// Reads decimal numbers as tools write them, whatever the locale of this process.
package enum DecimalNumber {
    /// The double nearest to a number such as `-12.5e3` or `1,234,567.8`; nil for anything else.
    ///
    /// Commas are accepted only where they separate thousands: `0,53` is not a number, for it would be read wrongly.
    static func parse(_ text: UnsafeBufferPointer<UInt8>) -> Double? {
        var text = text
        while let byte = text.first, byte == 0x20 { text = UnsafeBufferPointer(rebasing: text.dropFirst()) }
        while let byte = text.last, byte == 0x20 { text = UnsafeBufferPointer(rebasing: text.dropLast()) }
        guard !text.isEmpty, text.count <= 64 else { return nil }
        var mantissa: UInt64 = 0
        var digits = 0
        var scale = 0
        var commas = false
        var sinceComma = 0
        var place = 0
        let isNegative = text[0] == UInt8(ascii: "-")
        if isNegative || text[0] == UInt8(ascii: "+") { place = 1 }
        scan: while place < text.count {
            let byte = text[place]
            switch byte {
            case 0x30...0x39:
                if digits < 19 { mantissa = mantissa &* 10 &+ UInt64(byte - 0x30) } else { scale += 1 }
                if mantissa > 0 { digits += 1 }
                sinceComma += 1
            case 0x2C:
                guard commas ? sinceComma == 3 : (1...3).contains(sinceComma) else { return nil }
                commas = true
                sinceComma = 0
            default: break scan
            }
            place += 1
        }
        if commas && sinceComma != 3 { return nil }
        var hasDigits = sinceComma > 0
        if place < text.count, text[place] == 0x2E {
            place += 1
            while place < text.count, case let byte = text[place], (0x30...0x39).contains(byte) {
                if digits < 19 {
                    mantissa = mantissa &* 10 &+ UInt64(byte - 0x30)
                    scale -= 1
                    if mantissa > 0 { digits += 1 }
                }
                hasDigits = true
                place += 1
            }
        }
        guard hasDigits else { return nil }
        if place < text.count, text[place] | 0x20 == UInt8(ascii: "e") {
            guard let exponent = exponent(UnsafeBufferPointer(rebasing: text[(place + 1)...])) else { return nil }
            scale += exponent
            place = text.count
        }
        guard place == text.count else { return nil }
        // Both are exact doubles, so that one rounding is left (Clinger, PLDI 1990).
        if digits <= 15, abs(scale) <= 22 {
            let value = scale < 0 ? Double(mantissa) / powers[-scale] : Double(mantissa) * powers[scale]
            return isNegative ? -value : value
        }
        let plain = text.filter { $0 != 0x2C }
        guard let value = Double(String(decoding: plain, as: UTF8.self)), value.isFinite else { return nil }
        return value
    }

    package static func parse(_ text: String) -> Double? {
        var text = text
        return text.withUTF8 { parse($0) }
    }

    private static func exponent(_ text: UnsafeBufferPointer<UInt8>) -> Int? {
        guard !text.isEmpty, text.count <= 6 else { return nil }
        return Int(String(decoding: text, as: UTF8.self))
    }

    private static let powers: [Double] = (0...22).map { exponent in
        (0..<exponent).reduce(1.0) { power, _ in power * 10 }
    }
}
