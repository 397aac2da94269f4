/// The table headers and keys in TOML text, with their line numbers.
///
/// The scan follows strings, comments, and brackets only to find where statements start; the parser validates the text.
/// `problem` is set if the text would make the parser abort the process.
struct TOMLStatements {
    enum Statement: Hashable, Sendable {
        /// A table header, `[a.b]`, or the header of a table in an array, `[[a.b]]`.
        case table([String], isList: Bool)
        /// A key, `a.b =`.
        case key([String])
    }

    private(set) var statements: [(line: Int, statement: Statement)] = []
    private(set) var problem: TOMLProblem?

    private let bytes: [UInt8]
    private var place = 0
    private var line = 1

    /// Maximum number of parts in a name, limited because the parser recurses into nested tables.
    private static let maximumParts = 64

    init(_ text: String) {
        bytes = Array(text.utf8)
        if bytes.starts(with: [0xEF, 0xBB, 0xBF]) { place = 3 }
        while problem == nil, place < bytes.count { step() }
    }

    private mutating func step() {
        switch bytes[place] {
        case UInt8(ascii: " "), UInt8(ascii: "\t"), UInt8(ascii: "\r"): place += 1
        case UInt8(ascii: "\n"): newLine()
        case UInt8(ascii: "#"): skipLine()
        case UInt8(ascii: "["): header()
        default:
            let begin = line
            let path = path()
            guard next == UInt8(ascii: "=") else { return skipLine() }
            statements.append((begin, .key(path)))
            skipValue()
        }
    }

    private mutating func header() {
        place += 1
        let isList = next == UInt8(ascii: "[")
        if isList { place += 1 }
        skipBlanks()
        guard let first = next else { return }
        guard
            Self.isBare(first) || first == UInt8(ascii: "\"") || first == UInt8(ascii: "'")
                || first == UInt8(ascii: "]")
        else {
            refuse("a table name between [ and ] must be in quotes or use only letters, digits, -, and _")
            return
        }
        statements.append((line, .table(path(), isList: isList)))
        skipLine()
    }

    /// Reads a dotted name, and the spaces around its parts.
    private mutating func path() -> [String] {
        var path: [String] = []
        while true {
            skipBlanks()
            guard let first = next else { return path }
            if first == UInt8(ascii: "\"") || first == UInt8(ascii: "'") {
                let begin = place + 1
                skipText()
                path.append(String(decoding: bytes[begin..<max(begin, place - 1)], as: UTF8.self))
            } else {
                let begin = place
                while let byte = next, Self.isBare(byte) { place += 1 }
                guard place > begin else { return path }
                path.append(String(decoding: bytes[begin..<place], as: UTF8.self))
            }
            if path.count > Self.maximumParts {
                refuse("a key has more than \(Self.maximumParts) parts")
                return path
            }
            skipBlanks()
            guard next == UInt8(ascii: ".") else { return path }
            place += 1
        }
    }

    /// Moves to the end of the value's last line.
    private mutating func skipValue() {
        var open: [UInt8] = []
        while problem == nil, let byte = next {
            switch byte {
            case UInt8(ascii: "\""), UInt8(ascii: "'"): skipText()
            case UInt8(ascii: "#"): skipLine()
            case UInt8(ascii: "["), UInt8(ascii: "{"):
                // In ASCII, the codes of ] and } are 2 greater than the codes of [ and {.
                open.append(byte + 2)
                place += 1
            case UInt8(ascii: "]"), UInt8(ascii: "}"):
                if let wanted = open.popLast(), wanted != byte {
                    refuse("expected \"\(character(wanted))\", found \"\(character(byte))\"")
                }
                place += 1
            case UInt8(ascii: "\n"):
                if open.isEmpty { return }
                newLine()
            case 0: refuse("unexpected null byte")
            case 0x80...: refuse("a value with non-ASCII characters must be in quotes")
            default:
                place += 1
                if byte == UInt8(ascii: "T") || byte == UInt8(ascii: "t") || byte == UInt8(ascii: " ") { checkTime() }
            }
        }
    }

    /// Requires a time after the T of a date; after a space, the time is optional.
    private mutating func checkTime() {
        let digits = bytes[place...].prefix(2).prefix(while: Self.isDigit).count
        let isTime = bytes[place - 1] == UInt8(ascii: " ") ? digits != 1 : digits > 0
        if !isTime, followsDate { refuse("a date with a time must look like 1979-05-27T07:32:00") }
    }

    /// Whether a date such as 1979-05-27 precedes the byte just read.
    private var followsDate: Bool {
        place > 10
            && bytes[(place - 11)..<(place - 1)].enumerated().allSatisfy { index, byte in
                index == 4 || index == 7 ? byte == UInt8(ascii: "-") : Self.isDigit(byte)
            }
    }

    private mutating func refuse(_ words: String) { problem = problem ?? TOMLProblem(line: line, words: words) }

    private func character(_ byte: UInt8) -> Character { Character(Unicode.Scalar(byte)) }

    /// Skips a quoted string of one or several lines.
    private mutating func skipText() {
        let quote = bytes[place]
        let isLong = place + 2 < bytes.count && bytes[place + 1] == quote && bytes[place + 2] == quote
        place += isLong ? 3 : 1
        while let byte = next {
            if byte == UInt8(ascii: "\\"), quote == UInt8(ascii: "\"") {
                place += 1
                if next == UInt8(ascii: "\n") { newLine() } else { place += 1 }
            } else if byte == UInt8(ascii: "\n") {
                guard isLong else { return }
                newLine()
            } else if byte != quote {
                place += 1
            } else if !isLong {
                place += 1
                return
            } else {
                // The last one or two characters of a multiline string can be quotes too.
                let begin = place
                while place < bytes.count, bytes[place] == quote, place - begin < 5 { place += 1 }
                if place - begin >= 3 { return }
            }
        }
    }

    private var next: UInt8? { place < bytes.count ? bytes[place] : nil }

    private mutating func newLine() {
        place += 1
        line += 1
    }

    private mutating func skipBlanks() {
        while let byte = next, byte == UInt8(ascii: " ") || byte == UInt8(ascii: "\t") { place += 1 }
    }

    /// Moves to the line feed, without reading it.
    private mutating func skipLine() {
        while let byte = next, byte != UInt8(ascii: "\n") {
            if byte == 0 { refuse("unexpected null byte") }
            place += 1
        }
    }

    private static func isDigit(_ byte: UInt8) -> Bool { (UInt8(ascii: "0")...UInt8(ascii: "9")).contains(byte) }

    private static func isBare(_ byte: UInt8) -> Bool {
        switch byte {
        case UInt8(ascii: "a")...UInt8(ascii: "z"), UInt8(ascii: "A")...UInt8(ascii: "Z"),
            UInt8(ascii: "0")...UInt8(ascii: "9"), UInt8(ascii: "-"), UInt8(ascii: "_"):
            true
        default: false
        }
    }
}
