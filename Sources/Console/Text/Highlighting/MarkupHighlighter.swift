/// A highlighter for HTML and XML: tags, attributes, comments, and entities.
enum MarkupHighlighter {
    private static let insideComment: UInt8 = 1
    private static let insideTag: UInt8 = 2
    private static let insideDoubleQuotes: UInt8 = 3
    private static let insideSingleQuotes: UInt8 = 4

    static func highlight(_ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns) {
        while !line.isAtEnd {
            switch state.mode {
            case insideComment: finish(&line, "-->", 0, .comment, &state, &runs)
            case insideDoubleQuotes: finish(&line, "\"", insideTag, .string, &state, &runs)
            case insideSingleQuotes: finish(&line, "'", insideTag, .string, &state, &runs)
            case insideTag: tag(&line, &state, &runs)
            default: content(&line, &state, &runs)
            }
        }
    }

    private static func finish(
        _ line: inout HighlightLine, _ close: StaticString, _ mode: UInt8, _ role: Role,
        _ state: inout HighlightState, _ runs: inout HighlightRuns
    ) {
        while !line.isAtEnd {
            if line.starts(with: close, at: line.place) {
                line.place += close.utf8CodeUnitCount
                state.mode = mode
                break
            }
            line.place += 1
        }
        runs.extend(to: line.place, role)
    }

    private static func content(
        _ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns
    ) {
        let byte = line.peek()
        if line.starts(with: "<!--", at: line.place) {
            line.place += 4
            runs.extend(to: line.place, .comment)
            state.mode = insideComment
        } else if byte == UInt8(ascii: "<"), line.peek(1).isLetter || "/!?".utf8.contains(line.peek(1)) {
            line.place += 1
            while "/!?".utf8.contains(line.peek()), !line.isAtEnd { line.place += 1 }
            runs.extend(to: line.place, .punctuation)
            while line.peek().isWordByte || ":-.".utf8.contains(line.peek()) { line.place += 1 }
            runs.extend(to: line.place, .keyword)
            state.mode = insideTag
        } else if byte == UInt8(ascii: "&") {
            var end = line.place + 1
            while end < line.end, end - line.place < 12, line.bytes[end].isWordByte || line.bytes[end] == 0x23 {
                end += 1
            }
            let closed = end < line.end && line.bytes[end] == UInt8(ascii: ";")
            line.place = closed ? end + 1 : line.place + 1
            runs.extend(to: line.place, closed ? .constant : .text)
        } else {
            line.place += 1
            runs.extend(to: line.place, .text)
        }
    }

    private static func tag(_ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns) {
        let byte = line.peek()
        line.place += 1
        switch byte {
        case UInt8(ascii: ">"):
            state.mode = 0
            runs.extend(to: line.place, .punctuation)
        case UInt8(ascii: "\""):
            state.mode = insideDoubleQuotes
            runs.extend(to: line.place, .string)
        case UInt8(ascii: "'"):
            state.mode = insideSingleQuotes
            runs.extend(to: line.place, .string)
        case UInt8(ascii: "/"), UInt8(ascii: "="), UInt8(ascii: "?"):
            runs.extend(to: line.place, .punctuation)
        default:
            runs.extend(to: line.place, byte.isWordByte || ":-.".utf8.contains(byte) ? .property : .text)
        }
    }
}
