/// A pane of text of any length, with wrapping, highlighting, scrolling, and search.
///
/// The view computes only the rows near the screen, so the time for opening, scrolling, and jumping does not depend on
/// the length of the text or its lines. Work on the whole text, such as a search, advances in steps: call
/// ``advance(budget:)`` once per frame.
///
///     var view = TextView("# Notes\n\nAn orrery turns.", language: .markdown)
///     view.layout(Size(80, 24))
///     view.draw(into: &surface, in: area, theme: theme)
public struct TextView: Sendable {
    /// Sections of the text, from top to bottom.
    public private(set) var sections: [TextSection]
    /// Size of the pane, as set by ``layout(_:)``.
    public package(set) var size = Size(80, 24)
    /// Position of the first byte of the topmost row.
    public private(set) var top = TextPosition(section: 0, offset: 0)
    /// Whether long lines are wrapped. Otherwise, they are cut off at the edge and can be scrolled sideways.
    public private(set) var wraps: Bool
    /// Number of columns scrolled to the right, if lines are not wrapped.
    public private(set) var left = 0
    /// Current search.
    public package(set) var search: TextSearch?
    /// Index of the selected match in `search.matches`.
    public package(set) var currentMatch: Int?
    package var pendingMatch: PendingMatch?
    var selection: TextSelection?
    package var highlights: [HighlightIndex]
    package var lines = LineIndex()
    /// Number of bytes before each section.
    private var starts: [Int]

    /// Creates a view of sections.
    public init(_ sections: [TextSection], wraps: Bool = true) {
        self.sections = sections
        self.wraps = wraps
        highlights = sections.map { HighlightIndex($0.language) }
        starts = [0]
        for section in sections { starts.append(starts[starts.count - 1] + max(1, section.document.count)) }
        if let first = sections.first { lines.advance(over: first.document, budget: 1 << 20) }
    }

    /// Creates a view of a single text.
    public init(_ text: String, language: Language = .plain, wraps: Bool = true) {
        self.init([TextSection(text, language: language)], wraps: wraps)
    }

    /// Sets the size of the pane.
    ///
    /// The topmost row stays the same unless the text would end above the last row.
    public mutating func layout(_ size: Size) {
        self.size = size
        settle(top)
    }

    /// Sets whether long lines are wrapped or cut off.
    public mutating func setWraps(_ wraps: Bool) {
        self.wraps = wraps
        left = 0
        settle(top)
    }

    /// Replaces the sections, scrolls to the top, and restarts the search.
    public mutating func show(_ sections: [TextSection]) {
        let query = search?.query
        let extent = size
        self = TextView(sections, wraps: wraps)
        size = extent
        if let query { search = TextSearch(query) }
    }

    /// Shows text that replaces an older state of itself; the reader stays in place.
    public mutating func refresh(_ sections: [TextSection]) {
        guard sections.map(\.text) != self.sections.map(\.text) else { return }
        let (wasAtTop, top) = (isAtTop, top)
        show(sections)
        if !wasAtTop { scroll(to: top) }
    }

    // MARK: Scrolling

    /// Scrolls down by a number of rows, or up if it is negative, but not past the ends.
    public mutating func scroll(by rows: Int) {
        guard var cursor = cursor(at: top) else { return }
        move(&cursor, by: rows)
        settle(cursor)
    }

    /// Scrolls a number of screens, with an overlap of two rows.
    public mutating func scrollPages(by pages: Int) {
        scroll(by: max(-1 << 32, min(pages, 1 << 32)) * max(1, size.rows - 2))
    }

    /// Scrolls sideways if lines are not wrapped.
    public mutating func scrollSideways(by columns: Int) {
        left = wraps ? 0 : max(0, min(left + max(-16_384, min(columns, 16_384)), 16_384))
    }

    /// Scrolls to the first row.
    public mutating func scrollToTop() { top = TextPosition(section: 0, offset: 0) }

    /// Scrolls to the last screen.
    public mutating func scrollToEnd() { top = lastTop() }

    /// Scrolls a position to the top, unless the text would end above the last row.
    public mutating func scroll(to position: TextPosition) { settle(position) }

    /// Scrolls to a position, unless it is visible, so that it appears a third of the way down the screen.
    public mutating func reveal(_ position: TextPosition) {
        guard let target = cursor(at: position) else { return }
        if isVisible(target.position) { return }
        var cursor = target
        move(&cursor, by: -(size.rows / 3))
        settle(cursor)
    }

    /// Returns the start of the row at a point, for mouse clicks; `nil` below the text or outside the area.
    public func position(at point: Point, in area: Rect) -> TextPosition? {
        guard area.contains(point), var cursor = cursor(at: top) else { return nil }
        return move(&cursor, by: point.row - area.row) ? cursor.position : nil
    }

    /// Scrolls a line of the first section to the top, starting at 1. Lines that are not indexed yet are ignored.
    public mutating func scroll(toLine line: Int) {
        guard let first = sections.first, let start = lines.start(ofLine: line, in: first.document) else { return }
        settle(TextPosition(section: 0, offset: start))
    }

    /// Whether the first row is visible.
    public var isAtTop: Bool { top == TextPosition(section: 0, offset: 0) }
    /// Whether the last row is visible.
    public var isAtEnd: Bool { top >= lastTop() }

    /// Fraction of the bytes above the topmost row, 0 to 1; 1 at the end of the text.
    public var fraction: Double {
        guard top.section < sections.count else { return 0 }
        return isAtEnd && !isAtTop
            ? 1 : Double(starts[top.section] + top.offset) / Double(max(1, starts[starts.count - 1]))
    }

    /// Line number of the topmost row, starting at 1; `nil` until it is indexed, or if the row is not in the first
    /// section.
    public var topLine: Int? {
        top.section == 0 ? sections.first.flatMap { lines.line(at: top.offset, in: $0.document) } : nil
    }

    /// Number of lines in the first section; `nil` until they are indexed.
    public var lineCount: Int? { lines.lineCount }

    private mutating func settle(_ position: TextPosition) {
        if let cursor = cursor(at: position) { settle(cursor) } else { top = TextPosition(section: 0, offset: 0) }
    }

    /// Scrolls a row to the top, unless the text would end above the last row.
    private mutating func settle(_ cursor: TextCursor) {
        var bottom = cursor
        top = move(&bottom, by: max(0, size.rows - 1)) ? cursor.position : lastTop()
    }

    /// Returns the topmost row of the last screen.
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
