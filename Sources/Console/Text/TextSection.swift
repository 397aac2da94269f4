/// A part of what a `TextView` shows: a text, how it is colored, and what stands at its left.
public struct TextSection: Sendable {
    package let document: TextDocument
    package let coloring: Coloring
    /// The role of text that no highlighter claims.
    public var role: Role
    /// Drawn at the left of every row, such as a bar that marks what is new.
    public var margin: StyledLine
    /// The column at which rows that continue a line start, such as that of the value behind a name; nil lets each line
    /// tell.
    public var hang: Int?

    package enum Coloring: Sendable {
        case language(Language)
        case runs([HighlightRun])
    }

    /// A text in a language.
    public init(_ text: String, language: Language = .plain, role: Role = .text, margin: StyledLine = StyledLine()) {
        self.init(TextDocument(text), .language(language), role, margin)
    }

    /// A text that is styled already.
    public init(_ text: StyledText, margin: StyledLine = StyledLine()) {
        self.init(TextDocument(text.text), .runs(text.runs), .text, margin)
    }

    /// A single line that is styled already, such as a heading.
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

    public var text: String { document.text }

    package var language: Language {
        if case .language(let language) = coloring { language } else { .plain }
    }
}

/// A place in what a `TextView` shows.
public struct TextPosition: Hashable, Comparable, Sendable {
    /// The index of the section.
    public var section: Int
    /// Bytes from the section's start.
    public var offset: Int

    public init(section: Int = 0, offset: Int) {
        self.section = section
        self.offset = offset
    }

    public static func < (left: TextPosition, right: TextPosition) -> Bool {
        (left.section, left.offset) < (right.section, right.offset)
    }
}
