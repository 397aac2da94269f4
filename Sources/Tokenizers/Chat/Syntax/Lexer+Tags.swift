extension Jinja.Lexer {
    /// Reads what is between `{{` and `}}`, or `{%` and `%}`.
    mutating func readTag(from start: Int, isBlock: Bool) throws(ChatTemplateError) {
        tokens.append(Jinja.Token(kind: isBlock ? .blockBegin : .variableBegin, offset: start))
        open.removeAll()
        while true {
            offset = skipSpace(from: offset)
            guard offset < source.count else {
                throw error(start, "unclosed tag. Close it with `\(isBlock ? "%}" : "}}")`")
            }
            if open.isEmpty, end(isBlock: isBlock) { return }
            try token()
        }
    }

    /// Reads the tag's end if it is here.
    private mutating func end(isBlock: Bool) -> Bool {
        let signed = source[offset] == 0x2D || isBlock && source[offset] == 0x2B
        let close = offset + (signed ? 1 : 0)
        guard close + 1 < source.count, source[close] == (isBlock ? 0x25 : 0x7D), source[close + 1] == 0x7D else {
            return false
        }
        let sign = signed ? source[offset] : 0
        tokens.append(Jinja.Token(kind: isBlock ? .blockEnd : .variableEnd, offset: offset))
        offset = close + 2
        endTag(sign, trimming: isBlock)
        return true
    }

    private mutating func token() throws(ChatTemplateError) {
        let start = offset
        if let kind = number() ?? name() {
            tokens.append(Jinja.Token(kind: kind, offset: start))
        } else if source[start] == 0x22 || source[start] == 0x27 {
            tokens.append(Jinja.Token(kind: .string(try string()), offset: start))
        } else {
            let symbol = try symbol()
            tokens.append(Jinja.Token(kind: .symbol(symbol), offset: start))
        }
    }

    private func byte(_ index: Int) -> UInt8 { index < source.count ? source[index] : 0 }

    /// Returns the end of digits with single underscores; `nil` if there are no digits.
    private func digits(_ start: Int, _ isDigit: (UInt8) -> Bool = { $0 >= 0x30 && $0 <= 0x39 }) -> Int? {
        guard isDigit(byte(start)) else { return nil }
        var index = start + 1
        while isDigit(byte(index)) || byte(index) == 0x5F && isDigit(byte(index + 1)) { index += 1 }
        return index
    }

    private mutating func number() -> Jinja.Token.Kind? {
        guard let whole = digits(offset) else { return nil }
        func text(_ end: Int) -> String {
            String(decoding: source[offset..<end].filter { $0 != 0x5F }, as: UTF8.self)
        }
        var end = whole
        if byte(end) == 0x2E, let fraction = digits(end + 1) { end = fraction }
        if byte(end) | 0x20 == 0x65 {
            let signed = byte(end + 1) == 0x2B || byte(end + 1) == 0x2D
            if let exponent = digits(end + (signed ? 2 : 1)) { end = exponent }
        }
        if end > whole, offset == 0 || byte(offset - 1) != 0x2E {
            defer { offset = end }
            return .float(Double(text(end)) ?? .infinity)
        }
        // Another radix, a number that does not begin with zero, or zeros.
        let radix = byte(offset) == 0x30 ? [0x62: 2, 0x6F: 8, 0x78: 16][byte(offset + 1) | 0x20] : nil
        if let radix {
            let first = byte(offset + 2) == 0x5F ? offset + 3 : offset + 2
            if let end = digits(first, { Unicode.Scalar($0).hexadecimalValue.map { $0 < radix } ?? false }) {
                let digits = source[first..<end].filter { $0 != 0x5F }
                defer { offset = end }
                let value = UInt64(String(decoding: digits, as: UTF8.self), radix: radix)
                return .integer(value.map { String($0) } ?? "")
            }
        }
        end = byte(offset) == 0x30 ? digits(offset) { $0 == 0x30 } ?? whole : whole
        let value = byte(offset) == 0x30 ? "0" : text(end)
        offset = end
        return .integer(value)
    }

    private mutating func name() -> Jinja.Token.Kind? {
        var index = offset
        while index < source.count {
            let byte = source[index]
            if byte < 0x80 {
                let letter = byte | 0x20 >= 0x61 && byte | 0x20 <= 0x7A || byte == 0x5F
                guard letter || index > offset && byte >= 0x30 && byte <= 0x39 else { break }
                index += 1
            } else {
                let (scalar, length) = Jinja.Text(Array(source[index..<min(index + 4, source.count)])).scalar(at: 0)
                guard index > offset ? scalar.properties.isXIDContinue : scalar.properties.isXIDStart else { break }
                index += length
            }
        }
        guard index > offset else { return nil }
        defer { offset = index }
        return .name(String(decoding: source[offset..<index], as: UTF8.self))
    }

    private mutating func symbol() throws(ChatTemplateError) -> Jinja.Token.Symbol {
        for length in [2, 1] where offset + length <= source.count {
            let text = String(decoding: source[offset..<(offset + length)], as: UTF8.self)
            guard let symbol = Jinja.Token.Symbol(rawValue: text) else { continue }
            try balance(symbol)
            offset += length
            return symbol
        }
        throw error(offset, "unexpected character in a tag")
    }

    private mutating func balance(_ symbol: Jinja.Token.Symbol) throws(ChatTemplateError) {
        switch symbol {
        case .openBrace: open.append((0x7D, offset))
        case .openParenthesis: open.append((0x29, offset))
        case .openBracket: open.append((0x5D, offset))
        case .closeBrace, .closeParenthesis, .closeBracket:
            guard let bracket = open.popLast() else {
                throw error(offset, "unexpected `\(symbol.rawValue)`")
            }
            if bracket.closer != source[offset] {
                let wanted = String(Unicode.Scalar(bracket.closer))
                throw error(offset, "expected `\(wanted)`, found `\(symbol.rawValue)`")
            }
        default: break
        }
    }

    /// Reads a string with Python's escapes.
    private mutating func string() throws(ChatTemplateError) -> String {
        let start = offset
        let quote = source[offset]
        var output: [UInt8] = []
        offset += 1
        while offset < source.count, source[offset] != quote {
            if source[offset] == 0x5C, offset + 1 < source.count {
                try escape(into: &output)
            } else {
                output.append(source[offset])
                offset += 1
            }
        }
        guard offset < source.count else { throw error(start, "unclosed string") }
        offset += 1
        return String(decoding: output, as: UTF8.self)
    }

    private mutating func escape(into output: inout [UInt8]) throws(ChatTemplateError) {
        let start = offset
        let letter = source[offset + 1]
        offset += 2
        switch letter {
        case 0x0A: break
        case 0x5C, 0x27, 0x22: output.append(letter)
        case UInt8(ascii: "a"): output.append(7)
        case UInt8(ascii: "b"): output.append(8)
        case UInt8(ascii: "f"): output.append(12)
        case UInt8(ascii: "n"): output.append(10)
        case UInt8(ascii: "r"): output.append(13)
        case UInt8(ascii: "t"): output.append(9)
        case UInt8(ascii: "v"): output.append(11)
        case 0x30...0x37:
            var value = UInt32(letter - 0x30)
            for _ in 0..<2 where byte(offset) >= 0x30 && byte(offset) <= 0x37 {
                value = value * 8 + UInt32(byte(offset) - 0x30)
                offset += 1
            }
            output.append(contentsOf: UTF8.encode(Unicode.Scalar(value)!)!)
        case UInt8(ascii: "x"), UInt8(ascii: "u"), UInt8(ascii: "U"):
            let count = letter == UInt8(ascii: "x") ? 2 : letter == UInt8(ascii: "u") ? 4 : 8
            let digits = source[offset..<min(offset + count, source.count)]
            guard digits.count == count, digits.allSatisfy({ Unicode.Scalar($0).hexadecimalValue != nil }),
                let value = UInt32(String(decoding: digits, as: UTF8.self), radix: 16),
                let scalar = Unicode.Scalar(value)
            else { throw error(start, "the escape needs \(count) hexadecimal digits of a Unicode character") }
            output.append(contentsOf: UTF8.encode(scalar)!)
            offset += count
        case UInt8(ascii: "N"):
            throw error(start, "named characters are not supported. Use `\\u` and four hexadecimal digits")
        default: output.append(contentsOf: [0x5C, letter])
        }
    }
}

extension Unicode.Scalar {
    /// The value of a hexadecimal digit.
    var hexadecimalValue: Int? {
        switch value {
        case 0x30...0x39: Int(value) - 0x30
        case 0x41...0x46: Int(value) - 0x37
        case 0x61...0x66: Int(value) - 0x57
        default: nil
        }
    }
}
