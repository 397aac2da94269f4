/// A run of text with one role, from the end of the previous run to `end`.
public struct HighlightRun: Hashable, Sendable {
    /// Offset after the last byte.
    public var end: Int
    /// Role of the text.
    public var role: Role
    /// Attributes added to the style of the role.
    public var attributes: Style.Attributes

    /// Creates a run.
    public init(end: Int, role: Role, attributes: Style.Attributes = []) {
        self.end = end
        self.role = role
        self.attributes = attributes
    }
}

/// A builder for runs, which merges adjacent runs with the same role and attributes.
package struct HighlightRuns: Sendable {
    package private(set) var runs: [HighlightRun] = []
    private var start: Int

    package init(from start: Int = 0) { self.start = start }

    package mutating func reset(from start: Int) {
        runs.removeAll(keepingCapacity: true)
        self.start = start
    }

    /// Start of the next run.
    package var end: Int { runs.last?.end ?? start }

    package mutating func extend(to end: Int, _ role: Role, _ attributes: Style.Attributes = []) {
        guard end > self.end else { return }
        if let last = runs.last, last.role == role, last.attributes == attributes {
            runs[runs.count - 1].end = end
        } else {
            runs.append(HighlightRun(end: end, role: role, attributes: attributes))
        }
    }
}

/// The state of a highlighter between two lines. It is small, because an index stores many states.
package struct HighlightState: Hashable, Sendable {
    /// Current language: the language of the fenced block inside Markdown, otherwise the language of the text.
    package var language: Language
    /// Construct that is open across lines: 0 none, 1 a block comment, 2 and above a kind of string.
    package var mode: UInt8 = 0
    /// Nesting depth of block comments.
    package var depth: UInt16 = 0
    /// Character of the open Markdown fence; 0 outside fenced blocks.
    package var fence: UInt8 = 0
    /// Length of the open fence.
    package var fenceLength: UInt8 = 0
    /// Number of old lines left in the hunk of a diff.
    package var oldLines: UInt32 = 0
    /// Number of new lines left in the hunk of a diff.
    package var newLines: UInt32 = 0

    package init(_ language: Language) { self.language = language }
}

/// A line-by-line syntax highlighter.
///
/// The state after a line is all that the next line needs. The runs cover every byte of the line once, in order. Any
/// bytes are accepted.
package struct Highlighter: Sendable {
    package let language: Language

    package init(_ language: Language) { self.language = language }

    package var initialState: HighlightState { HighlightState(language) }

    /// Appends the runs of one segment and advances the state to its end.
    ///
    /// - Complexity: O(n) in the number of bytes.
    package func highlight(
        _ bytes: UnsafeBufferPointer<UInt8>, _ segment: TextSegment, state: inout HighlightState,
        into runs: inout HighlightRuns
    ) {
        var line = HighlightLine(bytes, segment)
        switch language {
        case .plain: break
        case .json: JSONHighlighter.highlight(&line, &state, &runs)
        case .markdown: MarkdownHighlighter.highlight(&line, &state, &runs)
        case .diff: DiffHighlighter.highlight(&line, &state, &runs)
        case .html: MarkupHighlighter.highlight(&line, &state, &runs)
        default: CodeHighlighter.highlight(&line, .of(language), &state, &runs)
        }
        runs.extend(to: segment.end, .text)
    }
}

/// A cursor over the bytes of one segment.
package struct HighlightLine {
    package let bytes: UnsafeBufferPointer<UInt8>
    package let start: Int
    package let end: Int
    package let startsLine: Bool
    package let endsLine: Bool
    package var place: Int

    init(_ bytes: UnsafeBufferPointer<UInt8>, _ segment: TextSegment) {
        self.bytes = bytes
        start = segment.start
        end = segment.end
        startsLine = segment.startsLine
        endsLine = segment.endsLine
        place = segment.start
    }

    var isAtEnd: Bool { place >= end }

    /// Returns the byte at a distance from the current position; 0 outside the segment.
    func peek(_ distance: Int = 0) -> UInt8 {
        let index = place + distance
        return index >= start && index < end ? bytes[index] : 0
    }

    func starts(with word: StaticString, at index: Int) -> Bool {
        guard index >= start, word.utf8CodeUnitCount <= end - index else { return false }
        for offset in 0..<word.utf8CodeUnitCount where bytes[index + offset] != word.utf8Start[offset] { return false }
        return true
    }

    func starts(with word: [UInt8], at index: Int) -> Bool {
        guard word.count <= end - index else { return false }
        for offset in 0..<word.count where bytes[index + offset] != word[offset] { return false }
        return true
    }

    /// Returns the first offset at or after `index` that is not a blank.
    func skippingBlanks(from index: Int) -> Int {
        var place = index
        while place < end, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        return place
    }
}

extension UInt8 {
    var isDigit: Bool { self &- 0x30 < 10 }
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    /// Whether the byte is part of a name in most languages, which includes the bytes of non-ASCII scalars.
    var isWordByte: Bool { isLetter || isDigit || self == 0x5F || self >= 0x80 }
}
