extension Jinja {
    /// Cuts the source of a template into tokens.
    ///
    /// White space round tags: `-` strips all of it on its side, `+` keeps it; otherwise spaces before a block tag or
    /// comment that begins its line go (`lstrip_blocks`), and one newline after it (`trim_blocks`).
    struct Lexer {
        /// The source with its line ends made `\n`, and its last one removed unless it is kept.
        let source: [UInt8]
        let spacing: Spacing
        var offset = 0
        var tokens: [Token] = []
        /// Whether what was read last ended a line, or nothing was.
        private var lineStarting = true
        /// Brackets that are open within a tag: its end is not looked for before they close.
        var open: [(closer: UInt8, offset: Int)] = []

        init(_ text: String, _ spacing: Spacing = .chat) {
            self.spacing = spacing
            var bytes: [UInt8] = []
            bytes.reserveCapacity(text.utf8.count)
            var afterReturn = false
            for byte in text.utf8 {
                if byte == 13 {
                    bytes.append(10)
                } else if byte != 10 || !afterReturn {
                    bytes.append(byte)
                }
                afterReturn = byte == 13
            }
            if bytes.last == 10, spacing == .chat { bytes.removeLast() }
            source = bytes
        }

        /// The tokens of the whole source, the last one being `.end`.
        static func tokens(of text: String, _ spacing: Spacing = .chat) throws(ChatTemplateError) -> [Token] {
            var lexer = Lexer(text, spacing)
            try lexer.run()
            lexer.locate()
            return lexer.tokens
        }

        /// Gives every token its line and column.
        private mutating func locate() {
            var place = Place(line: 1, column: 1)
            var offset = 0
            for index in tokens.indices {
                while offset < tokens[index].offset {
                    place.pass(source[offset])
                    offset += 1
                }
                tokens[index].place = place
            }
        }

        private mutating func run() throws(ChatTemplateError) {
            while let tag = nextTag(from: offset) {
                let kind = source[tag + 1]
                var inside = tag + 2
                var sign: UInt8 = 0
                if inside < source.count, source[inside] == 0x2D || source[inside] == 0x2B {
                    sign = source[inside]
                    inside += 1
                }
                data(offset..<tag, before: sign, isVariable: kind == 0x7B)
                lineStarting = false
                offset = inside
                if kind == 0x23 {
                    try comment(from: tag)
                } else if kind == 0x25, let body = wordEnd("raw", from: inside, allowingPlus: false, trimming: false) {
                    try raw(from: tag, body: body)
                } else {
                    try readTag(from: tag, isBlock: kind == 0x25)
                }
            }
            data(offset..<source.count, before: 0x2B, isVariable: false)
            tokens.append(Token(kind: .end, offset: source.count))
        }

        /// Where the next `{{`, `{%` or `{#` begins.
        private func nextTag(from start: Int) -> Int? {
            var index = start
            while index + 1 < source.count {
                if source[index] == 0x7B, [0x7B, 0x25, 0x23].contains(source[index + 1]) { return index }
                index += 1
            }
            return nil
        }

        /// Text before a tag.
        private mutating func data(_ range: Range<Int>, before sign: UInt8, isVariable: Bool) {
            var end = range.upperBound
            if sign == 0x2D {
                end = strippedEnd(of: range)
            } else if sign != 0x2B, !isVariable, spacing == .chat {
                let line = source[range].lastIndex(of: 10).map { $0 + 1 } ?? range.lowerBound
                if line > range.lowerBound || lineStarting, strippedEnd(of: line..<end) == line { end = line }
            }
            if end > range.lowerBound {
                let text = String(decoding: source[range.lowerBound..<end], as: UTF8.self)
                tokens.append(Token(kind: .data(text), offset: range.lowerBound))
            }
        }

        private func strippedEnd(of range: Range<Int>) -> Int {
            let text = Text(Array(source[range]))
            return range.lowerBound + text.stripped(.end).count
        }

        /// Reads the rest of a comment.
        private mutating func comment(from start: Int) throws(ChatTemplateError) {
            if offset == source.count { return }
            while offset < source.count {
                let signed = source[offset] == 0x2D || source[offset] == 0x2B
                let close = offset + (signed ? 1 : 0)
                if close + 1 < source.count, source[close] == 0x23, source[close + 1] == 0x7D {
                    let sign = signed ? source[offset] : 0
                    offset = close + 2
                    endTag(sign, trimming: true)
                    return
                }
                offset += 1
            }
            throw error(start, "unclosed comment. Close it with `#}`")
        }

        /// Reads `{% raw %}...{% endraw %}`, whose text is taken as it is.
        private mutating func raw(from start: Int, body: Int) throws(ChatTemplateError) {
            offset = body
            if offset == source.count { return }
            var tag = body
            while let next = nextTag(from: tag) {
                tag = next + 1
                guard source[next + 1] == 0x25 else { continue }
                var inside = next + 2
                var sign: UInt8 = 0
                if inside < source.count, source[inside] == 0x2D || source[inside] == 0x2B {
                    sign = source[inside]
                    inside += 1
                }
                guard let end = wordEnd("endraw", from: inside, allowingPlus: true, trimming: true) else { continue }
                lineStarting = source[body - 1] == 10
                data(body..<next, before: sign, isVariable: false)
                lineStarting = source[end - 1] == 10
                offset = end
                return
            }
            throw error(start, "unclosed raw block. Close it with `{% endraw %}`")
        }

        /// Returns the end of a one-word tag, from the text after its opening; `nil` if it is another tag.
        private func wordEnd(_ word: String, from start: Int, allowingPlus: Bool, trimming: Bool) -> Int? {
            var index = skipSpace(from: start)
            guard source[index...].starts(with: word.utf8) else { return nil }
            index = skipSpace(from: index + word.utf8.count)
            var sign: UInt8 = 0
            if index < source.count, source[index] == 0x2D || allowingPlus && source[index] == 0x2B {
                sign = source[index]
                index += 1
            }
            guard index + 1 < source.count, source[index] == 0x25, source[index + 1] == 0x7D else { return nil }
            index += 2
            if sign == 0x2D { return skipSpace(from: index) }
            return trimming && spacing == .chat && sign == 0 && index < source.count && source[index] == 10
                ? index + 1 : index
        }

        /// Goes on after the end of a tag as its sign asks.
        mutating func endTag(_ sign: UInt8, trimming: Bool) {
            if sign == 0x2D {
                offset = skipSpace(from: offset)
            } else if sign == 0, trimming, spacing == .chat, offset < source.count, source[offset] == 10 {
                offset += 1
            }
            lineStarting = source[offset - 1] == 10
        }

        func skipSpace(from start: Int) -> Int {
            var index = start
            while index < source.count {
                if source[index] < 0x80 {
                    guard Unicode.Scalar(source[index]).isPythonSpace else { return index }
                    index += 1
                } else {
                    let (scalar, length) = Text(Array(source[index..<min(index + 4, source.count)])).scalar(at: 0)
                    guard scalar.isPythonSpace else { return index }
                    index += length
                }
            }
            return index
        }

        func error(_ offset: Int, _ explanation: String) -> ChatTemplateError {
            var place = Place(line: 1, column: 1)
            for byte in source[..<offset] { place.pass(byte) }
            return ChatTemplateError(.syntax, line: place.line, column: place.column, explanation)
        }
    }
}

extension Jinja.Place {
    /// Goes past a byte.
    fileprivate mutating func pass(_ byte: UInt8) {
        if byte == 10 {
            line += 1
            column = 1
        } else if byte & 0xC0 != 0x80 {
            column += 1
        }
    }
}
