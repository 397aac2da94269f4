/// A list of names and values in two columns.
public struct KeyValue: Hashable, Sendable {
    /// A name and its value.
    public struct Entry: Hashable, Sendable {
        /// Name.
        public var key: String
        /// Value as text.
        public var value: String
        /// Role of the value.
        public var role: Role

        /// Creates an entry.
        public init(_ key: String, _ value: String, _ role: Role = .text) {
            self.key = key
            self.value = value
            self.role = role
        }
    }

    /// Entries from top to bottom.
    public var entries: [Entry]
    /// Number of spaces between names and values.
    public var spacing: Int

    /// Creates a list.
    public init(_ entries: [Entry], spacing: Int = 3) {
        self.entries = entries
        self.spacing = spacing
    }

    /// Returns the width of the name column: the longest name, but at most two fifths of the total width.
    package func keyColumns(in width: Int) -> Int {
        min(entries.reduce(0) { max($0, DisplayWidth.of($1.key)) }, max(0, width) * 2 / 5)
    }

    /// Draws the entries that fit, one per row, and returns their number.
    @discardableResult
    public func draw(into surface: inout Surface, in area: Rect, theme: Theme) -> Int {
        guard !area.isEmpty else { return 0 }
        let keyColumns = keyColumns(in: area.columns)
        let start = min(area.columns, keyColumns + spacing)
        for (index, entry) in entries.prefix(area.rows).enumerated() {
            let row = area.row + index
            surface.put(
                entry.key, at: Point(column: area.column, row: row), style: theme[.dim], width: keyColumns)
            surface.put(
                entry.value, at: Point(column: area.column + start, row: row), style: theme[entry.role],
                width: area.columns - start)
        }
        return min(entries.count, area.rows)
    }
}
