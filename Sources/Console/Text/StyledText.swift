/// Multiline text with a role for each part.
public struct StyledText: Hashable, Sendable {
    /// The entire text.
    public private(set) var text: String
    /// Runs over the bytes of ``text``, in order and without gaps.
    public private(set) var runs: [HighlightRun]

    /// Creates empty text.
    public init() {
        text = ""
        runs = []
    }

    /// Creates text from lines.
    public init(_ lines: [StyledLine]) {
        self.init()
        for (index, line) in lines.enumerated() {
            if index > 0 { append("\n") }
            append(line)
        }
    }

    /// Appends the parts of a line, without a line break.
    public mutating func append(_ line: StyledLine) {
        for run in line.runs { append(run.text, run.role, run.attributes) }
    }

    /// Appends text with one role.
    public mutating func append(_ piece: String, _ role: Role = .text, _ attributes: Style.Attributes = []) {
        guard !piece.isEmpty else { return }
        text += piece
        let end = text.utf8.count
        if let last = runs.last, last.role == role, last.attributes == attributes {
            runs[runs.count - 1].end = end
        } else {
            runs.append(HighlightRun(end: end, role: role, attributes: attributes))
        }
    }

    /// Creates text with syntax highlighting.
    ///
    /// The whole text is highlighted at once. For text longer than a few screens, use ``TextView``, which highlights
    /// lazily.
    public init(_ text: String, language: Language) {
        let document = TextDocument(text)
        let highlighter = Highlighter(language)
        var state = highlighter.initialState
        var runs = HighlightRuns()
        document.withBytes { bytes in
            var next: Int? = 0
            while let start = next {
                let segment = document.segment(from: start, in: bytes)
                highlighter.highlight(bytes, segment, state: &state, into: &runs)
                runs.extend(to: segment.next ?? document.count, .text)
                next = segment.next
            }
        }
        self.text = document.text
        self.runs = runs.runs
    }
}
