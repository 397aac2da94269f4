/// Sees types and functions of languages whose blocks are set in.
struct IndentationScan {
    private let bytes: UnsafeBufferPointer<UInt8>
    private let language: CodeLanguage
    private let lexer: CodeLexer
    private let end: String?
    private var sections: [SourceSection] = []
    private var open: [(section: Int, indent: Int, isType: Bool)] = []
    /// The first of the decorators above the line.
    private var decorator: Int?

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ language: CodeLanguage, end: String?) {
        self.bytes = bytes
        self.language = language
        self.end = end
        lexer = CodeLexer(bytes, language)
    }

    mutating func run() -> [SourceSection] {
        var place = 0
        var brackets = 0
        var isLineStart = true
        var lineStart = 0
        /// Behind the last line that is code.
        var codeEnd = 0
        while place < bytes.count {
            let byte = bytes[place]
            if byte == 0x0A {
                place += 1
                lineStart = place
                isLineStart = brackets == 0
                continue
            }
            if byte <= 0x20 {
                place += 1
                continue
            }
            if let (behind, what) = lexer.skip(at: place) {
                if what == .string {
                    if isLineStart { close(to: place - lineStart, at: codeEnd) }
                    isLineStart = false
                    if behind > codeEnd { codeEnd = lexer.lineEnd(behind) }
                }
                place = max(behind, place + 1)
                continue
            }
            if isLineStart {
                isLineStart = false
                if startLine(place, lineStart, codeEnd) { codeEnd = lexer.lineEnd(place) }
            }
            if place >= codeEnd { codeEnd = lexer.lineEnd(place) }
            switch byte {
            case UInt8(ascii: "("), UInt8(ascii: "["), UInt8(ascii: "{"): brackets += 1
            case UInt8(ascii: ")"), UInt8(ascii: "]"), UInt8(ascii: "}"): brackets = max(0, brackets - 1)
            default: break
            }
            place += 1
        }
        close(to: 0, at: bytes.count)
        return sections
    }

    /// Closes what this line is not inside of, and opens what it declares.
    private mutating func startLine(_ place: Int, _ lineStart: Int, _ codeEnd: Int) -> Bool {
        let indent = place - lineStart
        if bytes[place] == UInt8(ascii: "@") {
            close(to: indent, at: codeEnd)
            decorator = decorator ?? place
            return false
        }
        defer { decorator = nil }
        var words: [(word: String, range: Range<Int>)] = []
        var start = place
        while start < bytes.count, words.count < 3, CodeLexer.isWordByte(bytes[start]) {
            var stop = start
            while stop < bytes.count, CodeLexer.isWordByte(bytes[stop]) || bytes[stop] == UInt8(ascii: ".") {
                stop += 1
            }
            words.append((String(decoding: bytes[start..<stop].prefix(128), as: UTF8.self), start..<stop))
            start = stop
            while start < bytes.count, bytes[start] == 0x20 || bytes[start] == 9 { start += 1 }
        }
        if let end, words.first?.word == end, let last = open.last, last.indent == indent {
            close(to: indent, at: lexer.lineEnd(place))
            return true
        }
        close(to: indent, at: codeEnd)
        let floor = open.last.map { sections[$0.section].range.lowerBound } ?? 0
        // async def, local function
        let isLed = ["async", "local"].contains(words.first?.word ?? "")
        guard words.count > (isLed ? 2 : 1) else { return false }
        let (keyword, name) = (words[isLed ? 1 : 0].word, words[isLed ? 2 : 1].word)
        let isType = language.types.contains(keyword)
        guard isType || language.functions.contains(keyword), open.last?.isType ?? true, open.count < 256 else {
            return false
        }
        let begin = lexer.leadingStart(of: decorator ?? place, floor: min(floor, lineStart)) { _ in false }
        sections.append(
            SourceSection(
                title: name, kind: isType ? .type : .function, level: open.count + 1, range: begin..<bytes.count,
                parent: open.last?.section))
        open.append((sections.count - 1, indent, isType))
        return false
    }

    private mutating func close(to indent: Int, at end: Int) {
        while let last = open.last, last.indent >= indent {
            let range = sections[last.section].range
            sections[last.section].range = range.lowerBound..<max(range.lowerBound + 1, min(end, bytes.count))
            open.removeLast()
        }
    }
}
