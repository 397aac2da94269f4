/// Names with their values below each other, the names in a column of their own.
public struct KeyValue: Hashable, Sendable {
    public struct Entry: Hashable, Sendable {
        public var key: String
        public var value: String
        public var role: Role

        public init(_ key: String, _ value: String, _ role: Role = .text) {
            self.key = key
            self.value = value
            self.role = role
        }
    }

    public var entries: [Entry]
    /// Blanks between the names and the values.
    public var spacing: Int

    public init(_ entries: [Entry], spacing: Int = 3) {
        self.entries = entries
        self.spacing = spacing
    }

    /// The columns of the names: those of the longest, up to two fifths of the width.
    package func keyColumns(in width: Int) -> Int {
        min(entries.reduce(0) { max($0, DisplayWidth.of($1.key)) }, max(0, width) * 2 / 5)
    }

    /// Draws what has room, an entry a row, and returns how many rows it took.
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
