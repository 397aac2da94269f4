/// A lexer that splits a filter into tokens with their byte ranges.
struct FilterLexer {
    enum Kind: Equatable {
        /// A field name or a word of free text.
        case word(String)
        /// Text in quotes, with escapes resolved.
        case quoted(String)
        case comparison(String)
        case open, close
        case end
    }

    struct Token: Equatable {
        var kind: Kind
        /// Byte range in the filter.
        var range: Range<Int>
        /// Whether white space precedes the token: `name :x` is not a condition.
        var spaced: Bool
    }

    let text: String
    private let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    /// Returns the next token; after an operator, a value that ends at white space or a parenthesis.
    mutating func next(asValue: Bool = false) throws(FilterError) -> Token {
        let before = position
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        let spaced = position > before
        let start = position
        guard start < bytes.count else { return Token(kind: .end, range: start..<start, spaced: spaced) }
        switch bytes[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"):
            let value = try quoted(by: bytes[start])
            return Token(kind: .quoted(value), range: start..<position, spaced: spaced)
        case UInt8(ascii: "(") where !asValue:
            position += 1
            return Token(kind: .open, range: start..<position, spaced: spaced)
        case UInt8(ascii: ")"):
            position += 1
            return Token(kind: .close, range: start..<position, spaced: spaced)
        case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"), UInt8(ascii: "!"):
            if !asValue, let comparison = comparison() {
                return Token(kind: .comparison(comparison), range: start..<position, spaced: spaced)
            }
        default: break
        }
        position = max(start + 1, wordEnd(from: start, asValue: asValue))
        let word = String(decoding: bytes[start..<position], as: UTF8.self)
        return Token(kind: .word(word), range: start..<position, spaced: spaced)
    }

    /// Returns one of `:`, `=`, `==`, `!=`, `<`, `<=`, `>`, `>=`, `<>`.
    private mutating func comparison() -> String? {
        let first = bytes[position]
        let second = position + 1 < bytes.count ? bytes[position + 1] : 0
        let equal = second == UInt8(ascii: "=")
        switch first {
        case UInt8(ascii: ":"):
            position += 1
            return ":"
        case UInt8(ascii: "="):
            position += equal ? 2 : 1
            return "="
        case UInt8(ascii: "!"):
            guard equal else { return nil }
            position += 2
            return "!="
        case UInt8(ascii: "<"):
            if second == UInt8(ascii: ">") {
                position += 2
                return "!="
            }
            position += equal ? 2 : 1
            return equal ? "<=" : "<"
        default:
            position += equal ? 2 : 1
            return equal ? ">=" : ">"
        }
    }

    private func wordEnd(from start: Int, asValue: Bool) -> Int {
        var end = start
        while end < bytes.count {
            switch bytes[end] {
            case let byte where Self.isSpace(byte): return end
            case UInt8(ascii: "("), UInt8(ascii: ")"), UInt8(ascii: "\""): return end
            case UInt8(ascii: ":"), UInt8(ascii: "="), UInt8(ascii: "<"), UInt8(ascii: ">"):
                if !asValue { return end }
            case UInt8(ascii: "!") where end + 1 < bytes.count && bytes[end + 1] == UInt8(ascii: "="):
                if !asValue { return end }
            default: break
            }
            end += 1
        }
        return end
    }

    private mutating func quoted(by quote: UInt8) throws(FilterError) -> String {
        let start = position
        var value: [UInt8] = []
        position += 1
        while position < bytes.count {
            let byte = bytes[position]
            position += 1
            if byte == quote { return String(decoding: value, as: UTF8.self) }
            if byte == UInt8(ascii: "\\"), position < bytes.count, bytes[position] == quote || bytes[position] == byte {
                value.append(bytes[position])
                position += 1
            } else {
                value.append(byte)
            }
        }
        throw FilterError(
            text: text, bytes: start..<start + 1, problem: "unclosed quotation mark",
            suggestion: "Add a closing quote at the end of the text.")
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
