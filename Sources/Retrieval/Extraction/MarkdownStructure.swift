/// The headings of a Markdown text and the blocks that should not be cut.
///
/// Lines are enough to see them (CommonMark 0.31, sections 4.2, 4.3, 4.5; tables as GitHub has them). O(n).
struct MarkdownStructure {
    var headings: [(title: String, level: Int, start: Int)] = []
    /// Fenced code and tables, in order.
    var blocks: [Range<Int>] = []

    private enum State {
        case text
        case fence(mark: UInt8, count: Int, start: Int)
        case table(start: Int)
    }

    init(_ bytes: UnsafeBufferPointer<UInt8>) {
        var state = State.text
        var previous: Range<Int>?
        var start = 0
        while start < bytes.count {
            var end = start
            while end < bytes.count, bytes[end] != 0x0A { end += 1 }
            let next = min(end + 1, bytes.count)
            let line = Self.trimmed(bytes, start..<end)
            let indent = line.lowerBound - start
            switch state {
            case .fence(let mark, let count, let first):
                let run = Self.run(bytes, line, of: mark)
                if indent < 4, run >= count, run == line.count {
                    blocks.append(first..<next)
                    state = .text
                }
                previous = nil
            case .table(let first) where !bytes[line].contains(UInt8(ascii: "|")):
                blocks.append(first..<start)
                state = .text
                previous = nil
                continue
            case .table: break
            case .text:
                previous = read(bytes, line, start: start, indent: indent, previous: previous, &state)
            }
            start = next
        }
        switch state {
        case .fence(_, _, let first), .table(let first): blocks.append(first..<bytes.count)
        case .text: break
        }
    }

    /// - Returns: The line where it is a paragraph's, which an underline would make a heading.
    private mutating func read(
        _ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, start: Int, indent: Int, previous: Range<Int>?,
        _ state: inout State
    ) -> Range<Int>? {
        guard let first = bytes[line].first, indent < 4 else { return nil }
        switch first {
        case UInt8(ascii: "#"):
            let level = Self.run(bytes, line, of: first)
            let behind = line.lowerBound + level
            guard level <= 6, behind == line.upperBound || bytes[behind] == 0x20 || bytes[behind] == 9 else { break }
            headings.append((Self.title(bytes, behind..<line.upperBound), level, start))
            return nil
        case UInt8(ascii: "`"), UInt8(ascii: "~"):
            let count = Self.run(bytes, line, of: first)
            guard count >= 3,
                first != UInt8(ascii: "`") || !bytes[(line.lowerBound + count)..<line.upperBound].contains(first)
            else { break }
            state = .fence(mark: first, count: count, start: start)
            return nil
        case UInt8(ascii: "="), UInt8(ascii: "-"):
            guard let previous, Self.run(bytes, line, of: first) == line.count else { break }
            headings.append(
                (Self.title(bytes, previous), first == UInt8(ascii: "=") ? 1 : 2, Self.lineStart(bytes, previous)))
            return nil
        default: break
        }
        if let previous, Self.isTableRule(bytes, line), bytes[previous].contains(UInt8(ascii: "|")) {
            state = .table(start: Self.lineStart(bytes, previous))
            return nil
        }
        // Lists and quotations take no underline.
        if first == UInt8(ascii: ">") || first == UInt8(ascii: "*") || first == UInt8(ascii: "+") { return nil }
        if first == UInt8(ascii: "-"), !bytes[line].contains(UInt8(ascii: "|")) { return nil }
        return line
    }

    private static func lineStart(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Int {
        var start = line.lowerBound
        while start > 0, bytes[start - 1] != 0x0A { start -= 1 }
        return start
    }

    private static func isTableRule(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>) -> Bool {
        var hasDash = false
        for byte in bytes[line] {
            switch byte {
            case UInt8(ascii: "-"): hasDash = true
            case UInt8(ascii: "|"), UInt8(ascii: ":"), 0x20, 9: break
            default: return false
            }
        }
        return hasDash
    }

    /// Returns how often a byte is repeated at the start of a line.
    private static func run(_ bytes: UnsafeBufferPointer<UInt8>, _ line: Range<Int>, of byte: UInt8) -> Int {
        var end = line.lowerBound
        while end < line.upperBound, bytes[end] == byte { end += 1 }
        return end - line.lowerBound
    }

    private static func trimmed(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> Range<Int> {
        var (start, end) = (range.lowerBound, range.upperBound)
        while start < end, bytes[start] <= 0x20 { start += 1 }
        while end > start, bytes[end - 1] <= 0x20 { end -= 1 }
        return start..<end
    }

    private static func title(_ bytes: UnsafeBufferPointer<UInt8>, _ range: Range<Int>) -> String {
        var line = trimmed(bytes, range)
        var end = line.upperBound
        while end > line.lowerBound, bytes[end - 1] == UInt8(ascii: "#") { end -= 1 }
        // Closing marks stand behind a space; `C#` has none.
        if end == line.lowerBound || bytes[end - 1] <= 0x20 { line = trimmed(bytes, line.lowerBound..<end) }
        return String(decoding: bytes[line].prefix(1 << 10), as: UTF8.self)
    }
}
