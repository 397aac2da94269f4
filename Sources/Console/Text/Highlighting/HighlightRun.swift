/// A stretch of text with one look: from the end of the run before it to `end`.
public struct HighlightRun: Hashable, Sendable {
    /// Behind its last byte.
    public var end: Int
    public var role: Role
    public var attributes: Style.Attributes

    public init(end: Int, role: Role, attributes: Style.Attributes = []) {
        self.end = end
        self.role = role
        self.attributes = attributes
    }
}

/// Runs in the making: adjacent ones of the same look are one.
package struct HighlightRuns: Sendable {
    package private(set) var runs: [HighlightRun] = []
    private var start: Int

    package init(from start: Int = 0) { self.start = start }

    package mutating func reset(from start: Int) {
        runs.removeAll(keepingCapacity: true)
        self.start = start
    }

    /// Where the next run starts.
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

/// What a highlighter knows between two lines: small, so that an index can keep many.
package struct HighlightState: Hashable, Sendable {
    /// The language in force: the fence's inside Markdown, else the text's own.
    package var language: Language
    /// The construct that is open across lines: 0 none, 1 a block comment, from 2 the string rules of the language.
    package var mode: UInt8 = 0
    /// How deep block comments are nested.
    package var depth: UInt16 = 0
    /// The fence that Markdown waits for, and how long it is; 0 outside.
    package var fence: UInt8 = 0
    package var fenceLength: UInt8 = 0
    /// The lines that a hunk of a diff still has on both sides.
    package var oldLines: UInt32 = 0
    package var newLines: UInt32 = 0

    package init(_ language: Language) { self.language = language }
}

/// Colors a text line by line: a machine whose state after a line is all that the next one needs.
///
/// A highlighter never changes the text; its runs cover every byte of the line once, in order. Any bytes are accepted.
package struct Highlighter: Sendable {
    package let language: Language

    package init(_ language: Language) { self.language = language }

    package var initialState: HighlightState { HighlightState(language) }

    /// Appends the runs of one segment and moves the state behind it. O(bytes).
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

    /// The byte so many places on; 0 behind the end.
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

    /// The first place from `index` that holds something else than blanks.
    func skippingBlanks(from index: Int) -> Int {
        var place = index
        while place < end, bytes[place] == 0x20 || bytes[place] == 0x09 { place += 1 }
        return place
    }
}

extension UInt8 {
    var isDigit: Bool { self &- 0x30 < 10 }
    var isLetter: Bool { (self | 0x20) &- 0x61 < 26 }
    /// Part of a name in most languages; bytes of non-ASCII scalars are.
    var isWordByte: Bool { isLetter || isDigit || self == 0x5F || self >= 0x80 }
}
