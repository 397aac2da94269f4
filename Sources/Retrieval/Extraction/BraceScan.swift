/// Sees types and functions of languages with braces: what stands before a `{` says what the braces hold.
struct BraceScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let language: CodeLanguage
    private let lexer: CodeLexer
    private var sections: [SourceSection] = []

    private enum Token {
        case word(Range<Int>)
        case parenthesis(Int)
        case assignment
        case arrow
    }

    private struct Block {
        /// The section that it is the body of.
        var section: Int?
        /// Declarations inside it are sections too.
        var isOpen: Bool
    }

    private var tokens: [Token] = []
    private var blocks: [Block] = []
    /// The innermost sections around the place.
    private var around: [Int] = []
    private var closedBlocks = 0
    private var parentheses = 0
    /// Behind the last statement or block: a declaration does not begin before.
    private var floor = 0
    private var commentLines: Set<Int> = []

    private static let control: Set<String> = [
        "if", "else", "for", "while", "switch", "do", "catch", "try", "guard", "match", "loop", "repeat", "defer",
        "return", "case", "default", "when", "with", "synchronized", "unsafe", "finally", "select", "foreach", "using",
        "lock", "in", "new", "throw", "await", "yield", "sizeof",
    ]
    private static let bindings: Set<String> = [
        "var", "let", "const", "val", "static_assert", "import", "package", "use",
    ]

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ language: CodeLanguage) {
        self.bytes = bytes
        self.language = language
        lexer = CodeLexer(bytes, language)
    }

    mutating func run() -> [SourceSection] {
        var place = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte <= 0x20 {
                place += 1
                continue
            }
            if let (end, what) = lexer.skip(at: place) {
                if what == .comment { noteLines(place, end) }
                place = max(end, place + 1)
                continue
            }
            if CodeLexer.isWordByte(byte) {
                var end = place + 1
                while end < bytes.count, CodeLexer.isWordByte(bytes[end]) { end += 1 }
                if parentheses == 0 { add(.word(place..<end)) }
                place = end
                continue
            }
            place = mark(byte, place)
        }
        for section in around.reversed() { close(section, at: bytes.count) }
        return sections
    }

    private mutating func add(_ token: Token) {
        if tokens.count < 512 { tokens.append(token) }
    }

    /// Records lines inside a comment that began on an earlier line.
    private mutating func noteLines(_ start: Int, _ end: Int) {
        var place = start
        while place < end {
            if bytes[place] == 0x0A, commentLines.count < 1 << 20 { commentLines.insert(place + 1) }
            place += 1
        }
    }

    /// - Returns: The place to go on at.
    private mutating func mark(_ byte: UInt8, _ place: Int) -> Int {
        switch byte {
        case UInt8(ascii: "("), UInt8(ascii: "["):
            if parentheses == 0, byte == UInt8(ascii: "(") { add(.parenthesis(place)) }
            parentheses += 1
        case UInt8(ascii: ")"), UInt8(ascii: "]"): parentheses = max(0, parentheses - 1)
        case UInt8(ascii: ";"):
            if parentheses == 0 { endStatement(place + 1) }
        case UInt8(ascii: "{"): open(place)
        case UInt8(ascii: "}"): closeBlock(place)
        case UInt8(ascii: "="):
            if place + 1 < bytes.count, bytes[place + 1] == UInt8(ascii: ">") {
                if parentheses == 0 { add(.arrow) }
                return place + 2
            }
            if parentheses == 0 { add(.assignment) }
        case UInt8(ascii: "#"):
            guard language.hasPreprocessor else { break }
            var end = lexer.lineEnd(place)
            while end > place, end < bytes.count, bytes[end - 1] == 0x5C { end = lexer.lineEnd(end + 1) }
            endStatement(end)
            return max(end, place + 1)
        default: break
        }
        return place + 1
    }

    private mutating func endStatement(_ place: Int) {
        tokens.removeAll(keepingCapacity: true)
        floor = place
    }

    private mutating func open(_ place: Int) {
        // Hostile nesting is counted, not kept.
        guard blocks.count < 512 else {
            closedBlocks += 1
            return
        }
        let isVisible = blocks.last?.isOpen ?? true
        var block = Block(section: nil, isOpen: false)
        // Braces inside parentheses are closures and literals.
        if isVisible, parentheses == 0 {
            if let (kind, name, start) = declaration() {
                let begin = lexer.leadingStart(of: start, floor: floor) { commentLines.contains($0) }
                sections.append(
                    SourceSection(
                        title: name, kind: kind, level: around.count + 1, range: begin..<bytes.count,
                        parent: around.last))
                block.section = sections.count - 1
                block.isOpen = kind == .type
                around.append(sections.count - 1)
            } else {
                // extern "C" { holds what its surroundings may hold.
                block.isOpen = tokens.count == 1 && word(tokens[0]) == "extern"
            }
        }
        blocks.append(block)
        parentheses = 0
        endStatement(place + 1)
    }

    private mutating func closeBlock(_ place: Int) {
        parentheses = 0
        if closedBlocks > 0 {
            closedBlocks -= 1
            return
        }
        if let block = blocks.popLast(), let section = block.section {
            var end = place + 1
            if end < bytes.count, bytes[end] == UInt8(ascii: ";") { end += 1 }
            close(section, at: end)
            around.removeLast()
        }
        endStatement(place + 1)
    }

    private mutating func close(_ section: Int, at end: Int) {
        sections[section].range = sections[section].range.lowerBound..<end
    }

    private func word(_ token: Token) -> String? {
        guard case .word(let range) = token, range.count < 64 else { return nil }
        return String(decoding: bytes[range], as: UTF8.self)
    }

    /// What the words before a brace declare: the last word that says what it is decides.
    private func declaration() -> (kind: SourceSection.Kind, name: String, start: Int)? {
        var index = tokens.count - 1
        while index >= 0 {
            if let word = word(tokens[index]), case .word(let range) = tokens[index] {
                let name = name(after: index) ?? word
                if language.functions.contains(word) { return (.function, name, range.lowerBound) }
                if language.types.contains(word) {
                    if language.namesFunctionsByParentheses, let function = byParentheses(from: index) {
                        return function
                    }
                    return (.type, name, range.lowerBound)
                }
                if Self.bindings.contains(word), !isCLike {
                    // const f = (x) => {
                    let isArrow = if case .arrow? = tokens.last { true } else { false }
                    return isArrow ? (.function, name, range.lowerBound) : nil
                }
                if Self.control.contains(word), !isName(index, word) { return nil }
            }
            index -= 1
        }
        return language.namesFunctionsByParentheses ? byParentheses(from: 0) : nil
    }

    /// `fn new`, and the middle of `impl Trait for Type`.
    private func isName(_ index: Int, _ said: String) -> Bool {
        guard index > 0 else { return false }
        let before = word(tokens[index - 1]) ?? ""
        if language.functions.contains(before) || language.types.contains(before) { return true }
        return said == "for" && language.types.contains("impl") && tokens[..<index].contains { word($0) == "impl" }
    }

    /// `const` binds nothing in C's family.
    private var isCLike: Bool { language.namesFunctionsByParentheses && language.functions.isEmpty }

    /// `name(...)` with nothing assigned before it.
    private func byParentheses(from first: Int) -> (kind: SourceSection.Kind, name: String, start: Int)? {
        for index in first..<tokens.count {
            switch tokens[index] {
            case .assignment, .arrow: return nil
            case .parenthesis:
                guard index > first, let name = word(tokens[index - 1]), case .word(let range) = tokens[0] else {
                    return nil
                }
                // An attribute's or a macro's arguments: __attribute__((...)) f() {
                if name.hasPrefix("__"), index + 1 < tokens.count { continue }
                return (.function, name, range.lowerBound)
            case .word: continue
            }
        }
        return nil
    }

    /// Returns the word that follows, with the words of a qualified name or an impl's type.
    private func name(after index: Int) -> String? {
        var words: [String] = []
        for token in tokens[(index + 1)...].prefix(word(tokens[index]) == "impl" ? 3 : 2) {
            guard let word = word(token) else { break }
            words.append(word)
        }
        if language.name == "go", word(tokens[index]) == "type" { return words.first }
        // impl Trait for Type
        if words.count == 3, words[1] == "for" { return words.joined(separator: " ") }
        if words.isEmpty, index + 2 < tokens.count, case .parenthesis = tokens[index + 1] {
            return word(tokens[index + 2])
        }
        return words.first
    }
}
