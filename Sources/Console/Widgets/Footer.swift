/// A key that works now, with its action in a word or two.
public struct KeyHint: Hashable, Sendable {
    /// Key or keys to press.
    public var key: String
    /// Action in a word or two.
    public var text: String
    /// Order of removal if space is short: highest number first, 0 last.
    public var priority: Int

    /// Creates a hint.
    public init(_ key: String, _ text: String, priority: Int = 1) {
        self.key = key
        self.text = text
        self.priority = priority
    }

    fileprivate var columns: Int { DisplayWidth.of(key) + 1 + DisplayWidth.of(text) }
}

/// The line at the bottom, with the keys that work now and a short note at the right.
public struct Footer: Hashable, Sendable {
    /// Keys that work now.
    public var hints: [KeyHint]
    /// Short note at the right.
    public var note: FrameLabel?

    /// Creates a footer.
    public init(_ hints: [KeyHint], note: FrameLabel? = nil) {
        self.hints = hints
        self.note = note
    }

    private static let spacing = 3

    /// Returns the hints that fit. Hints with the highest number are removed first, starting with the last one.
    package func fitting(_ columns: Int) -> [KeyHint] {
        var shown = Array(hints.enumerated())
        var needed = shown.reduce(0) { $0 + $1.element.columns + Self.spacing } - Self.spacing
        while needed > columns,
            let least = shown.indices.max(by: {
                (shown[$0].element.priority, $0) < (shown[$1].element.priority, $1)
            })
        {
            needed -= shown[least].element.columns + Self.spacing
            shown.remove(at: least)
        }
        return shown.map(\.element)
    }

    /// Draws the footer on the first row of an area.
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) {
        guard !area.isEmpty else { return }
        surface.fill(Rect(column: area.column, row: area.row, columns: area.columns, rows: 1), style: theme[.footer])
        var room = area.columns - 2
        if let note {
            let columns = min(DisplayWidth.of(note.text), max(0, room))
            surface.put(
                note.text, at: Point(column: area.endColumn - 1 - columns, row: area.row),
                style: theme[note.role ?? .footer], width: columns)
            room -= columns + Self.spacing
        }
        var column = area.column + 1
        for hint in fitting(room) {
            column += surface.put(hint.key, at: Point(column: column, row: area.row), style: theme[.key]) + 1
            column += surface.put(hint.text, at: Point(column: column, row: area.row), style: theme[.footer])
            column += Self.spacing
        }
    }
}
