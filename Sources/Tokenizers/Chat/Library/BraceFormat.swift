internal import LanguageModels

extension Jinja.Evaluator {
    /// Python's `format.format(...)`: `{}`, `{0}`, `{name.attribute[item]!r:>10}`.
    func braceFormat(_ format: Text, _ arguments: Jinja.Arguments) throws(ChatTemplateError) -> Text {
        var next = 0
        return try braceFormat(format, arguments, &next, level: 0)
    }

    private func braceFormat(
        _ format: Text, _ arguments: Jinja.Arguments, _ next: inout Int, level: Int
    ) throws(ChatTemplateError) -> Text {
        var result = format.slice(0..<0)
        var index = 0
        while index < format.count {
            let byte = format.bytes[index]
            if byte != 0x7B, byte != 0x7D {
                let end = format.bytes[index...].firstIndex { $0 == 0x7B || $0 == 0x7D } ?? format.count
                result.append(format, index..<end)
                index = end
            } else if index + 1 < format.count, format.bytes[index + 1] == byte {
                result.append(format, index..<(index + 1))
                index += 2
            } else if byte == 0x7D {
                throw .failure("single `}` in a format. Use `}}`.")
            } else {
                let end = try fieldEnd(format, from: index + 1)
                let field = format.slice((index + 1)..<end)
                result.append(try value(ofField: field, arguments, &next, level: level))
                try allow(bytes: result.count)
                index = end + 1
            }
        }
        return result
    }

    /// Where the closing brace of a field is.
    private func fieldEnd(_ format: Text, from start: Int) throws(ChatTemplateError) -> Int {
        var open = 1
        for index in start..<format.count {
            if format.bytes[index] == 0x7B { open += 1 }
            if format.bytes[index] == 0x7D { open -= 1 }
            if open == 0 { return index }
        }
        throw .failure("unclosed `{` in a format.")
    }

    private func value(
        ofField field: Text, _ arguments: Jinja.Arguments, _ next: inout Int, level: Int
    ) throws(ChatTemplateError) -> Text {
        if level > 1 { throw .failure("a format is nested too deeply.") }
        var name = field
        var layout = Text()
        var conversion: Text?
        // A bracket may hold a colon or an exclamation mark.
        var inBracket = false
        for (index, byte) in field.bytes.enumerated() {
            if byte == 0x5B { inBracket = true }
            if byte == 0x5D { inBracket = false }
            guard !inBracket, byte == 0x3A || byte == 0x21 else { continue }
            name = field.slice(0..<index)
            if byte == 0x3A {
                layout = field.slice((index + 1)..<field.count)
            } else {
                let rest = field.slice((index + 1)..<field.count)
                conversion = rest.slice(0..<min(1, rest.count))
                if rest.count > 1 {
                    guard rest.bytes[1] == 0x3A else { throw .failure("a conversion in a format must be one letter.") }
                    layout = rest.slice(2..<rest.count)
                }
            }
            break
        }
        var value = try resolve(name, arguments, &next)
        switch conversion?.string {
        case nil: break
        case "s": value = .text(try printed(value))
        case "r", "a": value = .text(try represented(value))
        default: throw .failure("a conversion in a format must be `s`, `r`, or `a`.")
        }
        let text = try laidOut(value, try braceFormat(layout, arguments, &next, level: level + 1))
        return field.isMarkup && value.text?.isMarkup != true ? text.escaped : text
    }

    private func resolve(
        _ name: Text, _ arguments: Jinja.Arguments, _ next: inout Int
    ) throws(ChatTemplateError) -> Value {
        let head = name.bytes.prefix { $0 != 0x2E && $0 != 0x5B }
        let first = String(decoding: head, as: UTF8.self)
        var value: Value
        if first.isEmpty || first.allSatisfy({ "0123456789".contains($0) }) {
            let index = Int(first) ?? (first.isEmpty ? next : .max)
            if first.isEmpty { next += 1 }
            guard index < arguments.positional.count else {
                throw .failure("a format has too few values.")
            }
            value = arguments.positional[index]
        } else {
            guard let named = arguments.named.first(where: { $0.name == first }) else {
                throw .failure("a value named in the format is missing.")
            }
            value = named.value
        }
        var rest = name.slice(head.count..<name.count)
        while !rest.isEmpty {
            let isItem = rest.bytes[0] == 0x5B
            let end = rest.bytes.dropFirst().firstIndex { isItem ? $0 == 0x5D : $0 == 0x2E || $0 == 0x5B } ?? rest.count
            if isItem, end == rest.count { throw .failure("unclosed `[` in a format.") }
            let part = rest.slice(1..<end)
            let number = part.all { $0.properties.numericType == .decimal } ? Int(part.string) : nil
            value =
                try isItem
                ? item(number.map { .integer($0) } ?? .text(part), of: value) : attribute(part.string, of: value)
            rest = rest.slice((isItem ? end + 1 : end)..<rest.count)
        }
        return value
    }

    /// Python's `format(value, layout)`.
    private func laidOut(_ value: Value, _ specification: Text) throws(ChatTemplateError) -> Text {
        if specification.isEmpty { return try printed(value) }
        var layout = try Jinja.Layout(specification)
        if value.double != nil, value.typeName != "boolean" || layout.letter != "s" {
            if layout.alignment == nil, layout.fill == Text("0") { layout.alignment = "=" }
            if layout.letter == "s" { layout.letter = value.index == nil ? (layout.precision == nil ? "r" : "g") : "d" }
            return try formatted(value, layout)
        }
        guard layout.letter == "s", value.text != nil else {
            throw .failure(value.undefinedReason ?? "\(value.typePhrase) does not support this format.")
        }
        var text = try printed(value)
        if let precision = layout.precision {
            let boundaries = text.boundaries
            text = text.slice(0..<boundaries[min(precision, boundaries.count - 1)])
        }
        layout.alignment = layout.alignment ?? "<"
        return try padded(text, layout)
    }
}

extension Jinja.Layout {
    /// Reads `[[fill]align][sign][#][0][width][,][.precision][letter]`.
    fileprivate init(_ specification: Jinja.Text) throws(ChatTemplateError) {
        self.init()
        let scalars = specification.scalars.map(\.scalar)
        var index = 0
        func peek(_ offset: Int = 0) -> Character? {
            index + offset < scalars.count ? Character(scalars[index + offset]) : nil
        }
        func digits() -> Int? {
            var value: Int?
            while let digit = peek()?.wholeNumberValue, digit < 10, peek()?.isASCII == true {
                value = min((value ?? 0) * 10 + digit, 1 << 32)
                index += 1
            }
            return value
        }
        let alignments: [Character?] = ["<", ">", "^", "="]
        var hasFill = false
        if let fill = peek(), alignments.contains(peek(1)) {
            hasFill = true
            self.fill = Jinja.Text(String(fill))
            alignment = peek(1)
            index += 2
        } else if alignments.contains(peek()) {
            alignment = peek()
            index += 1
        }
        if peek() == "+" || peek() == "-" || peek() == " " {
            alwaysSigned = peek() == "+"
            spaceForSign = peek() == " "
            index += 1
        }
        if peek() == "#" {
            alternate = true
            index += 1
        }
        if peek() == "0" {
            if !hasFill { fill = Jinja.Text("0") }
            index += 1
        }
        width = digits() ?? 0
        if peek() == "," || peek() == "_" {
            groups = peek().map { String($0) } ?? ""
            index += 1
        }
        if peek() == "." {
            index += 1
            guard let digits = digits() else { throw .failure("a format needs digits after the decimal point.") }
            precision = digits
        }
        if let letter = peek() {
            self.letter = letter
            index += 1
        }
        let letters: [Character] = ["s", "d", "x", "X", "o", "b", "e", "E", "f", "F", "g", "G", "%", "n"]
        if index < scalars.count || !letters.contains(letter) { throw .failure("invalid format.") }
    }
}
