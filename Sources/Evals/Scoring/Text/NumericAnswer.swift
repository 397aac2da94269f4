/// A number in a text, as people write it: `1,234.5`, `-3/4`, `12 %`, `$ 5`, `1e-3`.
public struct NumericAnswer: Hashable, Sendable {
    /// Value of the number, divided by 100 if it has a percent sign.
    public var value: Double
    /// Whether a percent sign follows.
    public var isPercent: Bool
    /// Text of the number as written.
    public var text: String

    /// Returns every number of a text in order. O(length).
    public static func all(in text: some StringProtocol) -> [NumericAnswer] {
        let bytes = Array(text.utf8.prefix(1_000_000))
        var numbers: [NumericAnswer] = []
        var place = 0
        while place < bytes.count {
            guard
                isDigit(bytes[place]) || (bytes[place] == 0x2E && place + 1 < bytes.count && isDigit(bytes[place + 1]))
            else {
                place += 1
                continue
            }
            // Digits inside a word, as in "x2", belong to the word.
            if place > 0, isLetter(bytes[place - 1]) {
                while place < bytes.count, isDigit(bytes[place]) || isLetter(bytes[place]) { place += 1 }
                continue
            }
            let start = place
            guard let first = plain(bytes, &place) else { continue }
            var value = first
            var rest = place
            skipSpaces(bytes, &rest)
            if rest < bytes.count, bytes[rest] == 0x2F {
                rest += 1
                skipSpaces(bytes, &rest)
                if rest < bytes.count, isDigit(bytes[rest]), let below = plain(bytes, &rest), below != 0 {
                    value /= below
                    place = rest
                }
            }
            let isNegative = sign(bytes, before: start)
            rest = place
            skipSpaces(bytes, &rest)
            let isPercent = rest < bytes.count && bytes[rest] == 0x25
            if isPercent { place = rest + 1 }
            value = (isNegative ? -value : value) / (isPercent ? 100 : 1)
            let written = (isNegative ? "-" : "") + String(decoding: bytes[start..<place], as: UTF8.self)
            numbers.append(NumericAnswer(value: value, isPercent: isPercent, text: written))
        }
        return numbers
    }

    /// Parses digits with thousands separators, a fraction, and an exponent.
    private static func plain(_ bytes: [UInt8], _ place: inout Int) -> Double? {
        var digits: [UInt8] = []
        while place < bytes.count {
            if isDigit(bytes[place]) {
                digits.append(bytes[place])
            } else if bytes[place] == 0x2C, !digits.isEmpty, isGroup(bytes, place + 1) {
                // A comma before exactly three digits separates thousands.
            } else {
                break
            }
            place += 1
        }
        if place + 1 < bytes.count, bytes[place] == 0x2E, isDigit(bytes[place + 1]) {
            digits.append(0x2E)
            place += 1
            while place < bytes.count, isDigit(bytes[place]) {
                digits.append(bytes[place])
                place += 1
            }
        }
        var end = place
        if end < bytes.count, bytes[end] | 0x20 == 0x65 {
            end += 1
            if end < bytes.count, bytes[end] == 0x2B || bytes[end] == 0x2D { end += 1 }
            if end < bytes.count, isDigit(bytes[end]) {
                while end < bytes.count, isDigit(bytes[end]) { end += 1 }
                digits += bytes[place..<end]
                place = end
            }
        }
        guard digits.count <= 400, let value = Double(String(decoding: digits, as: UTF8.self)), value.isFinite else {
            return nil
        }
        return value
    }

    private static func isGroup(_ bytes: [UInt8], _ place: Int) -> Bool {
        guard place + 3 <= bytes.count, bytes[place..<place + 3].allSatisfy(isDigit) else { return false }
        return place + 3 == bytes.count || !isDigit(bytes[place + 3])
    }

    /// Returns whether a minus sign precedes a number; a minus between two operands, as in `5-3` or `5 - 3`, is not a
    /// sign.
    private static func sign(_ bytes: [UInt8], before start: Int) -> Bool {
        var place = start - 1
        while place >= 0, bytes[place] == 0x20 || bytes[place] == 0x24 { place -= 1 }
        let isUnicode = place >= 2 && bytes[place] == 0x92 && bytes[place - 1] == 0x88 && bytes[place - 2] == 0xE2
        guard isUnicode || (place >= 0 && bytes[place] == 0x2D) else { return false }
        var before = place - (isUnicode ? 3 : 1)
        let isApart = before >= 0 && bytes[before] == 0x20
        while before >= 0, bytes[before] == 0x20 { before -= 1 }
        guard before >= 0 else { return true }
        let isOperand = isDigit(bytes[before]) || isLetter(bytes[before]) || bytes[before] == 0x29
        // "is -3" is negative, "5 - 3" and "5-3" are differences, "- 3" after a word is a dash.
        return !isOperand || (isApart && place + 1 == start && !isDigit(bytes[before]))
    }

    private static func skipSpaces(_ bytes: [UInt8], _ place: inout Int) {
        while place < bytes.count, bytes[place] == 0x20 { place += 1 }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { byte >= 0x30 && byte <= 0x39 }
    private static func isLetter(_ byte: UInt8) -> Bool {
        (byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A) || byte == 0x5F
    }
}
