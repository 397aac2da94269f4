import JSON

/// A simple parser for comparison with the real parsers: recursive, byte by byte, and without error messages.
struct NaiveJSON {
    private let text: [UInt8]
    private let maximumDepth: Int
    private var position = 0
    private var tape: [JSONTapeEntry] = []

    /// Returns the tape of `text`; `nil` if the text is not JSON.
    static func tape(of text: [UInt8], maximumDepth: Int) -> [JSONTapeEntry]? {
        guard String(validating: text, as: UTF8.self) != nil else { return nil }
        var naive = NaiveJSON(text: text, maximumDepth: maximumDepth)
        if text.starts(with: [0xEF, 0xBB, 0xBF]) { naive.position = 3 }
        guard naive.value(depth: 0), naive.position == text.count else { return nil }
        return naive.tape
    }

    private init(text: [UInt8], maximumDepth: Int) {
        self.text = text
        self.maximumDepth = maximumDepth
    }

    private var current: Character? { position < text.count ? Character(Unicode.Scalar(text[position])) : nil }

    private mutating func take(_ character: Character) -> Bool {
        guard current == character else { return false }
        position += 1
        return true
    }

    private mutating func space() {
        while position < text.count, [0x20, 0x09, 0x0A, 0x0D].contains(text[position]) { position += 1 }
    }

    /// Reads a value with the white space around it, and returns whether it is valid.
    private mutating func value(depth: Int) -> Bool {
        space()
        let start = position
        let entry = tape.count
        tape.append(JSONTapeEntry(start: 0, end: 0, skip: 0, info: 0))
        guard let info = content(depth: depth) else { return false }
        tape[entry] = JSONTapeEntry(
            start: UInt32(start), end: UInt32(position), skip: UInt32(tape.count - entry), info: info)
        space()
        return true
    }

    /// Reads the value at the current position, and returns the kind, flag, and count for its entry.
    private mutating func content(depth: Int) -> UInt32? {
        switch current {
        case "{": return depth < maximumDepth ? children(closing: "}", depth: depth).map { 6 | $0 << 4 } : nil
        case "[": return depth < maximumDepth ? children(closing: "]", depth: depth).map { 5 | $0 << 4 } : nil
        case "\"": return string()
        case "n": return word("null") ? 0 : nil
        case "f": return word("false") ? 1 : nil
        case "t": return word("true") ? 2 : nil
        default: return number()
        }
    }

    private mutating func children(closing: Character, depth: Int) -> UInt32? {
        position += 1
        space()
        if take(closing) { return 0 }
        var count: UInt32 = 0
        repeat {
            if closing == "}" {
                space()
                guard current == "\"", value(depth: depth + 1), take(":") else { return nil }
            }
            guard value(depth: depth + 1) else { return nil }
            count += 1
        } while take(",")
        return take(closing) ? count : nil
    }

    private mutating func string() -> UInt32? {
        position += 1
        var escapes = false
        while let character = current, position < text.count, text[position] >= 0x20 {
            position += 1
            if character == "\"" { return escapes ? 12 : 4 }
            if character == "\\" {
                escapes = true
                guard position < text.count, text[position] >= 0x20 else { return nil }
                position += 1
            }
        }
        return nil
    }

    private mutating func word(_ word: String) -> Bool {
        guard text[position...].starts(with: word.utf8) else { return false }
        position += word.utf8.count
        return endsScalar
    }

    private mutating func number() -> UInt32? {
        var fraction = false
        _ = take("-")
        if !take("0") { guard digits() else { return nil } }
        if take(".") {
            fraction = true
            guard digits() else { return nil }
        }
        if take("e") || take("E") {
            fraction = true
            if !take("+") { _ = take("-") }
            guard digits() else { return nil }
        }
        return endsScalar ? (fraction ? 11 : 3) : nil
    }

    private mutating func digits() -> Bool {
        let start = position
        while position < text.count, (0x30...0x39).contains(text[position]) { position += 1 }
        return position > start
    }

    private var endsScalar: Bool { position == text.count || " \t\r\n{}[]:,\"".utf8.contains(text[position]) }
}
