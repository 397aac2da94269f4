internal import Glibc
internal import LanguageModels

extension Jinja {
    /// How a value is laid out: what stands between `%` and its letter, or after the colon in braces.
    struct Layout {
        var fill: Text = Text(" ")
        /// Alignment `<`, `>`, `^`, or `=`; `nil` if the type of the value decides.
        var alignment: Character?
        var alwaysSigned = false
        var spaceForSign = false
        var alternate = false
        var width = 0
        var groups = ""
        var precision: Int?
        var letter: Character = "s"
    }
}

extension Jinja.Evaluator {
    /// Python's `format % values`; what goes into a marked text is escaped.
    func percentFormat(_ format: Text, _ values: Value) throws(ChatTemplateError) -> Text {
        var positional = [values]
        if case .tuple(let list) = values.content { positional = list.elements }
        var next = 0
        var usesNames = false
        var result = format.slice(0..<0)
        var index = 0
        func take() throws(ChatTemplateError) -> Value {
            guard next < positional.count else { throw .failure("a format has too few values.") }
            next += 1
            return positional[next - 1]
        }
        while index < format.count {
            guard format.bytes[index] == 0x25 else {
                let end = format.bytes[index...].firstIndex(of: 0x25) ?? format.count
                result.append(format, index..<end)
                index = end
                continue
            }
            let start = index
            index += 1
            func peek() throws(ChatTemplateError) -> UInt8 {
                guard index < format.count else { throw .failure("a format ends after `%`.") }
                return format.bytes[index]
            }
            if try peek() == 0x25 {
                result.append("%", format.origin(at: start))
                index += 1
                continue
            }
            var named: Value?
            if try peek() == 0x28 {
                guard let end = format.bytes[index...].firstIndex(of: 0x29),
                    case .dictionary(let mapping) = values.content
                else { throw .failure("a format with names needs a dictionary.") }
                guard let value = mapping[.text(format.slice((index + 1)..<end))] else {
                    throw .failure("a value named in the format is missing.")
                }
                named = value
                usesNames = true
                index = end + 1
            }
            var layout = Jinja.Layout()
            flags: while true {
                switch try peek() {
                case 0x2D: layout.alignment = "<"
                case 0x2B: layout.alwaysSigned = true
                case 0x20: layout.spaceForSign = true
                case 0x23: layout.alternate = true
                case 0x30: if layout.alignment == nil { layout.fill = Text("0") }
                default: break flags
                }
                index += 1
            }
            func number() throws(ChatTemplateError) -> Int? {
                if try peek() == 0x2A {
                    index += 1
                    return try take().integer("a width")
                }
                var value: Int?
                while case let digit = try peek(), digit >= 0x30, digit <= 0x39 {
                    value = min((value ?? 0) * 10 + Int(digit - 0x30), 1 << 32)
                    index += 1
                }
                return value
            }
            let width = try number() ?? 0
            if width < 0 { layout.alignment = "<" }
            layout.width = Int(clamping: width.magnitude)
            if try peek() == 0x2E {
                index += 1
                layout.precision = max(0, try number() ?? 0)
            }
            while [0x6C, 0x68, 0x4C].contains(try peek()) { index += 1 }
            layout.letter = Character(Unicode.Scalar(try peek()))
            index += 1
            if named == nil { named = try take() }
            let text = try percentValue(named ?? .none, layout, escapes: format.isMarkup)
            result.append(text)
            try allow(bytes: result.count)
        }
        if !usesNames, next < positional.count, values.typeName != "dictionary" || next > 0 {
            if case .tuple = values.content { throw .failure("a format has too many values.") }
            if next == 0, values.typeName != "list" { throw .failure("a format has too many values.") }
        }
        return result
    }

    private func percentValue(
        _ value: Value, _ layout: Jinja.Layout, escapes: Bool
    ) throws(ChatTemplateError) -> Text {
        var layout = layout
        switch layout.letter {
        case "s", "r", "a":
            var text = try layout.letter == "s" ? softText(value) : represented(value)
            if escapes { text = text.escaped }
            if let precision = layout.precision {
                let boundaries = text.boundaries
                text = text.slice(0..<boundaries[min(precision, boundaries.count - 1)])
            }
            layout.fill = Text(" ")
            layout.alignment = layout.alignment ?? ">"
            return try padded(text, layout)
        case "c":
            if let text = value.text, text.length == 1 { return try padded(text, layout) }
            guard let code = value.index, let scalar = Unicode.Scalar(UInt32(clamping: code)) else {
                throw .failure("`%c` needs one character or its code point.")
            }
            return try padded(Text(String(scalar), value.origin), layout)
        case "d", "i", "u", "x", "X", "o", "e", "E", "f", "F", "g", "G":
            if layout.letter == "i" || layout.letter == "u" { layout.letter = "d" }
            if layout.fill == Text("0"), layout.alignment == nil { layout.alignment = "=" }
            if layout.alignment == "<" { layout.fill = Text(" ") }
            var value = value
            if layout.letter == "d", case .number(let number) = value.content {
                guard let integer = Int(exactly: number.rounded(.towardZero)) else {
                    throw .failure("an infinite or NaN value cannot be formatted as an integer.")
                }
                value = .integer(integer)
            }
            return try formatted(value, layout)
        default: throw .failure("unknown format `%\(layout.letter)`.")
        }
    }

    func represented(_ value: Value) throws(ChatTemplateError) -> Text {
        try charge(value.extent.size)
        let text = value.represented
        try allow(bytes: text.count)
        return text
    }

    /// A number by its letter, with sign, groups and padding.
    func formatted(_ value: Value, _ layout: Jinja.Layout) throws(ChatTemplateError) -> Text {
        guard let number = value.double else {
            throw .failure(value.undefinedReason ?? "the format needs a number, not \(value.typePhrase).")
        }
        if (layout.precision ?? 0) > 1000 { throw .limit("a number exceeds 1,000 digits after the decimal point.") }
        var digits: String
        switch layout.letter {
        case "d", "x", "X", "o", "b":
            guard let integer = value.index else {
                throw .failure("the format needs an integer, not \(value.typePhrase).")
            }
            let radix = ["x": 16, "X": 16, "o": 8, "b": 2][layout.letter] ?? 10
            digits = String(integer.magnitude, radix: radix, uppercase: layout.letter == "X")
            if let precision = layout.precision, digits.count < precision {
                digits = String(repeating: "0", count: precision - digits.count) + digits
            }
        case "n" where layout.precision == nil && value.index == nil:
            digits = Jinja.Numerals.printed("%.*g", number.magnitude, 6)
        case "r": digits = Jinja.pythonDigits(number.magnitude)
        default:
            let conversion = layout.letter == "%" ? "f" : String(layout.letter)
            let scaled = layout.letter == "%" ? number.magnitude * 100 : number.magnitude
            digits = Jinja.Numerals.printed(
                (layout.alternate ? "%#.*" : "%.*") + conversion, scaled, layout.precision ?? 6)
            if layout.letter == "%" { digits += "%" }
        }
        if !layout.groups.isEmpty { digits = Self.grouped(digits, layout.groups) }
        var sign = number < 0 || number.sign == .minus && value.index == nil ? "-" : ""
        if sign.isEmpty { sign = layout.alwaysSigned ? "+" : layout.spaceForSign ? " " : "" }
        if layout.alternate, let prefix = ["x": "0x", "X": "0X", "o": "0o", "b": "0b"][layout.letter] {
            sign += prefix
        }
        var layout = layout
        layout.alignment = layout.alignment ?? ">"
        if layout.alignment == "=" {
            var inner = layout
            inner.alignment = ">"
            inner.width = max(0, layout.width - sign.utf8.count)
            var result = Text(sign, value.origin)
            result.append(try padded(Text(digits, value.origin), inner))
            return result
        }
        return try padded(Text(sign + digits, value.origin), layout)
    }

    /// Digits before the point in groups of three.
    private static func grouped(_ digits: String, _ separator: String) -> String {
        let whole = digits.prefix { $0.isNumber }
        var result = ""
        for (position, digit) in whole.enumerated() {
            if position > 0, (whole.count - position) % 3 == 0 { result += separator }
            result.append(digit)
        }
        return result + digits.dropFirst(whole.count)
    }

    /// A text padded to a width.
    func padded(_ text: Text, _ layout: Jinja.Layout) throws(ChatTemplateError) -> Text {
        let missing = layout.width - text.length
        if missing <= 0 { return text }
        let (bytes, overflow) = missing.multipliedReportingOverflow(by: max(1, layout.fill.count))
        try allow(bytes: overflow ? .max : bytes)
        let before = layout.alignment == "<" ? 0 : layout.alignment == "^" ? missing / 2 : missing
        var result = Text()
        for _ in 0..<before { result.append(layout.fill) }
        result.append(text)
        for _ in before..<missing { result.append(layout.fill) }
        return result
    }
}
