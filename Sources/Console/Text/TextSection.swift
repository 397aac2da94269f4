/// A part of the contents of a ``TextView``: text with its colors and left margin.
public struct TextSection: Sendable {
    package let document: TextDocument
    package let coloring: Coloring
    /// Role of text that the highlighter does not color.
    public var role: Role
    /// Left margin of every row, such as a bar that marks new text.
    public var margin: StyledLine
    /// Column at which continuation rows start, such as the column of a value after its name; `nil` derives it from the
    /// text of each line.
    public var hang: Int?

    package enum Coloring: Sendable {
        case language(Language)
        case runs([HighlightRun])
    }

    /// Creates a section with syntax highlighting.
    public init(_ text: String, language: Language = .plain, role: Role = .text, margin: StyledLine = StyledLine()) {
        self.init(TextDocument(text), .language(language), role, margin)
    }

    /// Creates a section from styled text.
    public init(_ text: StyledText, margin: StyledLine = StyledLine()) {
        self.init(TextDocument(text.text), .runs(text.runs), .text, margin)
    }

    /// Creates a section from one styled line, such as a heading.
    public init(_ line: StyledLine, margin: StyledLine = StyledLine(), hang: Int? = nil) {
        self.init(StyledText([line]), margin: margin)
        self.hang = hang
    }

    package init(_ document: TextDocument, _ coloring: Coloring, _ role: Role, _ margin: StyledLine) {
        self.document = document
        self.coloring = coloring
        self.role = role
        self.margin = margin
    }

    /// Text of the section.
    public var text: String { document.text }

    package var language: Language {
        if case .language(let language) = coloring { language } else { .plain }
    }
}

/// A position in the contents of a ``TextView``.
public struct TextPosition: Hashable, Comparable, Sendable {
    /// Index of the section.
    public var section: Int
    /// Offset in the section, in bytes.
    public var offset: Int

    /// Creates a position.
    public init(section: Int = 0, offset: Int) {
        self.section = section
        self.offset = offset
    }

    public static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.section, left.offset) < (right.section, right.offset)
    }
}
