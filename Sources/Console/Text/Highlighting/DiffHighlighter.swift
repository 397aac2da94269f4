/// A highlighter for unified diffs.
///
/// The line counts in a hunk header determine where the hunk ends, so a removed line `-- a/file` is not mistaken for a
/// header.
enum DiffHighlighter {
    static func highlight(_ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns) {
        guard line.startsLine else {
            runs.extend(to: line.end, Role(diffMode: state.mode))
            return
        }
        let first = line.peek()
        if state.oldLines > 0 || state.newLines > 0, first != UInt8(ascii: "@") {
            content(first, &state)
        } else if line.starts(with: "@@ ", at: line.start) {
            hunk(&line, &state, &runs)
        } else if line.starts(with: "diff ", at: line.start) || line.starts(with: "--- ", at: line.start)
            || line.starts(with: "+++ ", at: line.start)
        {
            state.mode = 4
        } else if first == UInt8(ascii: "+") || first == UInt8(ascii: "-") {
            // In diffs without hunk headers, the first character determines the role.
            state.mode = first == UInt8(ascii: "+") ? 2 : 3
        } else {
            state.mode = first == UInt8(ascii: " ") || line.start == line.end ? 1 : 0
        }
        runs.extend(to: line.end, Role(diffMode: state.mode))
    }

    private static func content(_ first: UInt8, _ state: inout HighlightState) {
        switch first {
        case UInt8(ascii: "+"):
            state.mode = 2
            state.newLines -= min(1, state.newLines)
        case UInt8(ascii: "-"):
            state.mode = 3
            state.oldLines -= min(1, state.oldLines)
        case UInt8(ascii: "\\"):
            state.mode = 0
        default:
            state.mode = 1
            state.oldLines -= min(1, state.oldLines)
            state.newLines -= min(1, state.newLines)
        }
    }

    /// Parses a hunk header, such as `@@ -12,7 +12,9 @@ context`; a missing count is 1.
    private static func hunk(
        _ line: inout HighlightLine, _ state: inout HighlightState, _ runs: inout HighlightRuns
    ) {
        line.place += 3
        state.oldLines = side(&line)
        state.newLines = side(&line)
        while !line.isAtEnd, line.peek() != UInt8(ascii: "@") { line.place += 1 }
        while line.peek() == UInt8(ascii: "@") { line.place += 1 }
        runs.extend(to: line.place, .diffHunk)
        state.mode = 0
    }

    private static func side(_ line: inout HighlightLine) -> UInt32 {
        while !line.isAtEnd, !line.peek().isDigit { line.place += 1 }
        _ = number(&line)
        guard line.peek() == UInt8(ascii: ",") else { return 1 }
        line.place += 1
        return number(&line)
    }

    private static func number(_ line: inout HighlightLine) -> UInt32 {
        var value: UInt32 = 0
        while line.peek().isDigit {
            value = min(value &* 10 &+ UInt32(line.peek() &- 0x30), 10_000_000)
            line.place += 1
        }
        return value
    }
}

extension Role {
    fileprivate init(diffMode: UInt8) {
        switch diffMode {
        case 1: self = .text
        case 2: self = .diffAdded
        case 3: self = .diffRemoved
        case 4: self = .heading
        default: self = .dim
        }
    }
}
