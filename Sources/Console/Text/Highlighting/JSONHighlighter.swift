/// A highlighter for JSON and JSON Lines, including the line comments of JSON5.
enum JSONHighlighter {
    private static let insideString: UInt8 = 2

    static func highlight(_ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns) {
        // A string cannot contain a line feed, so an open string ends with its line.
        if line.startsLine { state.mode = 0 }
        if state.mode == insideString { finishString(&line, &state, &runs) }
        while !line.isAtEnd {
            let byte = line.peek()
            switch byte {
            case UInt8(ascii: "\""):
                line.place += 1
                finishString(&line, &state, &runs)
            case UInt8(ascii: "{"), UInt8(ascii: "}"), UInt8(ascii: "["), UInt8(ascii: "]"), UInt8(ascii: ","),
                UInt8(ascii: ":"):
                line.place += 1
                runs.extend(to: line.place, .punctuation)
            case UInt8(ascii: "-"), UInt8(ascii: "0")...UInt8(ascii: "9"):
                line.place += 1
                while line.peek().isDigit || line.peek().isLetter || "+-.".utf8.contains(line.peek()) {
                    line.place += 1
                }
                runs.extend(to: line.place, .number)
            case UInt8(ascii: "/") where line.peek(1) == byte:
                line.place = line.end
                runs.extend(to: line.place, .comment)
            default:
                if byte.isWordByte {
                    let start = line.place
                    while line.peek().isWordByte { line.place += 1 }
                    let literal =
                        line.starts(with: "true", at: start) || line.starts(with: "false", at: start)
                        || line.starts(with: "null", at: start)
                    runs.extend(to: line.place, literal ? .constant : .text)
                } else {
                    line.place += 1
                    runs.extend(to: line.place, .text)
                }
            }
        }
    }

    private static func finishString(
        _ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns
    ) {
        state.mode = insideString
        while !line.isAtEnd {
            let byte = line.peek()
            line.place += byte == UInt8(ascii: "\\") ? min(2, line.end - line.place) : 1
            if byte == UInt8(ascii: "\"") {
                state.mode = 0
                break
            }
        }
        let isName = state.mode == 0 && line.nextIs(UInt8(ascii: ":"))
        runs.extend(to: line.place, isName ? .property : .string)
    }
}

extension HighlightLine {
    /// Returns whether a byte comes next, after any blanks.
    func nextIs(_ byte: UInt8) -> Bool {
        let next = skippingBlanks(from: place)
        return next < end && bytes[next] == byte
    }
}
