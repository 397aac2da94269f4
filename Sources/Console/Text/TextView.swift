/// A pane of text: wrapped, colored, scrolled and searched, whatever its length.
///
/// It knows only rows near what it shows: opening, scrolling and jumping cost O(screen), however long the text or a
/// line of it is. What needs the whole text, a search above all, goes on by `advance`, a slice a frame.
///
///     var view = TextView("# Notes\n\nAn orrery turns.", language: .markdown)
///     view.layout(Size(80, 24))
///     view.draw(into: &surface, in: area, theme: theme)
public struct TextView: Sendable {
    public private(set) var sections: [TextSection]
    /// The extent that scrolling reckons with.
    public package(set) var size = Size(80, 24)
    /// The first byte of the topmost row.
    public private(set) var top = TextPosition(section: 0, offset: 0)
    /// Whether long lines are wrapped; else they are cut, and `left` columns are skipped.
    public private(set) var wraps: Bool
    public private(set) var left = 0
    /// The search in force.
    public package(set) var search: TextSearch?
    /// The match that is selected, an index of `search.matches`.
    public package(set) var currentMatch: Int?
    package var pendingMatch: PendingMatch?
    package var highlights: [HighlightIndex]
    package var lines = LineIndex()
    /// The bytes before each section.
    private var starts: [Int]

    public init(_ sections: [TextSection], wraps: Bool = true) {
        self.sections = sections
        self.wraps = wraps
        highlights = sections.map { HighlightIndex($0.language) }
        starts = [0]
        for section in sections { starts.append(starts[starts.count - 1] + max(1, section.document.count)) }
        if let first = sections.first { lines.advance(over: first.document, budget: 1 << 20) }
    }

    public init(_ text: String, language: Language = .plain, wraps: Bool = true) {
        self.init([TextSection(text, language: language)], wraps: wraps)
    }

    /// Adopts an extent; the topmost row stays where it is unless the text ends above the last row.
    public mutating func layout(_ size: Size) {
        self.size = size
        settle(top)
    }

    /// Wraps or cuts long lines.
    public mutating func setWraps(_ wraps: Bool) {
        self.wraps = wraps
        left = 0
        settle(top)
    }

    /// Replaces what is shown and starts at its top; a search starts again.
    public mutating func show(_ sections: [TextSection]) {
        let query = search?.query
        let extent = size
        self = TextView(sections, wraps: wraps)
        size = extent
        if let query { search = TextSearch(query) }
    }

    // MARK: Scrolling

    /// Moves down so many rows, or up where negative, no further than the ends.
    public mutating func scroll(by rows: Int) {
        guard var cursor = cursor(at: top) else { return }
        move(&cursor, by: rows)
        settle(cursor)
    }

    /// Moves by screens, keeping two rows in view.
    public mutating func scrollPages(by pages: Int) {
        scroll(by: max(-1 << 32, min(pages, 1 << 32)) * max(1, size.rows - 2))
    }

    /// Moves sideways where lines are cut.
    public mutating func scrollSideways(by columns: Int) {
        left = wraps ? 0 : max(0, min(left + max(-16_384, min(columns, 16_384)), 16_384))
    }

    public mutating func scrollToTop() { top = TextPosition(section: 0, offset: 0) }

    public mutating func scrollToEnd() { top = lastTop() }

    /// Puts the row that holds a place at the top, as far as the text's end allows.
    public mutating func scroll(to position: TextPosition) { settle(position) }

    /// Brings a place into view, a third down the screen where it was out of it.
    public mutating func reveal(_ position: TextPosition) {
        guard let target = cursor(at: position) else { return }
        if isVisible(target.position) { return }
        var cursor = target
        move(&cursor, by: -(size.rows / 3))
        settle(cursor)
    }

    /// The place that a row of the area shows, as a click needs it; nil below the text.
    public func position(at point: Point, in area: Rect) -> TextPosition? {
        guard area.contains(point), var cursor = cursor(at: top) else { return nil }
        return move(&cursor, by: point.row - area.row) ? cursor.position : nil
    }

    /// Puts the line of this number, from 1, at the top; it must be counted already and in the first section.
    public mutating func scroll(toLine line: Int) {
        guard let first = sections.first, let start = lines.start(ofLine: line, in: first.document) else { return }
        settle(TextPosition(section: 0, offset: start))
    }

    public var isAtTop: Bool { top == TextPosition(section: 0, offset: 0) }
    public var isAtEnd: Bool { top >= lastTop() }

    /// How much of the text lies above the topmost row, 0 to 1, in bytes.
    public var fraction: Double {
        guard top.section < sections.count else { return 0 }
        return isAtEnd && !isAtTop
            ? 1 : Double(starts[top.section] + top.offset) / Double(max(1, starts[starts.count - 1]))
    }

    /// The line at the top, from 1, in its section; nil until the lines before it are counted.
    public var topLine: Int? {
        top.section == 0 ? sections.first.flatMap { lines.line(at: top.offset, in: $0.document) } : nil
    }

    /// The lines of the first section; nil until they are counted.
    public var lineCount: Int? { lines.lineCount }

    private mutating func settle(_ position: TextPosition) {
        if let cursor = cursor(at: position) { settle(cursor) } else { top = TextPosition(section: 0, offset: 0) }
    }

    /// Makes a row the topmost one, unless the text would end above the last row.
    private mutating func settle(_ cursor: TextCursor) {
        var bottom = cursor
        top = move(&bottom, by: max(0, size.rows - 1)) ? cursor.position : lastTop()
    }

    /// The topmost row of the last screen.
    private func lastTop() -> TextPosition {
        guard let last = sections.indices.last,
            var cursor = cursor(at: TextPosition(section: last, offset: sections[last].document.count))
        else { return TextPosition(section: 0, offset: 0) }
        move(&cursor, by: 1 - max(1, size.rows))
        return cursor.position
    }

    private func isVisible(_ position: TextPosition) -> Bool {
        guard position >= top, var cursor = cursor(at: top) else { return false }
        move(&cursor, by: max(1, size.rows) - 1)
        return position <= cursor.position
    }
}
