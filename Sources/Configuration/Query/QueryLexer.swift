/// A lexer that splits a filter into tokens with their byte ranges.
package struct QueryLexer {
    package enum Kind: Equatable, Sendable {
        /// A field name, a keyword, a value, or a word of free text.
        case word(String)
        /// Text in quotes, with escapes resolved.
        case quoted(String)
        /// A field name in backticks, with escapes resolved.
        case key(String)
        /// One of `:`, `=`, `!=`, `<`, `<=`, `>`, and `>=`.
        case sign(String)
        case open, close, comma, end
    }

    package struct Token: Equatable, Sendable {
        package var kind: Kind
        /// Byte range in the filter.
        package var range: Range<Int>
        /// Whether white space precedes the token: `name :x` is not a condition.
        package var spaced: Bool
    }

    let text: String
    let bytes: [UInt8]
    private let dialect: QueryDialect
    private var position = 0

    /// Creates a lexer at the start of a filter.
    package init(_ text: String, _ dialect: QueryDialect) {
        self.text = text
        self.dialect = dialect
        bytes = Array(text.utf8)
    }

    /// Returns the next token; after an operator, a value that ends at white space or a parenthesis.
    package mutating func next(asValue: Bool = false) throws(QueryError) -> Token {
        let before = position
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        let start = position
        let kind = start < bytes.count ? try kind(asValue) : .end
        return Token(kind: kind, range: start..<position, spaced: start > before)
    }

    private mutating func kind(_ asValue: Bool) throws(QueryError) -> Kind {
        let start = position
        switch bytes[start] {
        case UInt8(ascii: "\""), UInt8(ascii: "'"): return .quoted(try quoted())
        case UInt8(ascii: "`") where !dialect.hasFreeText: return .key(try quoted())
        case UInt8(ascii: "(") where !asValue: return single(.open)
        case UInt8(ascii: ")"): return single(.close)
        case UInt8(ascii: ",") where !dialect.hasFreeText: return single(.comma)
        default: break
        }
        if !asValue, let (sign, length) = sign(at: start) {
            position += length
            return .sign(sign)
        }
        if bytes[start] == UInt8(ascii: "!"), !dialect.hasFreeText {
            throw QueryError(
                text: text, bytes: start..<start + 1, problem: "unexpected \"!\"", suggestion: "Write != or not.")
        }
        repeat { position += 1 } while position < bytes.count && bytes[start] != UInt8(ascii: "(") && !endsWord(asValue)
        return .word(String(decoding: bytes[start..<position], as: UTF8.self))
    }

    private mutating func single(_ kind: Kind) -> Kind {
        position += 1
        return kind
    }

    /// Returns the operator at a position, with `==` as `=` and `<>` as `!=`, and its number of bytes.
    private func sign(at start: Int) -> (String, Int)? {
        let second = start + 1 < bytes.count ? bytes[start + 1] : 0
        let length = second == UInt8(ascii: "=") ? 2 : 1
        switch bytes[start] {
        case UInt8(ascii: ":") where dialect.hasFreeText: return (":", 1)
        case UInt8(ascii: "="): return ("=", length)
        case UInt8(ascii: "!") where length == 2: return ("!=", 2)
        case UInt8(ascii: "<") where second == UInt8(ascii: ">"): return ("!=", 2)
        case UInt8(ascii: "<"): return (length == 2 ? "<=" : "<", length)
        case UInt8(ascii: ">"): return (length == 2 ? ">=" : ">", length)
        default: return nil
        }
    }

    private func endsWord(_ asValue: Bool) -> Bool {
        let byte = bytes[position]
        if Self.isSpace(byte) || "()\"".utf8.contains(byte) || !asValue && sign(at: position) != nil { return true }
        return !dialect.hasFreeText && ",'`!".utf8.contains(byte)
    }

    private mutating func quoted() throws(QueryError) -> String {
        let (start, quote) = (position, bytes[position])
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
        throw QueryError(
            text: text, bytes: start..<start + 1, problem: "unclosed quotation mark",
            suggestion: dialect.quoteRemedy)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }
}
