/// A highlighter for Markdown: headings, emphasis, code, lists, quotations, links, and fenced code in its own language.
///
/// In tables, only the vertical bars are dimmed.
enum MarkdownHighlighter {
    static func highlight(_ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns) {
        if state.fence != 0 {
            fenced(&line, &state, &runs)
        } else if line.startsLine {
            block(&line, &state, &runs)
        } else {
            inline(&line, .text, &runs)
        }
    }

    // MARK: Fences

    private static func fenced(
        _ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns
    ) {
        let first = line.skippingBlanks(from: line.start)
        var end = first
        while end < line.end, line.bytes[end] == state.fence { end += 1 }
        if line.startsLine, end - first >= Int(state.fenceLength), line.skippingBlanks(from: end) == line.end {
            state = HighlightState(.markdown)
            runs.extend(to: line.end, .dim)
            return
        }
        guard state.language != .plain, state.language != .markdown else {
            runs.extend(to: line.end, .code)
            return
        }
        let segment = TextSegment(
            start: line.start, end: line.end, next: nil, startsLine: line.startsLine, endsLine: line.endsLine)
        let language = state.language
        Highlighter(language).highlight(line.bytes, segment, state: &state, into: &runs)
    }

    private static func opensFence(_ line: HighlightLine, at first: Int, _ state: inout HighlightState) -> Bool {
        guard first < line.end else { return false }
        let sign = line.bytes[first]
        guard sign == UInt8(ascii: "`") || sign == UInt8(ascii: "~") else { return false }
        var end = first
        while end < line.end, line.bytes[end] == sign { end += 1 }
        let info = line.skippingBlanks(from: end)
        // No backtick may follow a fence of backticks on the same line.
        guard end - first >= 3, sign != 0x60 || !line.bytes[info..<line.end].contains(0x60) else { return false }
        var word = info
        while word < line.end, line.bytes[word] > 0x20, line.bytes[word] != UInt8(ascii: "{") { word += 1 }
        let name = String(decoding: line.bytes[info..<min(word, info + 32)], as: UTF8.self)
        state.fence = sign
        state.fenceLength = UInt8(min(255, end - first))
        state.language = Language(name: name) ?? .plain
        state.mode = 0
        return true
    }

    // MARK: Blocks

    private static func block(
        _ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns
    ) {
        var first = line.skippingBlanks(from: line.start)
        if opensFence(line, at: first, &state) {
            runs.extend(to: line.end, .dim)
            return
        }
        line.place = first
        var role = Role.text
        while line.peek() == UInt8(ascii: ">") {
            line.place = line.skippingBlanks(from: line.place + 1)
            runs.extend(to: line.place, .accent)
            role = .quote
        }
        first = line.place
        if heading(&line, &runs) || rule(&line, &runs) { return }
        bullet(&line, &runs)
        inline(&line, role, &runs)
    }

    private static func heading(_ line: inout HighlightLine, _ runs: inout HighlightRuns) -> Bool {
        var end = line.place
        while end < line.end, line.bytes[end] == UInt8(ascii: "#") { end += 1 }
        guard (1...6).contains(end - line.place), end == line.end || line.bytes[end] == 0x20 else { return false }
        runs.extend(to: line.place, .text)
        runs.extend(to: line.end, .heading)
        line.place = line.end
        return true
    }

    private static func rule(_ line: inout HighlightLine, _ runs: inout HighlightRuns) -> Bool {
        let sign = line.peek()
        guard "-*_".utf8.contains(sign) else { return false }
        let rest = line.bytes[line.place..<line.end]
        guard rest.allSatisfy({ $0 == sign || $0 == 0x20 }), rest.lazy.filter({ $0 == sign }).count >= 3 else {
            return false
        }
        runs.extend(to: line.end, .dim)
        line.place = line.end
        return true
    }

    private static func bullet(_ line: inout HighlightLine, _ runs: inout HighlightRuns) {
        var end = line.place
        if "-*+".utf8.contains(line.peek()) {
            end += 1
        } else {
            while end < line.end, end - line.place < 9, line.bytes[end].isDigit { end += 1 }
            guard end > line.place, end < line.end, ".)".utf8.contains(line.bytes[end]) else { return }
            end += 1
        }
        guard end < line.end, line.bytes[end] == 0x20 else { return }
        runs.extend(to: line.place, .text)
        runs.extend(to: end, .accent)
        line.place = end
        // A checkbox.
        let box = line.skippingBlanks(from: end)
        if line.starts(with: "[ ] ", at: box) || line.starts(with: "[x] ", at: box) {
            line.place = box + 3
            runs.extend(to: line.place, .accent)
        }
    }

    // MARK: Spans

    /// Highlights emphasis, code, and links in one line. An unclosed opening delimiter is plain text.
    private static func inline(_ line: inout HighlightLine, _ role: Role, _ runs: inout HighlightRuns) {
        var attributes: Style.Attributes = []
        // Remember unclosed delimiters, so that a hostile line still takes linear time.
        var unclosed: Set<UInt16> = []
        while !line.isAtEnd {
            let byte = line.peek()
            switch byte {
            case UInt8(ascii: "\\") where line.peek(1) > 0x20 && line.peek(1) < 0x7F:
                line.place += 2
                runs.extend(to: line.place, role, attributes)
            case UInt8(ascii: "`"):
                code(&line, role, attributes, &unclosed, &runs)
            case UInt8(ascii: "*"), UInt8(ascii: "_"), UInt8(ascii: "~"):
                emphasis(&line, role, &attributes, &unclosed, &runs)
            case UInt8(ascii: "["):
                link(&line, role, attributes, &unclosed, &runs)
            case UInt8(ascii: "|"):
                line.place += 1
                runs.extend(to: line.place, .faint)
            default:
                line.place += 1
                runs.extend(to: line.place, role, attributes)
            }
        }
    }

    private static func length(of sign: UInt8, in line: HighlightLine, at start: Int) -> Int {
        var end = start
        while end < line.end, line.bytes[end] == sign { end += 1 }
        return end - start
    }

    private static func code(
        _ line: inout HighlightLine, _ role: Role, _ attributes: Style.Attributes, _ unclosed: inout Set<UInt16>,
        _ runs: inout HighlightRuns
    ) {
        let count = length(of: 0x60, in: line, at: line.place)
        let key = UInt16(min(count, 255)) | 0x6000
        var place = line.place + count
        while !unclosed.contains(key), place < line.end {
            let closing = length(of: 0x60, in: line, at: place)
            if closing == count {
                runs.extend(to: line.place + count, .faint)
                runs.extend(to: place, .code, attributes)
                line.place = place + count
                runs.extend(to: line.place, .faint)
                return
            }
            place += max(1, closing)
        }
        unclosed.insert(key)
        line.place += count
        runs.extend(to: line.place, role, attributes)
    }

    private static func emphasis(
        _ line: inout HighlightLine, _ role: Role, _ attributes: inout Style.Attributes, _ unclosed: inout Set<UInt16>,
        _ runs: inout HighlightRuns
    ) {
        let sign = line.peek()
        let count = length(of: sign, in: line, at: line.place)
        let before = line.place > line.start ? line.bytes[line.place - 1] : 0x20
        let after = line.place + count < line.end ? line.bytes[line.place + count] : 0x20
        let look: Style.Attributes =
            sign == 0x7E ? .strikethrough : count == 1 ? .italic : count == 2 ? .bold : [.bold, .italic]
        defer { line.place += count }
        let inWord = sign == UInt8(ascii: "_") && before.isWordByte && after.isWordByte
        guard count <= 3, sign != 0x7E || count == 2, !inWord else {
            return runs.extend(to: line.place + count, role, attributes)
        }
        if !look.isDisjoint(with: attributes), before > 0x20 {
            runs.extend(to: line.place + count, .faint)
            attributes.subtract(look)
        } else if after > 0x20, closes(sign, count, line, &unclosed) {
            runs.extend(to: line.place + count, .faint)
            attributes.formUnion(look)
        } else {
            runs.extend(to: line.place + count, role, attributes)
        }
    }

    /// Returns whether the same delimiter follows a word later on the line.
    private static func closes(
        _ sign: UInt8, _ count: Int, _ line: HighlightLine, _ unclosed: inout Set<UInt16>
    ) -> Bool {
        let key = UInt16(sign) << 8 | UInt16(count)
        guard !unclosed.contains(key) else { return false }
        var place = line.place + count + 1
        while place < line.end {
            let length = length(of: sign, in: line, at: place)
            if length >= count, line.bytes[place - 1] > 0x20 { return true }
            place += max(1, length)
        }
        unclosed.insert(key)
        return false
    }

    private static func link(
        _ line: inout HighlightLine, _ role: Role, _ attributes: Style.Attributes, _ unclosed: inout Set<UInt16>,
        _ runs: inout HighlightRuns
    ) {
        let longest = min(line.end, line.place + 2_048)
        var close = line.place + 1
        while close < longest, line.bytes[close] != UInt8(ascii: "]"), line.bytes[close] != UInt8(ascii: "[") {
            close += 1
        }
        guard close + 1 < longest, line.bytes[close] == UInt8(ascii: "]"), line.bytes[close + 1] == UInt8(ascii: "(")
        else {
            line.place += 1
            return runs.extend(to: line.place, role, attributes)
        }
        var end = close + 2
        while end < longest, line.bytes[end] != UInt8(ascii: ")"), line.bytes[end] > 0x20 { end += 1 }
        guard end < longest, line.bytes[end] == UInt8(ascii: ")") else {
            line.place += 1
            return runs.extend(to: line.place, role, attributes)
        }
        runs.extend(to: line.place + 1, .dim, attributes)
        runs.extend(to: close, .link, attributes)
        runs.extend(to: end + 1, .dim, attributes)
        line.place = end + 1
    }
}
