internal import System

/// Cuts an expression over metadata into words; every word knows the bytes it came from.
struct MetadataFilterLexer {
    enum Kind: Equatable {
        case word(String)
        case quoted(String)
        /// A key in backticks.
        case key(String)
        case comparison(MetadataFilter.Comparison)
        case open, close, comma, end
    }

    struct Token: Equatable {
        var kind: Kind
        var range: Range<Int>
    }

    let text: String
    let bytes: [UInt8]
    private var position = 0

    init(_ text: String) {
        self.text = text
        bytes = Array(text.utf8)
    }

    mutating func next() throws(Problem) -> Token {
        while position < bytes.count, Self.isSpace(bytes[position]) { position += 1 }
        let start = position
        guard start < bytes.count else { return Token(kind: .end, range: start..<start) }
        let kind: Kind
        switch bytes[start] {
        case UInt8(ascii: "("): kind = single(.open)
        case UInt8(ascii: ")"): kind = single(.close)
        case UInt8(ascii: ","): kind = single(.comma)
        case UInt8(ascii: "\""), UInt8(ascii: "'"): kind = .quoted(try quoted())
        case UInt8(ascii: "`"): kind = .key(try quoted())
        case UInt8(ascii: "="), UInt8(ascii: "!"), UInt8(ascii: "<"), UInt8(ascii: ">"): kind = try comparison()
        default:
            while position < bytes.count, !Self.endsWord(bytes[position]) { position += 1 }
            kind = .word(String(decoding: bytes[start..<position], as: UTF8.self))
        }
        return Token(kind: kind, range: start..<position)
    }

    private mutating func single(_ kind: Kind) -> Kind {
        position += 1
        return kind
    }

    /// `=`, `==`, `!=`, `<>`, `<`, `<=`, `>`, `>=`.
    private mutating func comparison() throws(Problem) -> Kind {
        let first = bytes[position]
        let second = position + 1 < bytes.count ? bytes[position + 1] : 0
        let isEqual = second == UInt8(ascii: "=")
        position += isEqual || (first == UInt8(ascii: "<") && second == UInt8(ascii: ">")) ? 2 : 1
        switch first {
        case UInt8(ascii: "="): return .comparison(.equal)
        case UInt8(ascii: "!"):
            guard isEqual else {
                throw error(position - 1..<position, "unexpected \"!\"", "Write != or not.")
            }
            return .comparison(.unequal)
        case UInt8(ascii: "<"):
            if second == UInt8(ascii: ">") { return .comparison(.unequal) }
            return .comparison(isEqual ? .lessOrEqual : .less)
        default: return .comparison(isEqual ? .greaterOrEqual : .greater)
        }
    }

    private mutating func quoted() throws(Problem) -> String {
        let start = position
        let quote = bytes[start]
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
        throw error(start..<start + 1, "unclosed quotation mark", "Close it at the end of the text.")
    }

    /// Returns an error at a place of the expression that names the column.
    func error(_ range: Range<Int>, _ problem: String, _ remedy: String) -> Problem {
        let before = String(decoding: bytes[..<min(range.lowerBound, bytes.count)], as: UTF8.self)
        return Problem(.invalid, "filter, column \(before.count + 1)", problem, remedy: remedy)
    }

    private static func isSpace(_ byte: UInt8) -> Bool { byte == 0x20 || (0x09...0x0D).contains(byte) }

    private static func endsWord(_ byte: UInt8) -> Bool {
        isSpace(byte) || "(),\"'`=!<>".utf8.contains(byte)
    }
}
